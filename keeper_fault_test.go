package leasekeeper_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/anishathalye/porcupine"
	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
)

// faulty is a journal whose commits do what a test wants.
type faulty struct {
	journal.Journal
	commit func(n int) error // before the nth commit, from 1
	n      int
}

// Append implements journal.Journal.
func (f *faulty) Append(records ...journal.Record) error {
	f.n++
	if err := f.commit(f.n); err != nil {
		return err
	}
	return f.Journal.Append(records...)
}

// errDisk is a failure after which nobody knows what is on the disk.
var errDisk = fmt.Errorf("%w: no space left on device", journal.ErrFailed)

func ask(client, lock string) events.Event {
	return events.Acquire{Client: client, Lock: lock, TTL: 60, Mode: events.Exclusive}
}

// A commit fails: whoever was in it hears so, nothing of it counts, and no
// later operation is taken until the journal is opened again.
func TestKeeperStopsAtAFailedCommit(t *testing.T) {
	inner := journals["memory"](t)
	k, err := leasekeeper.Keep(&faulty{Journal: inner, commit: func(n int) error {
		if n == 2 {
			return errDisk
		}
		return nil
	}}, leasekeeper.Options{})
	require.NoError(t, err)
	_, err = k.Do(t.Context(), ask("a", "L"))
	require.NoError(t, err)
	before := k.State()
	results, err := k.DoAll(t.Context(), ask("b", "L"), ask("c", "M"))
	require.ErrorIs(t, err, errDisk)
	require.ErrorIs(t, err, leasekeeper.ErrUndecided)
	require.Nil(t, results)
	for range 3 {
		_, err = k.Do(t.Context(), ask("d", "L"))
		require.ErrorIs(t, err, errDisk)
		require.ErrorIs(t, err, leasekeeper.ErrFailed)
		require.NotErrorIs(t, err, leasekeeper.ErrUndecided, "it was never tried")
	}
	require.Equal(t, before.Fingerprint(), k.State().Fingerprint())
	require.EqualValues(t, 1, inner.Last())
	again, err := leasekeeper.Keep(inner, leasekeeper.Options{})
	require.NoError(t, err)
	require.Equal(t, before.Fingerprint(), again.State().Fingerprint())
	result, err := again.Do(t.Context(), ask("b", "L"))
	require.NoError(t, err)
	require.Equal(t, events.Queued{Position: 1}, result.Answer)
	require.NoError(t, again.Close())
	require.NoError(t, k.Close())
}

// While one commit syncs, operations gather; if it fails, those that were
// applied on top of it fail with it.
func TestKeeperGathersWhileACommitSyncs(t *testing.T) {
	for _, fails := range []bool{false, true} {
		t.Run(fmt.Sprintf("fails=%v", fails), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inner, gate := journals["memory"](t), make(chan struct{})
				f := &faulty{Journal: inner, commit: func(n int) error {
					if n == 1 {
						<-gate
						if fails {
							return errDisk
						}
					}
					return nil
				}}
				k, err := leasekeeper.Keep(f, leasekeeper.Options{})
				require.NoError(t, err)
				var failed atomic.Int32
				var group sync.WaitGroup
				for caller := range 10 {
					group.Go(func() {
						if _, err := k.Do(context.Background(), ask(fmt.Sprint("c", caller), "L")); err != nil {
							failed.Add(1)
						}
					})
					synctest.Wait() // the first one is being committed, the others are applied
				}
				require.Zero(t, inner.Last())
				require.Zero(t, k.State().Sequence(), "what is not durable does not show")
				close(gate)
				group.Wait()
				if fails {
					require.EqualValues(t, 10, failed.Load())
					require.Zero(t, inner.Last())
				} else {
					require.Zero(t, failed.Load())
					require.EqualValues(t, 10, inner.Last())
					require.Equal(t, 2, f.n, "nine operations shared one commit")
				}
				require.NoError(t, k.Close())
			})
		})
	}
}

// Who stops waiting is told that the outcome is open, and the operation may
// well count; who had stopped before asking has asked for nothing.
func TestKeeperCallersMayStopWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, gate := journals["memory"](t), make(chan struct{})
		k, err := leasekeeper.Keep(&faulty{Journal: inner, commit: func(int) error { <-gate; return nil }}, leasekeeper.Options{})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := k.Do(ctx, ask("a", "L"))
			done <- err
		}()
		synctest.Wait()
		cancel()
		err = <-done
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, leasekeeper.ErrUndecided)
		_, err = k.Do(ctx, ask("b", "L"))
		require.ErrorIs(t, err, context.Canceled)
		require.NotErrorIs(t, err, leasekeeper.ErrUndecided)
		close(gate)
		require.NoError(t, k.Close())
		require.EqualValues(t, 1, inner.Last())
	})
}

