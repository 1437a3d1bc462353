package campaign

import (
	"cmp"
	"slices"
)

// outcome sums up the campaign. Workers that were ahead of the one that ended it
// may have found more than was asked for; what they found later is left out.
func (c *campaign) outcome() Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := Outcome{Count: c.count()}
	for _, fault := range c.faults {
		o.Faults = append(o.Faults, fault)
	}
	slices.SortFunc(o.Faults, func(a, b Fault) int { return cmp.Compare(a.number, b.number) })
	o.Faults = o.Faults[:min(len(o.Faults), c.options.Faults)]

	corpus := uint64(len(c.options.Corpus))
	end := min(c.next.Load(), c.stop.Load()) // no history before it was left out
	if n := len(o.Faults); n == c.options.Faults && o.Faults[n-1].number == end {
		end++
	}
	o.Next = c.options.Seed + max(end, corpus) - corpus
	return o
}
