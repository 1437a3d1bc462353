// Package waitgraph is the wait-for graph of a state (R16), to be read, or to be
// looked at.
//
// R16 has an edge from a waiter to every holder of the lock and to everybody
// ahead in its queue: a queue of a thousand has half a million. A Graph keeps
// those of them from which all others follow: a waiter's to the one directly
// ahead, and the head's to the holders. Who is reached over them, and which
// clients lie on a cycle, is the same. Graph.All counts the others too.
package waitgraph

import (
	"maps"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Node is a client that waits, or that is waited for.
type Node struct {
	Client string `json:"client"`
	Age    int64  `json:"age"`
	// Victim is its place in the order of the aborts, 0 if it was not aborted.
	Victim int `json:"victim,omitempty"`
	// OnCycle tells that it lay on a cycle through the request.
	OnCycle bool `json:"on_cycle,omitempty"`
}

// Edge says that one client waits for another.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Lock string `json:"lock"` // that From waits for
	// Position is that of From in the queue.
	Position int `json:"position"`
	// Token is that of To's lease, 0 if To does not hold the lock but stands
	// directly ahead in the queue.
	Token int64 `json:"token,omitempty"`
	// OnCycle tells that both ends lie on a cycle.
	OnCycle bool `json:"on_cycle,omitempty"`
}

// Graph is a wait-for graph. It is a value that nobody changes.
type Graph struct {
	Nodes []Node `json:"nodes"` // by name
	Edges []Edge `json:"edges"` // by lock, position and token
	// All is the number of edges that R16 has.
	All uint64 `json:"all_edges"`
}

// lockTable is what a graph is made of: a lock that somebody waits for.
type lockTable struct {
	name    string
	holders []events.Holder
	queue   []string
}

// Of is the graph of a state. O(n log n) for all that it holds.
func Of(s fsm.State) *Graph { return build(tables(s), s) }

// Closing is the graph as it stood when an acquire had joined its queue, before
// anybody was aborted for it, with the victims and the cycles marked. The state
// is that before the acquire, with all leases retired that lapse by its instant.
func Closing(s fsm.State, e events.Acquire, victims []string) *Graph {
	list := tables(s)
	at := slices.IndexFunc(list, func(l lockTable) bool { return l.name == e.Lock })
	if at < 0 {
		list = append(list, lockTable{name: e.Lock, holders: s.Holders(e.Lock)})
		at = len(list) - 1
	}
	list[at].queue = append(list[at].queue, e.Client)
	g := build(list, s)
	g.mark(e.Client, victims)
	return g
}

// tables are the locks with a queue, by name.
func tables(s fsm.State) (list []lockTable) {
	for row := range s.Locks() {
		if len(row.Queue) == 0 {
			continue
		}
		l := lockTable{name: row.Name, holders: s.Holders(row.Name)}
		for _, r := range row.Queue {
			l.queue = append(l.queue, r.Client)
		}
		list = append(list, l)
	}
	return list
}

func build(list []lockTable, s fsm.State) *Graph {
	slices.SortFunc(list, func(a, b lockTable) int {
		switch {
		case a.name < b.name:
			return -1
		case a.name > b.name:
			return 1
		}
		return 0
	})
	g := &Graph{Nodes: []Node{}, Edges: []Edge{}}
	clients := map[string]bool{}
	for _, l := range list {
		for _, h := range l.holders {
			clients[h.Client] = true
			g.Edges = append(g.Edges, Edge{From: l.queue[0], To: h.Client, Lock: l.name, Position: 1, Token: h.Token})
		}
		for i, c := range l.queue {
			clients[c] = true
			if i > 0 {
				g.Edges = append(g.Edges, Edge{From: c, To: l.queue[i-1], Lock: l.name, Position: i + 1})
			}
			g.All += uint64(len(l.holders) + i)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(clients)) {
		g.Nodes = append(g.Nodes, Node{Client: c, Age: s.Client(c).Age})
	}
	return g
}

// mark finds the clients on a cycle through a client: those that it reaches, over
// at least one edge, and that reach it (R18).
func (g *Graph) mark(through string, victims []string) {
	forwards, backwards := map[string][]string{}, map[string][]string{}
	for _, e := range g.Edges {
		forwards[e.From] = append(forwards[e.From], e.To)
		backwards[e.To] = append(backwards[e.To], e.From)
	}
	reached, reaching := reach(forwards, through), reach(backwards, through)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.OnCycle = reached[n.Client] && reaching[n.Client]
		n.Victim = slices.Index(victims, n.Client) + 1
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		e.OnCycle = reached[e.From] && reaching[e.From] && reached[e.To] && reaching[e.To]
	}
}

// reach are the clients that one leads to, over at least one edge.
func reach(edges map[string][]string, from string) map[string]bool {
	found := map[string]bool{}
	for todo := []string{from}; len(todo) > 0; {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, next := range edges[c] {
			if !found[next] {
				found[next] = true
				todo = append(todo, next)
			}
		}
	}
	return found
}
