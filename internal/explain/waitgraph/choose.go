package waitgraph

import (
	"cmp"
	"maps"
	"slices"
)

// Part is a graph, or so much of it as a picture has room for.
type Part struct {
	*Graph
	// MissingNodes and MissingEdges are what was left out.
	MissingNodes, MissingEdges int
}

// Part chooses at most so many clients: victims and those on a cycle first, then
// lock by lock, those with the longest queues first, and of each the first
// edges. What is chosen depends on the graph alone. O(n log n).
func (g *Graph) Part(most int) Part {
	if len(g.Nodes) <= most {
		return Part{Graph: g}
	}
	chosen := map[string]bool{}
	choose := func(clients ...string) {
		for _, c := range clients {
			if len(chosen) < most {
				chosen[c] = true
			}
		}
	}
	for _, n := range g.byImportance() {
		choose(n.Client)
	}
	byLock := map[string][]Edge{}
	for _, e := range g.Edges {
		byLock[e.Lock] = append(byLock[e.Lock], e)
	}
	locks := slices.SortedFunc(maps.Keys(byLock), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byLock[b]), len(byLock[a])), cmp.Compare(a, b))
	})
	const perLock = 12
	for _, lock := range locks {
		for _, e := range byLock[lock][:min(perLock, len(byLock[lock]))] {
			choose(e.To, e.From)
		}
	}
	part := &Graph{All: g.All}
	for _, n := range g.Nodes {
		if chosen[n.Client] {
			part.Nodes = append(part.Nodes, n)
		}
	}
	for _, e := range g.Edges {
		if chosen[e.From] && chosen[e.To] {
			part.Edges = append(part.Edges, e)
		}
	}
	return Part{part, len(g.Nodes) - len(part.Nodes), len(g.Edges) - len(part.Edges)}
}

// byImportance are the victims in their order, and then those on a cycle.
func (g *Graph) byImportance() (list []Node) {
	for _, n := range g.Nodes {
		if n.Victim > 0 || n.OnCycle {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b Node) int {
		if (a.Victim > 0) != (b.Victim > 0) {
			return cmp.Compare(b.Victim, a.Victim) // a victim comes first
		}
		return cmp.Compare(a.Victim, b.Victim)
	})
	return list
}
