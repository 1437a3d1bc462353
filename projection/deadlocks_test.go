package projection_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// graph is a wait-for graph with every edge in it (R16).
type graph map[string][]string

// graphWith is the graph of a state, with one more request at the end of a
// lock's queue.
func graphWith(s fsm.State, clients []string, requester, lock string) graph {
	g := graph{}
	for _, c := range clients {
		g[c] = s.WaitsFor(c)
	}
	g[requester] = nil
	for _, h := range s.Holders(lock) {
		g[requester] = append(g[requester], h.Client)
	}
	for _, w := range s.Queue(lock) {
		g[requester] = append(g[requester], w.Client)
	}
	return g
}

// reached are the clients that one reaches over at least one edge.
func (g graph) reached(from string) map[string]bool {
	seen := map[string]bool{}
	for todo := slices.Clone(g[from]); len(todo) > 0; todo = todo[1:] {
		if !seen[todo[0]] {
			seen[todo[0]] = true
			todo = append(todo, g[todo[0]]...)
		}
	}
	return seen
}

// cycle is R18's C, by the words of the rule.
func (g graph) cycle(r string) []string {
	var members []string
	for c := range g.reached(r) {
		if g.reached(c)[r] {
			members = append(members, c)
		}
	}
	slices.Sort(members)
	return members
}

// Members and edges are those of the graph of the state before the event, at
// the event's instant, with the request in it (R16 to R18).
func TestDeadlocksShowTheGraphAsItStood(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		var found []projection.Deadlock
		h.fold(0, projection.NewDeadlocks(h.states[0], func(d projection.Deadlock) { found = append(found, d) }))
		for _, d := range found {
			ask, single := h.events[d.At.Sequence-1].(events.Acquire)
			if !single {
				continue // the state before a run of a repeat is nowhere to be seen
			}
			require.Equal(t, ask.Client, d.Requester)
			require.Equal(t, ask.Lock, d.Lock)
			before := h.states[d.At.Sequence-1].At(ask.At)
			g := graphWith(before, h.clients, d.Requester, d.Lock)
			var members []string
			want, got := map[projection.Edge]bool{}, map[projection.Edge]bool{}
			for _, m := range d.Members {
				members = append(members, m.Client)
				if m.Client == d.Requester {
					continue
				}
				view := before.Client(m.Client)
				require.Equal(t, view.Age, m.Age)
				require.Equal(t, view.Waiting, m.Wait.Lock)
				require.Equal(t, m.Client, before.Queue(view.Waiting)[m.Place-1].Client)
			}
			for e := range d.Edges() {
				require.False(t, got[e], "twice: %+v", e)
				got[e] = true
			}
			for _, m := range d.Members {
				for _, to := range g[m.Client] {
					if slices.Contains(members, to) {
						want[projection.Edge{From: m.Client, To: to, Lock: m.Wait.Lock, Ahead: before.Client(to).Waiting == m.Wait.Lock}] = true
					}
				}
			}
			require.Equal(t, want, got)
			require.ElementsMatch(t, g.cycle(d.Requester), members)
		}
	})
}

// Every victim of an answer is told, in its order, with what it lost and who
// got it; the first is the youngest member (R18, R19, R20).
func TestDeadlocksTellTheVictims(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		var found []projection.Deadlock
		h.fold(0, projection.NewDeadlocks(h.states[0], func(d projection.Deadlock) { found = append(found, d) }))
		i := 0
		for sequence, effects := range h.effects {
			var aborted []string
			var lost, grants int
			for _, e := range effects {
				switch {
				case e.Kind == events.EffectAborted:
					aborted = append(aborted, e.Client)
				case e.Cause == events.CauseAbort && e.Kind == events.EffectGranted:
					grants++
				case e.Cause == events.CauseAbort:
					lost++
				}
			}
			for len(aborted) > 0 {
				d := found[i]
				i++
				require.EqualValues(t, sequence+1, d.At.Sequence)
				require.Equal(t, d.Members[len(d.Members)-1].Client, d.Victims[0].Client)
				require.True(t, slices.IsSortedFunc(d.Members, func(a, b projection.Member) int { return cmp.Compare(a.Age, b.Age) }))
				for _, v := range d.Victims {
					require.Equal(t, aborted[0], v.Client)
					aborted = aborted[1:]
					require.True(t, slices.ContainsFunc(d.Members, func(m projection.Member) bool {
						return m.Client == v.Client && m.Age == v.Age && m.Wait.Lock == v.Freed[0].Lock
					}))
					lost -= len(v.Freed)
					for _, f := range v.Freed {
						grants -= len(f.Grants)
					}
				}
				requireEnding(t, h, d)
			}
			require.Zero(t, lost)
			require.Zero(t, grants)
		}
		require.Len(t, found, i)
	})
}

// requireEnding checks what became of the request against its answer.
func requireEnding(t require.TestingT, h story, d projection.Deadlock) {
	if _, single := h.events[d.At.Sequence-1].(events.Acquire); !single {
		return
	}
	_, result := fsm.Apply(h.states[d.At.Sequence-1], h.events[d.At.Sequence-1])
	want := map[projection.Ending]events.Answer{}
	switch a := result.Answer.(type) {
	case events.Granted:
		want[projection.WasGranted] = a
	case events.Queued:
		want[projection.StillWaiting] = a
	case events.Deadlock:
		want[projection.WasAborted] = a
	}
	require.Contains(t, want, d.Ending)
}

// Deadlocks that are followed from the middle are the same, but for the moments
// at which requests had joined their queues.
func TestDeadlocksFromTheMiddle(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		collect := func(from int) (rows []projection.Deadlock) {
			h.fold(from, projection.NewDeadlocks(h.states[from], func(d projection.Deadlock) { rows = append(rows, d) }))
			rows = since(rows, cut, queuedAt)
			for i := range rows {
				for j := range rows[i].Members {
					if w := &rows[i].Members[j].Wait; !after(w.Began, cut) {
						w.Began, w.Position = projection.Moment{}, 0
					}
				}
			}
			return rows
		}
		requireSame(t, collect(0), collect(cut))
	})
}
