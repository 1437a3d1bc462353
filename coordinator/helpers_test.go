package coordinator

import (
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
)

// noon is when most stories begin.
var noon = time.Date(2030, time.June, 1, 12, 0, 0, 0, time.UTC)

// eachKind tells a story to a coordinator in memory and to one with a journal.
func eachKind(t *testing.T, story func(t *testing.T, c *Coordinator, clock *ManualClock)) {
	t.Run("memory", func(t *testing.T) {
		clock := NewManualClock(noon)
		c, err := New(WithClock(clock))
		require.NoError(t, err)
		story(t, c, clock)
		tidy(t, c, clock)
	})
	t.Run("journal", func(t *testing.T) {
		clock, j := NewManualClock(noon), memoryJournal(t)
		k := keep(t, j)
		c, err := New(WithClock(clock), WithJournal(k))
		require.NoError(t, err)
		story(t, c, clock)
		tidy(t, c, clock)
		require.Equal(t, c.machine.Fingerprint(), k.State().Fingerprint(), "the journal has every change")
		prove(t, j)
		require.NoError(t, k.Close())
	})
}

// tidy closes a coordinator and checks that nothing is left behind: no alarm,
// no request, and no name lent but to leases.
func tidy(t *testing.T, c *Coordinator, clock *ManualClock) {
	require.NoError(t, c.Close())
	if clock != nil {
		require.Zero(t, clock.Alarms())
	}
	state := stateOf(c)
	c.mu.Lock()
	defer c.mu.Unlock()
	require.NoError(t, fsm.Check(state))
	leases := 0
	for row := range state.Locks() {
		require.Empty(t, row.Queue)
		leases += len(row.Leases)
	}
	require.Empty(t, c.waiters)
	require.Empty(t, c.schedule)
	lent := 0
	for _, uses := range c.pool.uses {
		lent += uses
	}
	require.LessOrEqual(t, lent, leases, "some leases are other programs'")
}

func memoryJournal(t testing.TB) journal.Journal {
	genesis, err := journal.NewGenesis(rules, nil)
	require.NoError(t, err)
	j, err := journal.NewMemory(genesis)
	require.NoError(t, err)
	return j
}

func keep(t testing.TB, j journal.Journal) *leasekeeper.Keeper {
	k, err := leasekeeper.Keep(j, leasekeeper.Options{})
	require.NoError(t, err)
	return k
}

// prove derives every answer of a journal again.
func prove(t testing.TB, j journal.Journal) {
	proof, err := leasekeeper.Prove(j, leasekeeper.ProofOptions{})
	require.NoError(t, err)
	require.Nil(t, proof.First)
	require.NoError(t, fsm.Check(proof.Final))
}

// stateOf is a coordinator's state after its last event.
func stateOf(c *Coordinator) fsm.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.machine.State()
}

// grant takes a key that is free.
func grant(t testing.TB, c *Coordinator, key string, timeout time.Duration, margins ...time.Duration) *Lease {
	lease, err := c.Grant(t.Context(), key, timeout, margins...)
	require.NoError(t, err)
	return lease
}

// closed tells whether a channel is closed.
func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
