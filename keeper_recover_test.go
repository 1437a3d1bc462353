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

// AsOf and AsOfTime give what the live run had then, from a snapshot or not.
func TestKeeperAsOf(t *testing.T) {
	for _, h := range histories(t)[20:40] {
		moments := live(t, h)
		j := journals["memory"](t)
		record(t, j, h, moments)
		for i := range moments { // leave every fifth snapshot
			if i%5 != 4 {
				require.NoError(t, j.DeleteSnapshot(uint64(i+1)))
			}
		}
		k, err := leasekeeper.Keep(j, leasekeeper.Options{})
		require.NoError(t, err)
		for i, m := range moments {
			got, err := k.AsOf(uint64(i + 1))
			require.NoError(t, err)
			require.Empty(t, fsm.Diff(m.state, got))
			require.EqualValues(t, i+1, got.Sequence())
		}
		first, _ := moments[0].state.Clock()
		last, _ := moments[len(moments)-1].state.Clock()
		for ts := first - 1; ts <= last+40; ts++ {
			want, err := fsm.New(events.Current)
			require.NoError(t, err)
			for _, m := range moments {
				if at, started := m.state.Clock(); started && at <= ts {
					want = m.state
				}
			}
			got, err := k.AsOfTime(ts)
			require.NoError(t, err)
			require.Empty(t, fsm.Diff(want.At(ts), got), "%s as of %d", h.Name, ts)
		}
		_, err = k.AsOf(uint64(len(moments) + 1))
		require.Error(t, err)
		require.NoError(t, k.Close())
	}
}

// A repeat takes its time: as of an instant in its middle, its first runs have
// happened and the others have not.
func TestAsOfTheMiddleOfARepeat(t *testing.T) {
	k, err := leasekeeper.Keep(journals["memory"](t), leasekeeper.Options{})
	require.NoError(t, err)
	_, err = k.DoJSON(t.Context(), []byte(`["repeat",100,5,10,["acquire","c{i}","L{i}",25]]`))
	require.NoError(t, err)
	_, err = k.DoJSON(t.Context(), []byte(`["inspect",200,"L0"]`))
	require.NoError(t, err)
	for ts, held := range map[int64]string{99: "", 100: "0", 109: "0", 110: "01", 124: "012", 125: "12", 140: "234", 160: "4", 165: ""} {
		s, err := k.AsOfTime(ts)
		require.NoError(t, err)
		clock, started := s.Clock()
		require.Equal(t, ts, clock)
		require.True(t, started)
		got := ""
		for i := range 5 {
			if len(s.Holders(fmt.Sprint("L", i))) > 0 {
				got += fmt.Sprint(i)
			}
		}
		require.Equal(t, held, got, "at %d", ts)
	}
	require.NoError(t, k.Close())
}

// The last event is applied once, also where nothing follows it.
func TestAsOfTheLastEvent(t *testing.T) {
	k, err := leasekeeper.Keep(journals["memory"](t), leasekeeper.Options{})
	require.NoError(t, err)
	for i, e := range []struct{ client, lock string }{{"a", "L1"}, {"b", "L2"}, {"a", "L2"}, {"b", "L1"}} {
		_, err := k.Do(t.Context(), events.Acquire{At: int64(i + 1), Client: e.client, Lock: e.lock, TTL: 100, Mode: events.Exclusive})
		require.NoError(t, err)
	}
	for _, ts := range []int64{4, 5, 50} {
		s, err := k.AsOfTime(ts)
		require.NoError(t, err)
		require.EqualValues(t, 4, s.Sequence())
		require.Empty(t, fsm.Diff(k.State().At(ts), s))
		require.Empty(t, s.Queue("L1"), "b was aborted")
	}
	_, err = k.AsOfTime(1<<63 - 1)
	require.ErrorContains(t, err, "the largest instant is 9223372036854689407")
	require.NoError(t, k.Close())
}

// Runs of a repeat beyond the largest instant have never happened, and hide
// none that have.
func TestAsOfARepeatBeyondTheEndOfTime(t *testing.T) {
	for _, count := range []int{4, 1000} {
		k, err := leasekeeper.Keep(journals["memory"](t), leasekeeper.Options{})
		require.NoError(t, err)
		_, err = k.DoJSON(t.Context(), fmt.Appendf(nil, `["repeat",0,%d,2305843009213693952,["acquire","c{i}","L{i}",80000]]`, count))
		require.NoError(t, err)
		for ts, lock := range map[int64]string{10: "L0", 2305843009213693953: "L1", 6917529027641081857: "L3"} {
			s, err := k.AsOfTime(ts)
			require.NoError(t, err)
			clock, _ := s.Clock()
			require.Equal(t, ts, clock)
			require.Len(t, s.Holders(lock), 1)
		}
		require.NoError(t, k.Close())
	}
}

// Runs of an unknown name do not move the clock, so they hide nothing that comes
// after them (R1, R27).
func TestAsOfARepeatOfAnUnknownName(t *testing.T) {
	k, err := leasekeeper.Keep(journals["memory"](t), leasekeeper.Options{})
	require.NoError(t, err)
	for _, text := range []string{`["repeat",-1,2,1,["fly","{i}"]]`, `["acquire",-1,"c0","L0",5]`} {
		_, err := k.DoJSON(t.Context(), []byte(text))
		require.NoError(t, err)
	}
	s, err := k.AsOfTime(-1)
	require.NoError(t, err)
	require.Len(t, s.Holders("L0"), 1)
	require.NoError(t, k.Close())
}

// A repeat that comes with an instant before the clock is refused as a whole, so it
// hides nothing that comes after it either (R26).
func TestAsOfARepeatThatWentBack(t *testing.T) {
	k, err := leasekeeper.Keep(journals["memory"](t), leasekeeper.Options{})
	require.NoError(t, err)
	for _, text := range []string{`["inspect",10,"L0"]`, `["repeat",5,3,10,["acquire","c{i}","L1",50]]`, `["acquire",10,"c0","L0",5]`} {
		_, err := k.DoJSON(t.Context(), []byte(text))
		require.NoError(t, err)
	}
	s, err := k.AsOfTime(12)
	require.NoError(t, err)
	require.Len(t, s.Holders("L0"), 1)
	require.Empty(t, s.Holders("L1"))
	require.NoError(t, k.Close())
}

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
