package leasekeeper_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
	"github.com/stretchr/testify/require"
)

// spoiled is a journal in which some snapshots cannot be read.
type spoiled struct {
	journal.Journal
	bad map[uint64]bool
}

// OpenSnapshot implements journal.Journal.
func (s *spoiled) OpenSnapshot(sequence uint64) (io.ReadCloser, error) {
	r, err := s.Journal.OpenSnapshot(sequence)
	if err != nil || !s.bad[sequence] {
		return r, err
	}
	all, err := io.ReadAll(r)
	all[len(all)/2] ^= 4
	return io.NopCloser(bytes.NewReader(all)), err
}

// Opening takes the newest snapshot that is good, whichever it is, down to the
// genesis, and warns of each that it skipped.
func TestKeeperSkipsBadSnapshots(t *testing.T) {
	h := histories(t)[41]
	moments := live(t, h)
	last := uint64(len(moments))
	inner := journals["memory"](t)
	record(t, inner, h, moments)
	for _, bad := range []uint64{0, 1, 2, 7, last} {
		s := &spoiled{Journal: inner, bad: map[uint64]bool{}}
		for i := range bad {
			s.bad[last-i] = true
		}
		var warned []error
		k, err := leasekeeper.Keep(keepOpen{s}, leasekeeper.Options{Warn: func(err error) { warned = append(warned, err) }})
		require.NoError(t, err)
		require.Len(t, warned, int(bad))
		for i, err := range warned {
			require.ErrorIs(t, err, leasekeeper.ErrSnapshot)
			require.ErrorContains(t, err, fmt.Sprintf("at event %d:", last-uint64(i)))
		}
		require.Equal(t, moments[last-1].state.Fingerprint(), k.State().Fingerprint())
		require.Equal(t, last, k.State().Sequence())
		require.NoError(t, k.Close())
	}
}

// keepOpen is a journal that outlives its Keeper.
type keepOpen struct{ journal.Journal }

// Close implements journal.Journal.
func (keepOpen) Close() error { return nil }

// A compacted journal begins with its oldest snapshot, so that one stays.
func TestKeeperKeepsTheBaseOfACompactedJournal(t *testing.T) {
	dir := t.TempDir()
	whole, short := filepath.Join(dir, "whole"), filepath.Join(dir, "short")
	options := leasekeeper.Options{SnapshotEvery: 100, KeepSnapshots: 2}
	fill := func(path string, from, to int) fsm.State {
		k, err := leasekeeper.Open(path, options)
		require.NoError(t, err)
		for i := from; i < to; i++ {
			_, err := k.Do(t.Context(), ask(fmt.Sprint("c", i), "L"))
			require.NoError(t, err)
		}
		require.NoError(t, k.Snapshot(t.Context()))
		defer k.Close()
		return k.State()
	}
	fill(whole, 0, 200)
	_, err := journal.Compact(whole, short, 0)
	require.NoError(t, err)
	fill(short, 200, 900)
	k, err := leasekeeper.Open(short, options)
	require.NoError(t, err)
	past, err := k.AsOf(250)
	require.NoError(t, err)
	require.EqualValues(t, 250, past.Sequence())
	require.NoError(t, k.Close())
}

// A snapshot that is whole, but of another state than its event's record, is
// not believed.
func TestKeeperRefusesAnAlienSnapshot(t *testing.T) {
	h := histories(t)[41]
	moments := live(t, h)
	inner := journals["memory"](t)
	record(t, inner, h, moments)
	last := uint64(len(moments))
	alien := forge(t, moments[len(moments)/2].state, last)
	require.NoError(t, inner.DeleteSnapshot(last))
	w, err := inner.CreateSnapshot(last, alien.Fingerprint())
	require.NoError(t, err)
	_, err = snapshot.Write(w, alien)
	require.NoError(t, err)
	require.NoError(t, w.Commit())
	var warned []error
	k, err := leasekeeper.Keep(inner, leasekeeper.Options{Warn: func(err error) { warned = append(warned, err) }})
	require.NoError(t, err)
	require.Len(t, warned, 1)
	require.ErrorIs(t, warned[0], leasekeeper.ErrSnapshot)
	require.Equal(t, moments[last-1].state.Fingerprint(), k.State().Fingerprint())
	require.NoError(t, k.Close())
}

// Snapshots are taken by themselves, and only the newest are kept.
func TestKeeperTakesSnapshots(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	k, err := leasekeeper.Open(path, leasekeeper.Options{SnapshotEvery: 10, KeepSnapshots: 3})
	require.NoError(t, err)
	for i := range 100 {
		_, err := k.Do(t.Context(), ask(fmt.Sprint("c", i), "L"))
		require.NoError(t, err)
	}
	require.NoError(t, k.Snapshot(t.Context()))
	require.NoError(t, k.Snapshot(t.Context()), "there is one already")
	require.NoError(t, k.Close())
	j, err := journal.Open(path, journal.Options{})
	require.NoError(t, err)
	all, err := j.Snapshots()
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.EqualValues(t, 100, all[2].Sequence)
	for _, info := range all {
		state, err := leasekeeper.ReadSnapshot(j, info)
		require.NoError(t, err)
		past, err := leasekeeper.Replay(j, leasekeeper.ReplayOptions{Until: info.Sequence})
		require.NoError(t, err)
		require.Empty(t, fsm.Diff(past, state))
	}
	require.NoError(t, j.Close())
}

// A journal pins its rules.
func TestKeeperKeepsTheJournalsRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	rules := events.Rules{Edition: events.Edition2, Unit: events.Millisecond}
	k, err := leasekeeper.Open(path, leasekeeper.Options{Rules: rules})
	require.NoError(t, err)
	require.Equal(t, rules, k.Rules())
	_, err = leasekeeper.Open(path, leasekeeper.Options{})
	require.ErrorIs(t, err, journal.ErrLocked)
	require.NoError(t, k.Close())
	k, err = leasekeeper.Open(path, leasekeeper.Options{})
	require.NoError(t, err)
	require.Equal(t, rules, k.Rules())
	require.NoError(t, k.Close())
	_, err = leasekeeper.Open(path, leasekeeper.Options{Rules: events.Current})
	require.ErrorIs(t, err, leasekeeper.ErrOptions)
	for _, bad := range []leasekeeper.Options{{KeepSnapshots: -1}, {MaxBatch: -1}, {Rules: events.Rules{Edition: 4, Unit: 1}}} {
		_, err = leasekeeper.Open(path, bad)
		require.ErrorIs(t, err, leasekeeper.ErrOptions)
	}
}
