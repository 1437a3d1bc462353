package fsm

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// A client with many locks can be waited for at any of them. The search, which
// passes over those that nobody wants, still comes to the one that closes the
// cycle (R16, R18), and so does the check of the invariants.
func TestDeadlockThroughOneOfManyLocks(t *testing.T) {
	const locks = 3*skipped + 2
	for wanted := range locks {
		m := machine(t)
		for i := range locks {
			m.take("rich", name("own", i), events.Exclusive)
		}
		m.take("poor", "L", events.Exclusive)
		require.Equal(t, events.Queued{Position: 1}, m.take("poor", name("own", wanted), events.Exclusive))
		require.NoError(t, Check(m.State()))
		require.Equal(t, events.Granted{Token: 2, ExpiresAt: long, Victims: []string{"poor"}}, m.take("rich", "L", events.Exclusive))
	}
}

// It does not matter in which order the locks were taken, given back and taken
// again.
func TestDeadlockThroughALockTakenAgain(t *testing.T) {
	for wanted := range 3 {
		for again := range 3 {
			m := machine(t)
			for i := range 3 {
				m.take("rich", name("own", i), events.Exclusive)
			}
			m.Apply(events.Release{Client: "rich", Lock: name("own", again)})
			m.take("rich", name("own", again), events.Exclusive)
			m.take("poor", "L", events.Exclusive)
			m.take("poor", name("own", wanted), events.Exclusive)
			require.NoError(t, Check(m.State()))
			require.Equal(t, []string{"poor"}, events.Victims(m.take("rich", "L", events.Exclusive)))
		}
	}
}

// What the search looked at is counted on both sides, whichever of them ends
// first: those who wait, or those who are waited for.
func TestTheSearchCountsWhomItVisits(t *testing.T) {
	const few, many = 5, 500
	for what, sides := range map[string][2]int{"few behind": {few, many}, "few ahead": {many, few}} {
		t.Run(what, func(t *testing.T) {
			m := machine(t)
			m.take("r", "own", events.Exclusive)
			for i := range sides[0] {
				m.take(name("behind", i), "own", events.Exclusive)
			}
			m.take("holder", "wanted", events.Exclusive)
			for i := range sides[1] - 1 {
				m.take(name("ahead", i), "wanted", events.Exclusive)
			}
			m.visited = 0
			m.take("r", "wanted", events.Exclusive)
			require.InDelta(t, 2*few, m.visited, 1)
		})
	}
}
