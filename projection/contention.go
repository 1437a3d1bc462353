package projection

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// ContentionOptions say what Contention covers. The zero value is good for most
// uses.
type ContentionOptions struct {
	// Locks, if any, are the only ones that are followed.
	Locks []string
	// Top is how many of the longest waits and convoys, and of the locks with
	// the most waiting time, a report lists; the default is 10.
	Top int
	// ConvoyQueue and ConvoyGrants say when a stretch of queueing is a convoy:
	// the queue was once as long, or as many requests were granted from it. The
	// default of each is 3.
	ConvoyQueue  int
	ConvoyGrants uint64
	// Convoy, if not nil, takes every convoy when it ends.
	Convoy func(Convoy)
}

// Contention measures how long locks were held and how long they were waited
// for. Its memory is bounded by the state, Top and the bound of a Distribution.
type Contention struct {
	open         *open[load]
	filter       *filter
	options      ContentionOptions
	clock        int64
	held, waited Distribution
	cut          struct{ held, waited uint64 }
	waits        first[Wait]
	convoys      first[Convoy]
}

// load is what Contention keeps with a lock.
type load struct {
	LockLoad
	convoy Convoy // the zero Convoy if nobody waits
}

// LockLoad is what a lock was used for. Times are in ticks, and count from the
// projection's beginning on.
type LockLoad struct {
	Lock string
	// Leases counts grants, and leases that were in force at the beginning.
	Leases uint64
	// Held is how long its leases were in force; those of several shared
	// holders add up.
	Held Total
	// Waits counts requests that had to wait.
	Waits uint64
	// Waited is how long they waited, whatever became of them.
	Waited Total
	// LongestQueue is the most that waited at once.
	LongestQueue int
}

// NewContention begins at a state.
func NewContention(state fsm.State, options ContentionOptions) *Contention {
	if options.Top == 0 {
		options.Top = 10
	}
	if options.ConvoyQueue == 0 {
		options.ConvoyQueue = 3
	}
	if options.ConvoyGrants == 0 {
		options.ConvoyGrants = 3
	}
	c := &Contention{filter: newFilter(Filter{Locks: options.Locks}), options: options}
	c.clock, _ = state.Clock()
	c.waits = first[Wait]{most: options.Top, compare: c.longerWait}
	c.convoys = first[Convoy]{most: options.Top, compare: c.longerConvoy}
	c.open = openAt(state, c.filter, func(l *lock[load], row *fsm.LockRow) {
		l.own.Leases, l.own.Waits, l.own.LongestQueue = uint64(len(row.Leases)), uint64(len(row.Queue)), len(row.Queue)
		if len(row.Queue) > 0 {
			l.own.convoy = Convoy{Lock: l.name, Began: earlierThan(state), Requests: uint64(len(row.Queue)), LongestQueue: len(row.Queue)}
		}
	})
	return c
}

// Apply implements Projection. O(1) an effect, and O(holders) for the end of a
// shared lease.
func (c *Contention) Apply(s *Step) {
	c.open.next(s)
	c.clock = s.Clock
	for i := range s.Result.Effects {
		if e := &s.Result.Effects[i]; c.filter.lock(e.Lock) {
			c.effect(e, momentOf(e, i))
		}
	}
}

func (c *Contention) effect(e *events.Effect, at Moment) {
	switch e.Kind {
	case events.EffectGranted:
		l, _, w := c.open.granted(e, at)
		l.own.Leases++
		if w != nil {
			c.endWait(l, w)
		}
	case events.EffectQueued:
		l, _ := c.open.queued(e, at)
		l.own.Waits++
		l.own.LongestQueue = max(l.own.LongestQueue, l.queued)
		l.own.convoy.joined(l.name, at, l.queued)
	case events.EffectRenewed:
		c.open.renewed(e)
	case events.EffectReleased, events.EffectExpired:
		l, h := c.open.ended(e, at)
		ticks := h.Length(c.clock)
		l.own.Held.Add(ticks)
		if h.Began.Earlier() {
			c.cut.held++
		} else {
			c.held.Add(ticks)
		}
	case events.EffectWithdrawn:
		c.endWait(c.open.withdrawn(e, at))
	}
}

func (c *Contention) endWait(l *lock[load], w *Wait) {
	ticks := w.Length(c.clock)
	l.own.Waited.Add(ticks)
	if w.Began.Earlier() {
		c.cut.waited++
	} else {
		c.waited.Add(ticks)
	}
	c.waits.add(*w)
	if w.Ending == WasGranted {
		l.own.convoy.Granted++
	}
	if l.queued == 0 {
		c.endConvoy(&l.own.convoy, w.Ended)
	}
}
