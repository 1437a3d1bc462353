package fsm

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
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

func name(prefix string, i int) string { return prefix + strconv.Itoa(i) }

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
	var clients, locks []uint32
	for i := range n + 1 {
		clients = append(clients, m.clients.add(m.owner, name("c", i)))
		locks = append(locks, m.locks.add(m.owner, name("L", i)))
		m.register(clients[i])
		m.grant(locks[i], clients[i], events.Exclusive, long, 0, events.CauseFree)
		m.effects = m.effects[:0]
	}
	for i := range n {
		if i != n/2 {
			m.enqueue(locks[i+1], clients[i], events.Exclusive, long)
			m.effects = m.effects[:0]
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

// R18: every victim of a cascade, each on a cycle of its own through the
// requester, costs no new search while the youngest is still on one.
func TestCascadeOfVictimsIsLinear(t *testing.T) {
	const n = 20_000
	m := machine(t)
	acquire := func(client, lock string, mode events.Mode) events.Answer {
		return m.Apply(events.Acquire{Client: client, Lock: lock, TTL: 80_000, Mode: mode}).Answer
	}
	acquire("R", "A", events.Exclusive)
	for i := range n {
		acquire(fmt.Sprint("v", i), "B", events.Shared)
	}
	for i := range n {
		acquire(fmt.Sprint("v", i), "A", events.Exclusive)
	}
	m.visited = 0
	granted := acquire("R", "B", events.Exclusive).(events.Granted)
	require.Len(t, granted.Victims, n)
	for i, victim := range granted.Victims {
		require.Equal(t, fmt.Sprint("v", n-1-i), victim, "the youngest first")
	}
	require.LessOrEqual(t, m.visited, 2*n, "one search")
	require.NoError(t, Check(m.State()))
}
