package projection_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// naiveFencing looks each write up in the list of all leases and in the list of
// all accepted writes, from the front.
func naiveFencing(rows projection.TimelineRows) (counts projection.FencingCounts, tested []projection.FencedWrite) {
	mark := map[string]int64{}
	for _, w := range rows.Writes {
		if w.Refusal == events.ClockWentBack {
			continue
		}
		f := projection.FencedWrite{Write: w, Standing: projection.NeverGranted, Mark: mark[w.Lock]}
		for _, l := range rows.Leases {
			if l.Lock != w.Lock || l.Began.Compare(w.At) > 0 {
				continue
			}
			ended := l.Ended.Happened() && l.Ended.Compare(w.At) < 0
			if !ended {
				f.Held++
			}
			if l.Token == w.Token {
				f.LeaseKnown, f.Standing = true, projection.InForce
				if ended {
					f.Standing = projection.Over
				}
			}
		}
		of := map[projection.Standing]*projection.Answered{
			projection.InForce: &counts.InForce, projection.Over: &counts.Over, projection.NeverGranted: &counts.NeverGranted,
		}[f.Standing]
		if w.Refusal == events.NotRefused {
			of.Accepted++
			mark[w.Lock] = w.Token
		} else {
			of.Refused++
		}
		if f.Standing != projection.InForce || w.Refusal != events.NotRefused {
			tested = append(tested, f)
		}
	}
	return counts, tested
}

// What the projection says of each write is what looking through all leases
// and writes says (R5, R6).
func TestFencingAgreesWithLookingThroughAllLeases(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		var got []projection.FencedWrite
		fencing := projection.NewFencing(h.states[0], projection.FencingOptions{
			Remember: -1, Write: func(w projection.FencedWrite) { got = append(got, w) },
		})
		timeline := projection.CollectTimeline(h.states[0], projection.Filter{})
		h.fold(0, fencing, timeline)
		counts, want := naiveFencing(timeline.Rows())
		require.Equal(t, counts, fencing.Counts())
		require.Len(t, got, len(want))
		for i, w := range got {
			require.Equal(t, want[i].Write, w.Write)
			require.Equal(t, want[i].Standing, w.Standing, &w)
			require.Equal(t, want[i].Mark, w.Mark)
			require.Equal(t, want[i].LeaseKnown, w.LeaseKnown)
			require.Equal(t, want[i].Held, w.Held)
			require.Len(t, w.Holders, w.Held)
			if w.Standing == projection.Over {
				require.Equal(t, w.Token, w.Lease.Token)
				require.Contains(t, timeline.Rows().Leases, w.Lease)
			}
		}
	})
}

// Only a write that is refused for its token comes from a lower one than the
// mark, and the other way round: the projection's mark is the store's (R6).
func TestFencingKnowsTheMark(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		fencing := projection.NewFencing(h.states[cut], projection.FencingOptions{Write: func(w projection.FencedWrite) {
			require.Equal(t, w.Refusal == events.StaleToken, w.Token < w.Mark, &w)
		}})
		h.fold(cut, fencing)
	})
}

// A projection that begins in the middle counts the same, and knows the lease
// of every token that was in force or was granted afterwards.
func TestFencingFromTheMiddle(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		collect := func(from int) (rows []projection.FencedWrite) {
			h.fold(from, projection.NewFencing(h.states[from], projection.FencingOptions{
				Write: func(w projection.FencedWrite) { rows = append(rows, w) },
			}))
			return since(rows, cut, fenced)
		}
		whole, rest := collect(0), collect(cut)
		require.Len(t, rest, len(whole))
		for i := range whole {
			want, got := whole[i], rest[i]
			if !after(want.Lease.Began, cut) {
				if got.LeaseKnown {
					require.True(t, got.Lease.Began.Earlier())
					require.Equal(t, want.Lease.Client, got.Lease.Client)
				} else {
					require.NotEqual(t, projection.InForce, got.Standing)
				}
				want.Lease, got.Lease = projection.Lease{}, projection.Lease{}
				want.LeaseKnown, got.LeaseKnown = false, false
			}
			require.Equal(t, want, got)
		}
	})
}

// However few leases are remembered, the counts are exact. Those with the
// highest tokens are the ones that are known.
func TestFencingForgetsOnlyWhose(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		collect := func(remember int) (rows []projection.FencedWrite, counts projection.FencingCounts) {
			f := projection.NewFencing(h.states[0], projection.FencingOptions{
				Remember: remember, Write: func(w projection.FencedWrite) { rows = append(rows, w) },
			})
			h.fold(0, f)
			return rows, f.Counts()
		}
		all, counts := collect(-1)
		some, fewer := collect(1)
		require.Equal(t, counts, fewer)
		timeline := projection.CollectTimeline(h.states[0], projection.Filter{})
		h.fold(0, timeline)
		for i, w := range all {
			newest := int64(0) // of the leases that are over
			for _, l := range timeline.Rows().Leases {
				if l.Lock == w.Lock && l.Ended.Happened() && l.Ended.Compare(w.At) < 0 {
					newest = max(newest, l.Token)
				}
			}
			if w.Standing == projection.Over {
				require.Equal(t, w.Token == newest, some[i].LeaseKnown, &w)
			}
			if !some[i].LeaseKnown {
				all[i].Lease, all[i].LeaseKnown = projection.Lease{}, false
			}
			require.Equal(t, all[i], some[i])
		}
	})
}
