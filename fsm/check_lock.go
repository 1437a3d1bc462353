package fsm

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
)

// locksAndLeases checks what the rows of locks say.
func (c *checker) locksAndLeases() {
	for number := uint32(1); number <= c.s.locks.len(); number++ {
		l := c.s.locks.at(number)
		c.holders(number, l)
		c.queue(number, l)
		c.store(l)
		if l.counter > 0 {
			c.total.add(counterRow(l))
		}
	}
}

// holders checks a lock's leases (1, 2, 4, 5).
func (c *checker) holders(number uint32, l *lock) {
	if l.first.client == 0 && l.first != (lease{}) {
		c.broken(8, "lock %q keeps remains of its first lease", l.name)
	}
	last, n := lease{}, 0
	for h := range l.leases() {
		row := c.s.clients.at(h.client)
		if h.expires <= c.s.clock || h.expires > c.s.clock+c.s.rules.MaxTTL() {
			c.broken(1, "token %d of lock %q ends at %d", h.token, l.name, h.expires)
		}
		c.mode(l, h.mode)
		if n > 0 && (last.mode != events.Shared || h.mode != events.Shared) {
			c.broken(2, "lock %q is shared with an exclusive lease", l.name)
		}
		if h.token <= last.token || h.token > l.counter {
			c.broken(4, "lock %q has token %d after %d of %d", l.name, h.token, last.token, l.counter)
		}
		if h.turn <= last.turn || h.turn > c.s.turns {
			c.broken(4, "lock %q has turn %d after %d of %d", l.name, h.turn, last.turn, c.s.turns)
		}
		if row.token(number) != h.token {
			c.broken(5, "client %q does not know its token %d of lock %q", row.name, h.token, l.name)
		}
		c.total.add(leaseRow(l, row, &h))
		c.turns = append(c.turns, h.turn)
		last = h
		n++
	}
	c.leases += n
	c.schedule(number, l)
}

// mode checks that the edition knows a mode (2).
func (c *checker) mode(l *lock, mode events.Mode) {
	if mode != events.Exclusive && (mode != events.Shared || c.s.rules.Edition < events.Edition2) {
		c.broken(2, "lock %q is held or wanted in no known mode", l.name)
	}
}

// schedule checks that a lock is known to lapse when its first lease ends (8).
func (c *checker) schedule(number uint32, l *lock) {
	want, held := persist.Due{}, false
	for h := range l.leases() {
		if h.token != l.first.token {
			if token, _ := l.crowd.byEnd.Get(end(h.due())); int64(token) != h.token {
				c.broken(8, "the crowd of lock %q does not know when token %d ends", l.name, h.token)
			}
		}
		if due := h.due(); !held || due.Before(want) {
			want, held = due, true
		}
	}
	due, ok := c.s.lapses.At(number)
	if ok != held || due != want {
		c.broken(8, "lock %q is scheduled for %v, not %v", l.name, due, want)
	}
	if held {
		first := l.earliest()
		if first.due() != want {
			c.broken(8, "lock %q takes %v for its first end, not %v", l.name, first.due(), want)
		}
	}
	if crowd := l.crowd; crowd != nil {
		n := crowd.byToken.Len()
		if n == 0 || n != crowd.byEnd.Len() {
			c.broken(8, "the crowd of lock %q has %d leases and %d ends", l.name, n, crowd.byEnd.Len())
		}
	}
}

// queue checks a lock's waiting requests (3, 4, 5).
func (c *checker) queue(number uint32, l *lock) {
	if _, head, ok := l.queue.Min(); ok && l.compatible(head.mode) {
		c.broken(3, "the head of the queue of lock %q is compatible", l.name)
	}
	for turn, w := range l.queue.All() {
		row := c.s.clients.at(w.client)
		if uint64(turn) > c.s.turns {
			c.broken(4, "lock %q has a request of turn %d of %d", l.name, turn, c.s.turns)
		}
		if row.waits != number || row.ticket != turn {
			c.broken(5, "client %q does not know that it waits for lock %q", row.name, l.name)
		}
		if row.token(number) != 0 {
			c.broken(5, "client %q waits for lock %q and holds it", row.name, l.name)
		}
		c.mode(l, w.mode)
		if w.ttl < 1 || w.ttl > c.s.rules.MaxTTL() {
			c.broken(1, "a request for lock %q wants %d ticks", l.name, w.ttl)
		}
		c.total.add(waiterRow(l, row, &w))
		c.turns = append(c.turns, uint64(turn))
		c.waiters++
	}
}

// store checks what is stored under a lock (10).
func (c *checker) store(l *lock) {
	if (l.values.Len() == 0) != (l.mark == 0) {
		c.broken(10, "lock %q has %d values and mark %d", l.name, l.values.Len(), l.mark)
	}
	if l.mark > 0 {
		c.total.add(markRow(l))
	}
	for key, value := range l.values.All() {
		c.total.add(valueRow(l, string(key), value))
	}
}

// firstLapse checks that the first lapse of all is a lock's (8). That each
// lock's is known was checked with the lock.
func (c *checker) firstLapse() {
	number, due, ok := c.s.lapses.First()
	if ok != (c.leases > 0) {
		c.broken(8, "a lapse is scheduled: %v, with %d leases", ok, c.leases)
	}
	if !ok || number == 0 || number > c.s.locks.len() {
		if ok {
			c.broken(8, "lock number %d is scheduled, there are %d", number, c.s.locks.len())
		}
		return
	}
	first := c.s.locks.at(number).earliest()
	if first.due() != due {
		c.broken(8, "the first lapse is at %v, not %v", first.due(), due)
	}
	for other := uint32(1); other <= c.s.locks.len(); other++ {
		d, held := c.s.lapses.At(other)
		if held && d.Before(due) {
			c.broken(8, "the lapse at %v comes before the first one at %v", d, due)
		}
	}
}
