package fsm

import (
	"iter"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
)

// due is when the lease ends.
func (h *lease) due() persist.Due { return persist.Due{At: h.expires, Turn: h.turn} }

// holders is the number of leases on the lock.
func (l *lock) holders() int {
	n := 0
	if l.first.client != 0 {
		n++
	}
	if l.crowd != nil {
		n += l.crowd.byToken.Len()
	}
	return n
}

// lease returns the lease of a token that is in force.
func (l *lock) lease(token int64) (h lease) {
	if l.first.token == token {
		return l.first
	}
	if l.crowd != nil {
		h, _ = l.crowd.byToken.Get(tokenNumber(token))
	}
	return h
}

// leases yields the leases by token, lowest first.
func (l *lock) leases() iter.Seq[lease] {
	return func(yield func(lease) bool) {
		if l.first.client != 0 && !yield(l.first) || l.crowd == nil {
			return
		}
		for _, h := range l.crowd.byToken.All() {
			if !yield(h) {
				return
			}
		}
	}
}

// above returns the lease with the lowest token above the given one.
func (l *lock) above(token int64) (h lease, ok bool) {
	if l.first.client != 0 && token < l.first.token {
		return l.first, true
	}
	if l.crowd != nil {
		_, h, ok = l.crowd.byToken.Above(tokenNumber(token))
	}
	return h, ok
}

// earliest returns the lease that ends first, of a lock that is held.
func (l *lock) earliest() lease {
	if l.crowd == nil {
		return l.first
	}
	ends, token, _ := l.crowd.byEnd.Min()
	if l.first.client != 0 && l.first.due().Before(persist.Due(ends)) {
		return l.first
	}
	return l.lease(int64(token))
}

// compatible tells whether a request fits beside the holders (R9).
func (l *lock) compatible(mode events.Mode) bool {
	switch {
	case l.crowd != nil:
		return mode == events.Shared
	case l.first.client != 0:
		return mode == events.Shared && l.first.mode == events.Shared
	}
	return true
}

// put adds a lease whose token is above those in force.
func (l *lock) put(o *persist.Owner, h *lease) {
	if l.holders() == 0 {
		l.first = *h
		return
	}
	c := l.crowded(o)
	c.byToken.Put(o, tokenNumber(h.token), *h)
	c.byEnd.Put(o, end(h.due()), tokenNumber(h.token))
}

// remove takes a lease in force away.
func (l *lock) remove(o *persist.Owner, h *lease) {
	if l.first.token == h.token {
		l.first = lease{}
		return
	}
	c := l.crowded(o)
	c.byToken.Delete(o, tokenNumber(h.token))
	c.byEnd.Delete(o, end(h.due()))
	if c.byToken.Len() == 0 {
		l.crowd = nil
	}
}

// move lets a lease in force end at another instant.
func (l *lock) move(o *persist.Owner, h lease, expires int64) {
	if l.first.token == h.token {
		l.first.expires = expires
		return
	}
	c := l.crowded(o)
	c.byEnd.Delete(o, end(h.due()))
	h.expires = expires
	c.byToken.Put(o, tokenNumber(h.token), h)
	c.byEnd.Put(o, end(h.due()), tokenNumber(h.token))
}

// crowded returns the crowd for changing.
func (l *lock) crowded(o *persist.Owner) *crowd {
	switch {
	case l.crowd == nil:
		l.crowd = &crowd{owner: o}
	case l.crowd.owner != o:
		c := *l.crowd
		c.owner = o
		l.crowd = &c
	}
	return l.crowd
}
