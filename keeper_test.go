package leasekeeper_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
)

// journals opens a fresh journal of each kind.
var journals = map[string]func(t testing.TB) journal.Journal{
	"memory": func(t testing.TB) journal.Journal {
		j, err := journal.NewMemory(genesis(t))
		require.NoError(t, err)
		return j
	},
	"file": func(t testing.TB) journal.Journal { return newFile(t, genesis(t)) },
}

func newFile(t testing.TB, g journal.Genesis) journal.Journal {
	j, err := journal.Create(filepath.Join(t.TempDir(), "journal"), g, journal.Options{})
	require.NoError(t, err)
	return j
}

func genesis(t testing.TB) journal.Genesis {
	g, err := journal.NewGenesis(events.Current, nil)
	require.NoError(t, err)
	return g
}

// What a Keeper answers is what the rules give, and it is still there when
// the file is opened again.
func TestKeeperAnswersAndRemembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	state, err := fsm.New(events.Current)
	require.NoError(t, err)
	k, err := leasekeeper.Open(path, leasekeeper.Options{})
	require.NoError(t, err)
	for i, text := range histories(t)[30].Operations {
		if i%7 == 6 {
			require.NoError(t, k.Close())
			k, err = leasekeeper.Open(path, leasekeeper.Options{})
			require.NoError(t, err)
		}
		event, err := events.Current.Parse(text)
		require.NoError(t, err)
		var want events.Result
		state, want = fsm.Apply(state, event)
		got, err := k.DoJSON(t.Context(), text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, state.Fingerprint(), k.State().Fingerprint())
	}
	require.NoError(t, k.Close())
	require.NoError(t, k.Close(), "closing twice is fine")
	_, err = k.Do(t.Context(), events.Inspect{Lock: "L"})
	require.ErrorIs(t, err, leasekeeper.ErrClosed)
}

// Concurrent callers are answered by one machine: every sequence once, and
// what is durable replays to the same fingerprint.
func TestKeeperGroupsCallers(t *testing.T) {
	for kind, open := range journals {
		t.Run(kind, func(t *testing.T) {
			k, err := leasekeeper.Keep(open(t), leasekeeper.Options{SnapshotEvery: 100})
			require.NoError(t, err)
			var group sync.WaitGroup
			for caller := range 16 {
				group.Go(func() {
					for i := range 50 {
						lock := fmt.Sprintf("L%d", i%5)
						_, err := k.Do(context.Background(), events.Acquire{Client: fmt.Sprintf("c%d", caller), Lock: lock, TTL: 60, Mode: events.Shared})
						require.NoError(t, err)
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 800, k.State().Sequence())
			require.NoError(t, k.Snapshot(t.Context()))
			for _, sequence := range []uint64{0, 1, 99, 500, 800} {
				past, err := k.AsOf(sequence)
				require.NoError(t, err)
				require.Equal(t, sequence, past.Sequence())
				require.NoError(t, fsm.Check(past))
			}
			require.NoError(t, k.Close())
		})
	}
}
