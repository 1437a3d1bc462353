package fsm

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
)

// Violation is a broken invariant of a State, by its number there.
type Violation struct {
	Invariant int
	Reason    string
}

// Error implements error.
func (v *Violation) Error() string {
	return fmt.Sprintf("fsm: invariant %d is broken: %s", v.Invariant, v.Reason)
}

// Check verifies every invariant of a state and returns the first *Violation
// found, or nil. O(n log n) for n rows; it is meant for tests, for states that
// come from outside, and for doubt.
func Check(s State) error {
	c := checker{s: s}
	checks := []func(){c.names, c.locksAndLeases, c.clientsAndAges, c.firstLapse, c.waitForGraph, c.sums}
	for _, check := range checks {
		if check(); c.found != nil {
			return c.found
		}
	}
	return nil
}

type checker struct {
	s       State
	found   *Violation
	total   sum // of the rows seen
	leases  int
	waiters int
}

// must records a violation unless ok; only the first is kept.
func (c *checker) must(ok bool, invariant int, format string, args ...any) {
	if !ok && c.found == nil {
		c.found = &Violation{invariant, fmt.Sprintf(format, args...)}
	}
}

// names checks that both name indexes find every row (8).
func (c *checker) names() {
	checkNames(c, &c.s.clients)
	checkNames(c, &c.s.locks)
}

func checkNames[T any, P labelled[T]](c *checker, t *table[T, P]) {
	for number := uint32(1); number <= t.len(); number++ {
		row := P(t.at(number)).labelled()
		c.must(t.number(row.name) == number, 8, "the index does not find %q", row.name)
		c.must(makeLabel(row.name) == *row, 8, "the hash of %q is wrong", row.name)
	}
}

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
	c.must(l.first.client != 0 || l.first == lease{}, 8, "lock %q keeps remains of its first lease", l.name)
	last, n := lease{}, 0
	for h := range l.leases() {
		row := c.s.clients.at(h.client)
		c.must(h.expires > c.s.clock, 1, "token %d of lock %q ended at %d", h.token, l.name, h.expires)
		c.must(h.mode == events.Exclusive || h.mode == events.Shared, 2, "lock %q is held in no known mode", l.name)
		c.must(n == 0 || last.mode == events.Shared && h.mode == events.Shared, 2, "lock %q is shared with an exclusive lease", l.name)
		c.must(h.token > last.token && h.token <= l.counter, 4, "lock %q has token %d after %d of %d", l.name, h.token, last.token, l.counter)
		c.must(h.turn > last.turn && h.turn <= c.s.turns, 4, "lock %q has turn %d after %d of %d", l.name, h.turn, last.turn, c.s.turns)
		c.must(row.token(number) == h.token, 5, "client %q does not know its token %d of lock %q", row.name, h.token, l.name)
		c.total.add(leaseRow(l, row, &h))
		last = h
		n++
	}
	c.leases += n
	c.schedule(number, l)
}

// schedule checks that a lock is known to lapse when its first lease ends (8).
func (c *checker) schedule(number uint32, l *lock) {
	want, held := persist.Due{}, false
	for h := range l.leases() {
		if due := h.due(); !held || due.Before(want) {
			want, held = due, true
		}
	}
	due, ok := c.s.lapses.At(number)
	c.must(ok == held && due == want || !ok && !held, 8, "lock %q is scheduled for %v, not %v", l.name, due, want)
	if held {
		first := l.earliest()
		c.must(first.due() == want, 8, "lock %q takes %v for its first end, not %v", l.name, first.due(), want)
	}
	if crowd := l.crowd; crowd != nil {
		n := crowd.byToken.Len()
		c.must(n > 0 && n == crowd.byEnd.Len(), 8, "the crowd of lock %q has %d leases and %d ends", l.name, n, crowd.byEnd.Len())
	}
}

