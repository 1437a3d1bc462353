package fsm

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// resolve aborts clients until the request that was just queued closes no
// cycle any more, and answers it (R17, R18, R20). Nothing but an enqueueing
// can close a cycle, so this is the only place that looks for one.
//
// An abort only takes edges away: whom it grants a lock, others waited for
// already. So the clients on cycles after it are some of those before it, and
// while the youngest of them is still on one, it is the next victim. Only when
// it is not, the search is made anew.
func (m *Machine) resolve(who, number uint32) events.Answer {
	var victims []string
	members, fresh := m.youngestFirst(m.cycle(who)), true
	for len(members) > 0 && m.clients.at(who).waits != 0 {
		youngest := members[0]
		if !fresh && !(m.reaches(who, youngest) && m.reaches(youngest, who)) {
			members, fresh = m.youngestFirst(m.cycle(who)), true
			continue
		}
		victims = append(victims, m.clients.name(youngest))
		m.abort(youngest)
		if youngest == who {
			return events.Deadlock{Victims: victims}
		}
		members, fresh = members[1:], false
	}
	l := m.locks.at(number)
	if m.clients.at(who).waits != 0 {
		// Nobody was queued after it, so it stands last.
		return events.Queued{Position: l.queue.Len(), Victims: victims}
	}
	granted := l.lease(m.clients.at(who).token(number))
	return events.Granted{Token: granted.token, ExpiresAt: granted.expires, Victims: victims}
}

// youngestFirst sorts clients by age, the largest first (R18).
func (m *Machine) youngestFirst(members []uint32) []uint32 {
	slices.SortFunc(members, func(a, b uint32) int {
		return cmp.Compare(m.clients.at(b).age, m.clients.at(a).age)
	})
	return members
}

// cursor walks the edges of one client in the wait-for graph.
type cursor struct {
	started bool
	token   int64      // the last holder that was returned
	lock    lockNumber // the last lock whose queue was looked at
}

// blockers returns the next client that c waits for (R16), and 0 after the
// last. A client waits for everyone ahead of it in the queue and for every
// holder; since the one ahead waits for all of them too, an edge to the one
// ahead suffices, and only the head of a queue needs edges to the holders.
func (m *Machine) blockers(c uint32, at *cursor) (next uint32, more bool) {
	row := m.clients.at(c)
	if row.waits == 0 {
		return 0, false
	}
	l := m.locks.at(row.waits)
	if !at.started {
		at.started = true
		if _, ahead, ok := l.queue.Below(row.ticket); ok {
			at.token = l.counter // no holder is above it
			return ahead.client, true
		}
	}
	h, ok := l.above(at.token)
	at.token = h.token
	return h.client, ok
}

// skipped is how many held locks without a queue blocked passes over in a step:
// few enough to stay O(1), and enough that an ordinary client that nobody
// waits for is done before the search looks at anybody else.
const skipped = 16

// blocked returns the next client that waits for c: the edges of blockers the
// other way round. It returns 0 where it found none yet but has not looked at
// all of c's locks.
func (m *Machine) blocked(c uint32, at *cursor) (next uint32, more bool) {
	row := m.clients.at(c)
	if !at.started {
		at.started = true
		if row.waits != 0 {
			if _, behind, ok := m.locks.at(row.waits).queue.Above(row.ticket); ok {
				return behind.client, true
			}
		}
	}
	for range skipped {
		number, ok := row.lockAbove(at.lock)
		if !ok {
			return 0, false
		}
		at.lock = number
		if _, head, ok := m.locks.at(uint32(number)).queue.Min(); ok {
			return head.client, true
		}
	}
	return 0, true
}

// lockAbove returns the held lock with the lowest number above the given one.
func (c *client) lockAbove(number lockNumber) (lockNumber, bool) {
	next, _, ok := c.more.Above(number)
	if first := lockNumber(c.first.lock); first > number && (!ok || first < next) {
		return first, true
	}
	return next, ok
}
