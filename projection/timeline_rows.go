package projection

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/fsm"
)

// TimelineRows are all rows of a timeline, those that are over and those that
// are still going on, by the moments at which they began.
type TimelineRows struct {
	Leases   []Lease
	Renewals []Renewal
	Waits    []Wait
	Writes   []Write
}

// TimelineCollector is a Timeline that keeps its rows. Its memory grows with
// the history; for long ones filter, or use a sink.
type TimelineCollector struct {
	*Timeline
	over TimelineRows
}

// CollectTimeline is a timeline that begins at a state and keeps its rows.
func CollectTimeline(state fsm.State, f Filter) *TimelineCollector {
	c := &TimelineCollector{}
	c.Timeline = NewTimeline(state, f, TimelineSink{
		Lease:   func(l Lease) { c.over.Leases = append(c.over.Leases, l) },
		Renewal: func(r Renewal) { c.over.Renewals = append(c.over.Renewals, r) },
		Wait:    func(w Wait) { c.over.Waits = append(c.over.Waits, w) },
		Write:   func(w Write) { c.over.Writes = append(c.over.Writes, w) },
	})
	return c
}

// Rows returns the rows up to now, a copy. The fold may go on.
func (c *TimelineCollector) Rows() TimelineRows {
	rows := TimelineRows{
		slices.Clone(c.over.Leases), slices.Clone(c.over.Renewals),
		slices.Clone(c.over.Waits), slices.Clone(c.over.Writes),
	}
	c.Open(
		func(l Lease) { rows.Leases = append(rows.Leases, l) },
		func(w Wait) { rows.Waits = append(rows.Waits, w) },
	)
	slices.SortFunc(rows.Leases, compareLeases)
	slices.SortFunc(rows.Waits, compareWaits)
	return rows
}

// compareLeases orders leases by their grants; of those that began Earlier, by
// lock and token.
func compareLeases(a, b Lease) int {
	return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Lock, b.Lock), cmp.Compare(a.Token, b.Token))
}

// compareWaits orders waits by their requests; of those that began Earlier, by
// lock and place in the queue.
func compareWaits(a, b Wait) int {
	return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Lock, b.Lock), cmp.Compare(a.Position, b.Position))
}

// HoldersAt are the leases that were in force on a lock at an instant, by
// token: what an inspect at that instant, after all others, would have shown
// (R21). The instant must not lie before the fold's beginning nor after its
// end. O(leases).
func (r *TimelineRows) HoldersAt(lock string, ts int64) []Lease {
	var held []Lease
	for i := range r.Leases {
		if l := &r.Leases[i]; l.Lock == lock && l.At(ts) {
			held = append(held, *l)
		}
	}
	return held
}

// QueueAt are the requests that waited for a lock at an instant, oldest first,
// as HoldersAt. O(waits).
func (r *TimelineRows) QueueAt(lock string, ts int64) []Wait {
	var queue []Wait
	for i := range r.Waits {
		if w := &r.Waits[i]; w.Lock == lock && w.At(ts) {
			queue = append(queue, *w)
		}
	}
	return queue
}
