package projection

import (
	"cmp"
	"fmt"
)

// Convoy is a stretch of time in which a lock's queue was never empty, not even
// between two operations at one instant, and in which the lock was handed from
// one to the next.
type Convoy struct {
	Lock string
	// Began is the first request that had to wait.
	Began Moment
	// Ended is when the last one left the queue; the zero Moment while
	// somebody waits.
	Ended Moment
	// Requests counts those that stood in the queue.
	Requests uint64
	// Granted counts those that got their lease.
	Granted uint64
	// LongestQueue is the most that stood in it at once.
	LongestQueue int
}

// joined counts a request that has joined the queue, which is so long now.
func (c *Convoy) joined(lock string, at Moment, queued int) {
	if queued == 1 {
		*c = Convoy{Lock: lock, Began: at}
	}
	c.Requests++
	c.LongestQueue = max(c.LongestQueue, queued)
}

// Length is how long it lasted, in ticks, up to now if it still does; from the
// projection's beginning if it began Earlier.
func (c *Convoy) Length(now int64) uint64 { return length(c.Began, c.Ended, now) }

// String is the convoy in one line.
func (c *Convoy) String() string {
	text := fmt.Sprintf("%s: from %s", name(c.Lock), c.Began)
	if c.Ended.Happened() {
		text += fmt.Sprintf(" to %s", c.Ended)
	}
	return text + fmt.Sprintf(", %d waited, at most %d at once, %d granted", c.Requests, c.LongestQueue, c.Granted)
}

// counts tells whether the stretch is long enough to be called a convoy.
func (c *Contention) counts(v *Convoy) bool {
	return v.LongestQueue >= c.options.ConvoyQueue || v.Granted >= c.options.ConvoyGrants
}

func (c *Contention) endConvoy(v *Convoy, at Moment) {
	ended := *v
	ended.Ended = at
	*v = Convoy{}
	if !c.counts(&ended) {
		return
	}
	c.convoys.add(ended)
	if c.options.Convoy != nil {
		c.options.Convoy(ended)
	}
}

// longerWait orders waits by their length, the longest first.
func (c *Contention) longerWait(a, b Wait) int {
	return cmp.Or(cmp.Compare(b.Length(c.clock), a.Length(c.clock)), compareWaits(a, b))
}

// longerConvoy orders convoys by their length, the longest first.
func (c *Contention) longerConvoy(a, b Convoy) int {
	return cmp.Or(cmp.Compare(b.Length(c.clock), a.Length(c.clock)), a.Began.Compare(b.Began), cmp.Compare(a.Lock, b.Lock))
}
