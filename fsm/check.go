package fsm

import "fmt"

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
	total   sum      // of the rows seen
	turns   []uint64 // of the leases and requests seen
	leases  int
	waiters int
}

// broken records a violation; only the first is kept.
func (c *checker) broken(invariant int, format string, args ...any) {
	if c.found == nil {
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
		if t.number(row.name) != number {
			c.broken(8, "the index does not find %q", row.name)
		}
		if makeLabel(row.name) != *row {
			c.broken(8, "the hash of %q is wrong", row.name)
		}
	}
}

// sums checks the fingerprint (9).
func (c *checker) sums() {
	if c.total != c.s.sum {
		c.broken(9, "the rows add up to %x, the state says %x", c.total, c.s.sum)
	}
}
