package fsm

import (
	"iter"

	"github.com/leasekeeper/leasekeeper/internal/persist"
)

// holds is the number of the client's leases.
func (c *client) holds() int {
	n := c.more.Len()
	if c.first.lock != 0 {
		n++
	}
	return n
}

// token returns the token under which the client holds a lock, or 0.
func (c *client) token(number uint32) int64 {
	if c.first.lock == number {
		return c.first.token
	}
	token, _ := c.more.Get(lockNumber(number))
	return int64(token)
}

// take adds a lease to the client's.
func (c *client) take(o *persist.Owner, h hold) {
	if c.first.lock == 0 {
		c.first = h
		return
	}
	c.more.Put(o, lockNumber(h.lock), tokenNumber(h.token))
}

// drop takes a lease from the client's.
func (c *client) drop(o *persist.Owner, number uint32) {
	if c.first.lock == number {
		c.first = hold{}
		return
	}
	c.more.Delete(o, lockNumber(number))
}

// held yields the client's leases in no order that means anything.
func (c *client) held() iter.Seq[hold] {
	return func(yield func(hold) bool) {
		if c.first.lock != 0 && !yield(c.first) {
			return
		}
		for number, token := range c.more.All() {
			if !yield(hold{uint32(number), int64(token)}) {
				return
			}
		}
	}
}
