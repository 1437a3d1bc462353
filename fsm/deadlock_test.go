package fsm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const long = 80000

func machine(t require.TestingT) *Machine {
	s, err := New(events.Current)
	require.NoError(t, err)
	return NewMachine(s)
}

// take lets a client ask for a lock and returns the answer.
func (m *Machine) take(client, lock string, mode events.Mode) events.Answer {
	return m.Apply(events.Acquire{Client: client, Lock: lock, TTL: long, Mode: mode}).Answer
}

func name(prefix string, i int) string { return fmt.Sprintf("%s%d", prefix, i) }

// A client that holds nothing that is waited for cannot close a cycle, so
// nobody is looked at: not those ahead, of whom there are ever more, nor the
// holders (R17).
func TestSingleLockClientsAreNeverSearched(t *testing.T) {
	m := machine(t)
	for i := range 1000 {
		m.take(name("holder", i), name("L", i%100), events.Shared)
		m.take(name("waiter", i), name("L", i%100), events.Exclusive)
	}
	require.Zero(t, m.visited)
	require.NoError(t, Check(m.State()))
}

// Nor if it holds a lot, as long as nobody waits for it. Beside its locks the
// search looks at one of the others for every sixteen of them, at most.
func TestManyLocksThatNobodyWaitsFor(t *testing.T) {
	const locks = 10000
	m := machine(t)
	for i := range locks {
		m.take("rich", name("own", i), events.Exclusive)
	}
	const ahead = 3000
	m.take("holder", "L", events.Exclusive)
	for i := range ahead {
		m.take(name("ahead", i), "L", events.Exclusive)
	}
	require.Equal(t, events.Queued{Position: ahead + 1}, m.take("rich", "L", events.Exclusive))
	require.LessOrEqual(t, m.visited, locks/skipped+1)
	require.Len(t, m.State().Client("rich").Holds, locks)
}

// ring makes n clients, client i the holder of lock i, and lets all but the
// last one ask for the lock of the next.
func ring(m *Machine, n int) {
	for i := range n {
		m.take(name("c", i), name("L", i), events.Exclusive)
	}
	for i := range n - 1 {
		m.take(name("c", i), name("L", i+1), events.Exclusive)
	}
}

// The last edge of a ring of 100,000 closes it, and the youngest is aborted:
// here the one that asks.
func TestLongRing(t *testing.T) {
	const n = 100000
	m := machine(t)
	ring(m, n)
	last := name("c", n-1)
	m.visited = 0
	require.Equal(t, events.Deadlock{Victims: []string{last}}, m.take(last, "L0", events.Exclusive))
	require.LessOrEqual(t, m.visited, 2*n)
	require.Equal(t, []string{last, name("c", n-2)}, []string{m.effects[1].Client, m.effects[4].Client})
}

// And if it is not the youngest that asks, another one is aborted, far away.
func TestLongRingWithAnotherVictim(t *testing.T) {
	const n = 100000
	m := machine(t)
	for i := range n {
		m.take(name("c", n/2+i), name("L", (n/2+i)%n), events.Exclusive) // c149999 comes last
	}
	for i := 1; i < n; i++ {
		m.take(name("c", n/2+i), name("L", (n/2+i+1)%n), events.Exclusive)
	}
	before := m.State()
	answer := m.take(name("c", n/2), name("L", n/2+1), events.Exclusive)
	require.Equal(t, events.Queued{Position: 1, Victims: []string{name("c", n+n/2-1)}}, answer)
	require.Zero(t, m.State().Client(name("c", n+n/2-1)).Age)
	require.NotEmpty(t, before.Client(name("c", n+n/2-1)).Waiting)
}

// A chain of a million waiters, half of them ahead of the client in its middle
// and half behind it, holds no cycle. To find that out costs no stack, and
// looks at everybody once.
func TestChainOfAMillion(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("takes a gigabyte and some seconds")
	}
	const n = 1000000
	m := machine(t)
	for i := range n + 1 {
		m.take(name("c", i), name("L", i), events.Exclusive)
	}
	for i := range n {
		if i != n/2 {
			m.take(name("c", i), name("L", i+1), events.Exclusive)
		}
	}
	m.visited = 0
	require.Equal(t, events.Queued{Position: 1}, m.take(name("c", n/2), name("L", n/2+1), events.Exclusive))
	require.InDelta(t, n, m.visited, 10)
}

// The search costs twice the smaller side: those whom the client waits for, or
// those who wait for it (R18).
func TestTheSearchCostsTwiceTheSmallerSide(t *testing.T) {
	const many, few = 20000, 5
	for _, test := range []struct {
		what          string
		ahead, behind int
	}{
		{"many ahead, few behind", many, few},
		{"few ahead, many behind", few, many},
		{"many ahead, nobody behind", many, 0},
	} {
		t.Run(test.what, func(t *testing.T) {
			m := machine(t)
			m.take("r", "own", events.Exclusive)
			for i := range test.behind {
				m.take(name("behind", i), "own", events.Exclusive)
			}
			m.take("holder", "wanted", events.Exclusive)
			for i := range test.ahead - 1 {
				m.take(name("ahead", i), "wanted", events.Exclusive)
			}
			m.visited = 0
			require.Equal(t, events.Queued{Position: test.ahead}, m.take("r", "wanted", events.Exclusive))
			require.LessOrEqual(t, m.visited, 2*min(test.ahead, test.behind)+2)
		})
	}
}

// A thousand readers that all wait for the writer are aborted one after the
// other, the youngest first (R18): as many rounds as victims.
func TestAsManyRoundsAsVictims(t *testing.T) {
	const readers = 1000
	m := machine(t)
	m.take("writer", "own", events.Exclusive)
	want := make([]string, readers)
	for i := range readers {
		want[readers-1-i] = name("reader", i)
		m.take(name("reader", i), "S", events.Shared)
	}
	for i := range readers {
		m.take(name("reader", i), "own", events.Exclusive)
	}
	require.Equal(t, events.Granted{Token: readers + 1, ExpiresAt: long, Victims: want}, m.take("writer", "S", events.Exclusive))
}

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
				require.Equal(t, want, victims(result.Answer))
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
