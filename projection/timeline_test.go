package projection_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func leaseBegan(l *projection.Lease) projection.Moment   { return l.Began }
func waitBegan(w *projection.Wait) projection.Moment     { return w.Began }
func renewedAt(r *projection.Renewal) projection.Moment  { return r.At }
func writtenAt(w *projection.Write) projection.Moment    { return w.At }
func registered(r *projection.Stint) projection.Moment   { return r.Began }
func refusedAt(r *projection.Refusal) projection.Moment  { return r.At }
func queuedAt(d *projection.Deadlock) projection.Moment  { return d.At }
func fenced(w *projection.FencedWrite) projection.Moment { return w.At }

// holders are leases as an inspect shows them, but for their ends.
func holders(leases []projection.Lease) []events.Holder {
	var list []events.Holder
	for _, l := range leases {
		list = append(list, events.Holder{Client: l.Client, Mode: l.Mode, Token: l.Token})
	}
	return list
}

func waiters(waits []projection.Wait) []events.Waiter {
	var list []events.Waiter
	for _, w := range waits {
		list = append(list, events.Waiter{Client: w.Client, Mode: w.Mode})
	}
	return list
}

// Who held a lock and who waited for it, at any instant, between events too,
// and after the last one: what the state as of then says (R1, R3, R21).
func TestTimelineKnowsEveryInstant(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		ts, ok := h.instant(t)
		if !ok {
			return
		}
		c := projection.CollectTimeline(h.states[0], projection.Filter{})
		h.fold(0, c)
		step := projection.Until(h.last(), ts)
		c.Apply(&step)
		rows, state := c.Rows(), h.asOf(ts)
		for _, lock := range h.locks {
			held := state.Holders(lock)
			for i := range held {
				held[i].ExpiresAt = 0
			}
			requireSame(t, held, holders(rows.HoldersAt(lock, ts)))
			requireSame(t, state.Queue(lock), waiters(rows.QueueAt(lock, ts)))
		}
	})
}

// What goes on is what the state has, after every event: nothing is forgotten,
// and nothing is kept that is over.
func TestTimelineKeepsWhatTheStateHas(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		timeline := projection.NewTimeline(h.states[cut], projection.Filter{}, projection.TimelineSink{})
		for i := cut; i < len(h.events); i++ {
			apply(h, i, timeline)
			held, queues := map[string][]events.Holder{}, map[string][]events.Waiter{}
			timeline.Open(func(l projection.Lease) {
				held[l.Lock] = append(held[l.Lock], events.Holder{Client: l.Client, Mode: l.Mode, Token: l.Token, ExpiresAt: l.ExpiresAt})
			}, func(w projection.Wait) {
				queues[w.Lock] = append(queues[w.Lock], events.Waiter{Client: w.Client, Mode: w.Mode})
			})
			for _, lock := range h.locks {
				requireSame(t, h.states[i+1].Holders(lock), held[lock])
				requireSame(t, h.states[i+1].Queue(lock), queues[lock])
			}
		}
	})
}

// apply applies the step of event i.
func apply(h story, i int, p projection.Projection) {
	step := projection.Step{Event: h.events[i]}
	step.Result = events.Result{Sequence: uint64(i + 1), Effects: h.effects[i]}
	step.Clock, step.Started = h.states[i+1].Clock()
	p.Apply(&step)
}

// A projection that begins in the middle tells the same of all that begins
// after it.
func TestTimelineFromTheMiddle(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		whole := projection.CollectTimeline(h.states[0], projection.Filter{})
		rest := projection.CollectTimeline(h.states[cut], projection.Filter{})
		h.fold(0, whole)
		h.fold(cut, rest)
		want, got := whole.Rows(), rest.Rows()
		require.Equal(t, since(want.Leases, cut, leaseBegan), since(got.Leases, cut, leaseBegan))
		require.Equal(t, since(want.Waits, cut, waitBegan), since(got.Waits, cut, waitBegan))
		require.Equal(t, since(want.Renewals, cut, renewedAt), got.Renewals)
		require.Equal(t, since(want.Writes, cut, writtenAt), got.Writes)
		for _, l := range got.Leases {
			require.True(t, after(l.Began, cut) || l.Began.Earlier() && l.Why == events.CauseNone)
		}
		require.True(t, slices.IsSortedFunc(got.Leases, func(a, b projection.Lease) int {
			return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Lock, b.Lock), cmp.Compare(a.Token, b.Token))
		}))
		requireSameEnds(t, cut, want, got)
	})
}

// requireSameEnds checks that also those rows end alike which began before.
func requireSameEnds(t *rapid.T, cut int, want, got projection.TimelineRows) {
	ends := map[projection.Moment]int{}
	for _, l := range got.Leases {
		ends[l.Ended]++
	}
	for _, l := range want.Leases {
		if l.Ended.Sequence > uint64(cut) || !l.Ended.Happened() {
			ends[l.Ended]--
		}
	}
	for at, n := range ends {
		require.Zero(t, n, at)
	}
}

// A filter passes those rows of a whole timeline that it names.
func TestTimelineFilters(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		from := rapid.Int64Range(-30, 100).Draw(t, "from")
		f := projection.Filter{From: from, To: from + rapid.Int64Range(1, 60).Draw(t, "span")}
		locks := rapid.SliceOfDistinct(rapid.SampledFrom(h.locks), rapid.ID[string]).Draw(t, "locks")
		clients := rapid.SliceOfDistinct(rapid.SampledFrom(h.clients), rapid.ID[string]).Draw(t, "clients")
		f.Locks, f.Clients = locks, clients
		whole := projection.CollectTimeline(h.states[0], projection.Filter{})
		some := projection.CollectTimeline(h.states[0], f)
		h.fold(0, whole, some)
		named := func(list []string, name string) bool {
			for _, n := range list {
				if n == name {
					return true
				}
			}
			return len(list) == 0
		}
		want := projection.TimelineRows{}
		for _, l := range whole.Rows().Leases {
			if named(locks, l.Lock) && named(clients, l.Client) && l.Began.Instant < f.To && (!l.Ended.Happened() || f.From <= l.Ended.Instant) {
				want.Leases = append(want.Leases, l)
			}
		}
		for _, w := range whole.Rows().Waits {
			if named(locks, w.Lock) && named(clients, w.Client) && w.Began.Instant < f.To && (!w.Ended.Happened() || f.From <= w.Ended.Instant) {
				want.Waits = append(want.Waits, w)
			}
		}
		for _, r := range whole.Rows().Renewals {
			if named(locks, r.Lock) && named(clients, r.Client) && f.From <= r.At.Instant && r.At.Instant < f.To {
				want.Renewals = append(want.Renewals, r)
			}
		}
		for _, w := range whole.Rows().Writes {
			if named(locks, w.Lock) && named(clients, w.Holder) && f.From <= w.At.Instant && w.At.Instant < f.To {
				want.Writes = append(want.Writes, w)
			}
		}
		require.Equal(t, want, some.Rows())
	})
}
