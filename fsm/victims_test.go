package fsm

import (
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// edgesOf is the wait-for graph as R16 defines it: every edge.
func edgesOf(s State) map[string][]string {
	edges := map[string][]string{}
	for c := range s.Clients() {
		edges[c.Name] = s.WaitsFor(c.Name)
	}
	return edges
}

func reach(edges map[string][]string, from string) map[string]bool {
	reached := map[string]bool{}
	for todo := slices.Clone(edges[from]); len(todo) > 0; todo = todo[1:] {
		if !reached[todo[0]] {
			reached[todo[0]] = true
			todo = append(todo, edges[todo[0]]...)
		}
	}
	return reached
}

// cycleOf is C of R18, in the order of names.
func cycleOf(edges map[string][]string, requester string) []string {
	var members []string
	for c := range reach(edges, requester) {
		if reach(edges, c)[requester] {
			members = append(members, c)
		}
	}
	slices.Sort(members)
	return members
}

// jostle draws a machine in which many hold and wait. Who waits already lets
// the next one ask.
func jostle(t *rapid.T) *Machine {
	m := machine(t)
	clients, locks := rapid.IntRange(3, 9).Draw(t, "clients"), rapid.IntRange(2, 7).Draw(t, "locks")
	for range rapid.IntRange(5, 40).Draw(t, "requests") {
		who := rapid.IntRange(0, clients-1).Draw(t, "client")
		for range clients {
			if m.State().Client(name("c", who)).Waiting == "" {
				break
			}
			who = (who + 1) % clients
		}
		m.take(name("c", who), name("L", rapid.IntRange(0, locks-1).Draw(t, "lock")),
			rapid.SampledFrom([]events.Mode{events.Exclusive, events.Shared}).Draw(t, "mode"))
	}
	return m
}

// Whoever asks next: the search finds exactly the clients of the definition,
// round after round, and the victims are those that the definition names
// (R16, R18).
func TestVictimsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := jostle(t)
		s := m.State()
		for c := range s.Clients() {
			for l := range s.Locks() {
				holds := slices.ContainsFunc(l.Leases, func(h Lease) bool { return h.Client == c.Name })
				if s.Client(c.Name).Waiting != "" || holds || len(l.Leases) == 0 {
					continue // refused, or granted on the spot
				}
				forked := NewMachine(s)
				forked.enqueue(forked.locks.number(l.Name), forked.clients.number(c.Name), events.Exclusive, long)
				want := abortByDefinition(t, forked, c.Name)
				require.NoError(t, Check(forked.State()))

				asked, result := Apply(s, events.Acquire{Client: c.Name, Lock: l.Name, TTL: long, Mode: events.Exclusive})
				require.Equal(t, want, events.Victims(result.Answer))
				require.Empty(t, Diff(forked.State(), asked))
			}
		}
	})
}

// abortByDefinition aborts victims for a client that was just queued, while
// the definition finds any. It lists them.
func abortByDefinition(t *rapid.T, m *Machine, requester string) []string {
	var aborted []string
	for {
		members := cycleOf(edgesOf(m.State()), requester)
		require.Equal(t, members, m.cycleNames(requester))
		if len(members) == 0 {
			return aborted
		}
		victim := slices.MaxFunc(members, func(a, b string) int {
			return int(m.State().Client(a).Age - m.State().Client(b).Age)
		})
		aborted = append(aborted, victim)
		m.abort(m.clients.number(victim))
		if victim == requester {
			return aborted
		}
	}
}

// cycleNames is what the search finds for a client, by name.
func (m *Machine) cycleNames(requester string) []string {
	who := m.clients.number(requester)
	if m.clients.at(who).waits == 0 {
		return nil
	}
	var names []string
	for _, number := range m.cycle(who) {
		names = append(names, m.clients.name(number))
	}
	slices.Sort(names)
	return names
}