// queue checks a lock's waiting requests (3, 4, 5).
func (c *checker) queue(number uint32, l *lock) {
	if _, head, ok := l.queue.Min(); ok {
		c.must(!l.compatible(head.mode), 3, "the head of the queue of lock %q is compatible", l.name)
	}
	for turn, w := range l.queue.All() {
		row := c.s.clients.at(w.client)
		c.must(uint64(turn) <= c.s.turns, 4, "lock %q has a request of turn %d of %d", l.name, turn, c.s.turns)
		c.must(row.waits == number && row.ticket == turn, 5, "client %q does not know that it waits for lock %q", row.name, l.name)
		c.must(row.token(number) == 0, 5, "client %q waits for lock %q and holds it", row.name, l.name)
		c.must(w.ttl >= 1 && w.ttl <= c.s.rules.MaxTTL(), 4, "a request for lock %q wants %d ticks", l.name, w.ttl)
		c.total.add(waiterRow(l, row, &w))
		c.waiters++
	}
}

// store checks what is stored under a lock (10).
func (c *checker) store(l *lock) {
	c.must(l.values.Len() == 0 == (l.mark == 0), 10, "lock %q has %d values and mark %d", l.name, l.values.Len(), l.mark)
	if l.mark > 0 {
		c.total.add(markRow(l))
	}
	for key, value := range l.values.All() {
		c.total.add(valueRow(l, string(key), value))
	}
}

// clientsAndAges checks the other side of leases and queues (5, 6).
func (c *checker) clientsAndAges() {
	var ages persist.Tree[tokenNumber, struct{}]
	owner := persist.NewOwner()
	leases, waiters := 0, 0
	for number := uint32(1); number <= c.s.clients.len(); number++ {
		row := c.s.clients.at(number)
		leases += row.holds()
		c.must(row.age >= 0 && row.age <= c.s.ages, 6, "client %q has age %d of %d", row.name, row.age, c.s.ages)
		if row.waits != 0 {
			waiters++
		}
		if row.age == 0 {
			c.must(row.waits == 0 && row.holds() == 0, 6, "client %q is not registered but holds or waits", row.name)
			continue
		}
		_, taken := ages.Get(tokenNumber(row.age))
		c.must(!taken, 6, "client %q shares age %d with another", row.name, row.age)
		ages.Put(owner, tokenNumber(row.age), struct{}{})
		c.total.add(ageRow(row))
	}
	c.must(leases == c.leases, 5, "clients know of %d leases, locks of %d", leases, c.leases)
	c.must(waiters == c.waiters, 5, "%d clients wait, %d requests are queued", waiters, c.waiters)
}

// firstLapse checks that the first lapse of all is a lock's (8). That each
// lock's is known was checked with the lock.
func (c *checker) firstLapse() {
	number, due, ok := c.s.lapses.First()
	c.must(ok == (c.leases > 0), 8, "a lapse is scheduled: %v, with %d leases", ok, c.leases)
	if !ok || number == 0 || number > c.s.locks.len() {
		c.must(!ok, 8, "lock number %d is scheduled, there are %d", number, c.s.locks.len())
		return
	}
	first := c.s.locks.at(number).earliest()
	c.must(first.due() == due, 8, "the first lapse is at %v, not %v", first.due(), due)
	for other := uint32(1); other <= c.s.locks.len(); other++ {
		d, held := c.s.lapses.At(other)
		c.must(!held || !d.Before(due), 8, "the lapse at %v comes before the first one at %v", d, due)
	}
}

// waitForGraph checks that the graph has no cycle (7): it takes away, again
// and again, clients that wait for nobody who is left.
func (c *checker) waitForGraph() {
	m := NewMachine(c.s)
	left := c.waiters
	waitsFor := make([]int, c.s.clients.len()+1)
	var free []uint32
	for who := uint32(1); who <= c.s.clients.len(); who++ {
		for at := (cursor{}); ; waitsFor[who]++ {
			if _, more := m.blockers(who, &at); !more {
				break
			}
		}
		if waitsFor[who] == 0 {
			free = append(free, who)
		}
	}
	for ; len(free) > 0; free = free[1:] {
		for at := (cursor{}); ; {
			who, more := m.blocked(free[0], &at)
			if !more {
				break
			}
			if who == 0 {
				continue
			}
			if waitsFor[who]--; waitsFor[who] == 0 {
				free = append(free, who)
				left--
			}
		}
	}
	c.must(left == 0, 7, "%d clients wait in a cycle or behind one", left)
}

// sums checks the fingerprint (9).
func (c *checker) sums() {
	c.must(c.total == c.s.sum, 9, "the rows add up to %x, the state says %x", c.total, c.s.sum)
}
