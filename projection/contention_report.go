package projection

import (
	"cmp"
	"fmt"
)

// ContentionReport is what Contention has measured up to an instant. Lengths
// are in ticks.
type ContentionReport struct {
	Clock int64
	// Held are the lengths of the leases that have ended, Waited those of the
	// waits that have, whatever became of them. A request that was granted on
	// the spot is no wait. They belong to the projection: they change as the
	// fold goes on, and must not be added to.
	Held, Waited *Distribution
	// HeldCut and WaitedCut count those that are left out, because it is not
	// known when they began.
	HeldCut, WaitedCut uint64
	// Waits are the longest waits, Convoys the longest convoys, those that go
	// on measured up to Clock.
	Waits   []Wait
	Convoys []Convoy
	// Locks are those with the most waiting time, waits and leases that go on
	// measured up to Clock. Locks that nobody waited for are not listed.
	Locks []LockLoad
}

// Report returns what has been measured so far. The fold may go on. O(n) for n
// locks, leases in force and requests that wait.
func (c *Contention) Report() ContentionReport {
	waits, convoys := c.waits.copied(), c.convoys.copied()
	locks := first[LockLoad]{most: c.options.Top, compare: func(a, b LockLoad) int {
		return cmp.Or(b.Waited.Compare(a.Waited), cmp.Compare(a.Lock, b.Lock))
	}}
	for _, l := range c.open.locks {
		row := l.own.LockLoad
		row.Lock = l.name
		for _, h := range l.leases {
			row.Held.Add(h.Length(c.clock))
		}
		for w := l.head; w != nil; w = w.behind {
			row.Waited.Add(w.Length(c.clock))
			waits.add(w.Wait)
		}
		if l.queued > 0 && c.counts(&l.own.convoy) {
			convoys.add(l.own.convoy)
		}
		if row.Waits > 0 {
			locks.add(row)
		}
	}
	return ContentionReport{
		Clock: c.clock, Held: &c.held, Waited: &c.waited, HeldCut: c.cut.held, WaitedCut: c.cut.waited,
		Waits: waits.rows, Convoys: convoys.rows, Locks: locks.rows,
	}
}

// Describe draws the report. #n is event n.
func (r *ContentionReport) Describe() string {
	var d drawing
	for i, of := range [...]*Distribution{r.Held, r.Waited} {
		q := of.Quantiles(0.5, 0.9, 0.99)
		d.row([...]string{"held", "waited"}[i], of.Count(), q[0], q[1], q[2], of.Max(), of.Sum(), [...]uint64{r.HeldCut, r.WaitedCut}[i])
	}
	d.draw("ticks", "what | times | p50 | p90 | p99 | longest | in all | cut")
	for i := range r.Locks {
		l := &r.Locks[i]
		d.row(name(l.Lock), l.Waits, l.Waited, l.LongestQueue, l.Leases, l.Held)
	}
	d.draw("locks by waiting time", "lock | waits | waited | longest queue | leases | held")
	for i := range r.Waits {
		w := &r.Waits[i]
		d.row(name(w.Lock), name(w.Client), w.Mode, w.Began, w.Ended, w.Ending, least(w.Began, w.Length(r.Clock)))
	}
	d.draw("longest waits", "lock | client | mode | began | ended | ending | ticks")
	for i := range r.Convoys {
		v := &r.Convoys[i]
		d.row(name(v.Lock), v.Began, v.Ended, v.Requests, v.LongestQueue, v.Granted, least(v.Began, v.Length(r.Clock)))
	}
	d.draw("longest convoys", "lock | began | ended | requests | longest queue | granted | ticks")
	return d.String()
}

// least is a length in words, of something that may have begun Earlier.
func least(began Moment, ticks uint64) string {
	if began.Earlier() {
		return fmt.Sprintf("at least %d", ticks)
	}
	return fmt.Sprint(ticks)
}
