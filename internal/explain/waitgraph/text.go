package waitgraph

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Sentence is an edge in words: b waits for L, held by a (token 3).
func (e *Edge) Sentence() string {
	text := visible.Name(e.From) + " waits for " + visible.Name(e.Lock) + ", "
	if e.Token == 0 {
		text += "behind " + visible.Name(e.To)
	} else {
		text += fmt.Sprintf("held by %s (token %d)", visible.Name(e.To), e.Token)
	}
	if e.OnCycle {
		text += ", on the cycle"
	}
	return text
}

// label is what stands at an edge of a picture.
func (e *Edge) label() string {
	if e.Token == 0 {
		return visible.Name(e.Lock) + ", ahead"
	}
	return visible.Name(e.Lock) + ", token " + strconv.FormatInt(e.Token, 10)
}

// about is the second line of a node of a picture.
func (n *Node) about() string {
	age := "not registered"
	if n.Age > 0 {
		age = fmt.Sprintf("age %d", n.Age)
	}
	if n.Victim > 0 {
		age += fmt.Sprintf(", victim %d", n.Victim)
	}
	return age
}

// WriteDOT writes the graph for Graphviz, all of it.
func (g *Graph) WriteDOT(w io.Writer) error {
	out := bufio.NewWriter(w)
	id := map[string]int{}
	fmt.Fprint(out, "digraph \"wait-for\" {\n\trankdir=LR;\n\tnode [shape=box];\n")
	for i := range g.Nodes {
		n := &g.Nodes[i]
		id[n.Client] = i
		style := ""
		switch {
		case n.Victim > 0:
			style = ", color=red, style=dashed"
		case n.OnCycle:
			style = ", color=red"
		}
		fmt.Fprintf(out, "\tn%d [label=%s%s];\n", i, dot(visible.Name(n.Client)+"\n"+n.about()), style)
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		style := ""
		if e.OnCycle {
			style = ", color=red"
		}
		fmt.Fprintf(out, "\tn%d -> n%d [label=%s%s];\n", id[e.From], id[e.To], dot(e.label()), style)
	}
	fmt.Fprint(out, "}\n")
	return out.Flush()
}

// dot is a visible text as a quoted string of the DOT language.
func dot(text string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`).Replace(text) + `"`
}
