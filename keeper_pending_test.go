package leasekeeper_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// What is begun is carried out in the order of the Begins, shares commits, and
// may be waited for in any order, again after a context that ended.
func TestBeginHandsOverInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, commits := make(chan struct{}), 0
		k, err := leasekeeper.Keep(&faulty{Journal: journals["memory"](t), commit: func(int) error {
			commits++
			<-gate
			return nil
		}}, leasekeeper.Options{})
		require.NoError(t, err)
		var list []*leasekeeper.Pending
		for i := range 10 {
			p, err := k.Begin(t.Context(), ask(fmt.Sprint("c", i), "L"), events.Status{Client: "c0"})
			require.NoError(t, err)
			list = append(list, p)
			synctest.Wait()
		}
		require.Zero(t, k.State().Sequence(), "nothing is durable yet")
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = list[3].Wait(ended)
		require.ErrorIs(t, err, leasekeeper.ErrUndecided)
		require.ErrorIs(t, err, context.Canceled)
		_, err = k.Begin(ended, ask("late", "L"))
		require.ErrorIs(t, err, context.Canceled)
		close(gate)
		for i := 9; i >= 0; i-- {
			for range 2 {
				results, err := list[i].Wait(t.Context())
				require.NoError(t, err)
				require.Len(t, results, 2)
				require.EqualValues(t, 2*i+1, results[0].Sequence)
			}
		}
		require.Equal(t, 2, commits)
		require.NoError(t, k.Close())
		_, err = k.Begin(t.Context(), ask("a", "L"))
		require.ErrorIs(t, err, leasekeeper.ErrClosed)
	})
}

// Nothing to do is done at once; what cannot be written down is not begun; a
// commit that fails is told to whoever waits.
func TestBeginOfNothingAndOfFailures(t *testing.T) {
	k, err := leasekeeper.Keep(&faulty{Journal: journals["memory"](t), commit: func(int) error { return errDisk }}, leasekeeper.Options{})
	require.NoError(t, err)
	p, err := k.Begin(t.Context())
	require.NoError(t, err)
	results, err := p.Wait(t.Context())
	require.NoError(t, err)
	require.Empty(t, results)
	_, err = k.Begin(t.Context(), nil)
	require.Error(t, err)
	p, err = k.Begin(t.Context(), ask("a", "L"))
	require.NoError(t, err)
	for range 2 {
		_, err = p.Wait(t.Context())
		require.ErrorIs(t, err, leasekeeper.ErrUndecided)
		require.ErrorIs(t, err, errDisk)
	}
	require.NoError(t, k.Close())
}
