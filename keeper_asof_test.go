package leasekeeper_test

import (
	"fmt"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

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