// Events that no outside caller could have sent are journaled as what one
// would have sent, so that the journal can always be read again.
func TestKeeperJournalsWhatCanBeRead(t *testing.T) {
	j := journals["memory"](t)
	k, err := leasekeeper.Keep(j, leasekeeper.Options{})
	require.NoError(t, err)
	for _, e := range []events.Event{
		events.Acquire{Client: "", Lock: "L", TTL: 1, Mode: events.Exclusive},
		events.Acquire{Client: "a", Lock: "L", TTL: 1},
		events.Acquire{Client: "a", Lock: "L", TTL: 0, Mode: events.Shared},
		events.Write{Lock: "L", Key: "k", Value: "\xff", Token: 1},
		events.Write{Lock: "L", Key: "k", Value: "v", Token: -1},
		events.Repeat{Count: -1, Template: "{}"},
		events.Inspect{At: 1<<63 - 1, Lock: "L"},
	} {
		result, err := k.Do(t.Context(), e)
		require.NoError(t, err, "%#v", e)
		require.IsType(t, events.NotRefused, result.Answer, "%#v", e)
	}
	for _, e := range []events.Event{nil, &events.Inspect{Lock: "L"}, events.Invalid{Refusal: events.StaleToken}, events.Repeat{Template: "{"}} {
		_, err := k.Do(t.Context(), e)
		require.Error(t, err)
	}
	final, err := leasekeeper.Replay(j, leasekeeper.ReplayOptions{})
	require.NoError(t, err)
	require.Equal(t, k.State().Fingerprint(), final.Fingerprint())
	require.NoError(t, k.Close())
}

// The answers that 64 callers get are those of one machine that got their
// operations one after another, in an order that agrees with time.
func TestKeeperIsLinearizable(t *testing.T) {
	k, err := leasekeeper.Keep(journals["file"](t), leasekeeper.Options{SnapshotEvery: 200})
	require.NoError(t, err)
	var mu sync.Mutex
	var history []porcupine.Operation
	var clock atomic.Int64
	var group sync.WaitGroup
	for caller := range 64 {
		group.Go(func() {
			for i := range 12 {
				e := contended(caller, i)
				call := clock.Add(1)
				result, err := k.Do(context.Background(), e)
				back := clock.Add(1)
				require.NoError(t, err)
				mu.Lock()
				history = append(history, porcupine.Operation{
					ClientId: caller, Input: e, Call: call, Return: back, Output: string(result.Answer.AppendJSON(nil)),
				})
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.NoError(t, k.Close())
	require.Len(t, history, 64*12)
	require.True(t, porcupine.CheckOperations(leaseModel(t), history))
	history[400].Output = `["granted",999,60]`
	require.False(t, porcupine.CheckOperations(leaseModel(t), history), "the check has teeth")
}

// contended is the operation that a caller does in its turn i: a few locks,
// each fought for by a few callers.
func contended(caller, i int) events.Event {
	client, lock := fmt.Sprint("c", caller), fmt.Sprint("L", caller%16)
	switch i % 4 {
	case 0:
		return events.Acquire{Client: client, Lock: lock, TTL: 60, Mode: events.Mode(1 + caller/16%2)}
	case 1:
		return events.Inspect{Lock: lock}
	case 2:
		return events.Write{Lock: lock, Key: "k", Value: client, Token: int64(1 + i/4)}
	}
	return events.Release{Client: client, Lock: lock}
}

// leaseModel is the state machine as porcupine's model: every lock apart,
// since operations on different locks do not touch each other here.
func leaseModel(t *testing.T) porcupine.Model {
	initial, err := fsm.New(events.Current)
	require.NoError(t, err)
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			byLock := make([][]porcupine.Operation, 16)
			for _, o := range history {
				byLock[o.ClientId%16] = append(byLock[o.ClientId%16], o)
			}
			return byLock
		},
		Init: func() any { return initial },
		Step: func(state, input, output any) (bool, any) {
			next, result := fsm.Apply(state.(fsm.State), input.(events.Event))
			return string(result.Answer.AppendJSON(nil)) == output.(string), next
		},
		Equal: func(a, b any) bool {
			return a.(fsm.State).Fingerprint() == b.(fsm.State).Fingerprint()
		},
	}
}
