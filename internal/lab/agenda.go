package lab

import "slices"

// agenda is what is going to happen, by instants. What is put down for one
// instant happens in the order in which it was put down.
type agenda struct {
	now     int64
	entries []entry
}

type entry struct {
	at int64
	do func(at int64)
}

// put puts something down. What should have happened already happens now: the
// clock of a service never goes back (R26).
func (a *agenda) put(at int64, do func(at int64)) {
	at = max(at, a.now)
	i := len(a.entries)
	for i > 0 && a.entries[i-1].at > at {
		i--
	}
	a.entries = slices.Insert(a.entries, i, entry{at, do})
}

// runUntil lets everything happen up to an instant.
func (a *agenda) runUntil(end int64) {
	for len(a.entries) > 0 && a.entries[0].at <= end {
		first := a.entries[0]
		a.entries = slices.Delete(a.entries, 0, 1)
		a.now = first.at
		first.do(first.at)
	}
	a.now = end
}
