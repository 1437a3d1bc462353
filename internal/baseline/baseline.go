// Package baseline is the service that leasekeeper's speed is compared with:
// the same rules on Go maps, pointers and container/heap, changed in place, by
// somebody who wants the answers and nothing else. It keeps no history, knows
// no effects and no fingerprint, and cannot be forked or replayed.
//
// Its answers are right: tests hold them to the reference model. An operation
// costs a few map lookups, the logarithm of the number of leases, and what it
// touches; the exceptions are marked.
package baseline

import (
	"container/heap"

	"github.com/leasekeeper/leasekeeper/events"
)

// Service is a lock service that lives in memory. It is not safe for
// concurrent use.
type Service struct {
	rules   events.Rules
	clock   int64
	started bool  // the clock has been set
	ages    int64 // clients registered so far (R15)
	locks   map[string]*lock
	clients map[string]*client
	lapses  lapses

	search uint64    // numbers the searches for a cycle
	todo   []*client // of the search under way
}

// lock is one lock with its token counter and what is stored under it.
type lock struct {
	name     string
	tokens   int64 // the newest token (R5)
	holders  []*lease
	only     [1]*lease // room for the usual list of one
	first    *request  // head of the queue
	last     *request
	waiting  int   // length of the queue
	accepted int64 // the highest token a write was accepted with (R6)
	values   map[string]string
}

// client is whoever was named in an acquire. Its age is 0 while it is not
// registered.
type client struct {
	name    string
	age     int64
	leases  []*lease
	only    [1]*lease // room for the usual list of one
	request *request  // what it waits for

	waits, visited uint64 // the newest searches that came by
}

// lease is one grant. It knows its places, so that it can be taken out of all
// of them without a search.
type lease struct {
	lock      *lock
	client    *client
	mode      events.Mode
	token     int64
	expiresAt int64
	inLock    int
	inClient  int
	inLapses  int
}

// request is one entry of a queue.
type request struct {
	lock       *lock
	client     *client
	mode       events.Mode
	ttl        int64
	prev, next *request
}

// New starts a service without locks, clients and clock. The rules must be
// valid.
func New(rules events.Rules) *Service {
	return &Service{rules: rules, locks: map[string]*lock{}, clients: map[string]*client{}}
}

// Leases is the number of leases that had not lapsed at the last event.
func (s *Service) Leases() int { return len(s.lapses) }

// Apply handles one event (R1, R23).
func (s *Service) Apply(e events.Event) events.Answer {
	at, moves, refusal := s.rules.Admit(e)
	if moves {
		if s.started && at < s.clock {
			return events.ClockWentBack
		}
		s.advance(at)
	}
	if refusal != events.NotRefused {
		return refusal
	}
	switch e := e.(type) {
	case events.Acquire:
		return s.acquire(e)
	case events.Renew:
		return s.renew(e)
	case events.Release:
		return s.release(e)
	case events.Write:
		return s.write(e)
	case events.Read:
		return s.read(e)
	case events.Inspect:
		return s.inspect(e)
	case events.Status:
		return s.status(e)
	case events.Repeat:
		return s.repeat(e)
	}
	return events.InvalidArguments
}

// advance moves the clock and retires what has lapsed, in the order in which
// it lapsed (R1, R3). A lease handed over on the way may lapse in its turn.
func (s *Service) advance(at int64) {
	s.clock, s.started = at, true
	for len(s.lapses) > 0 && s.lapses[0].at <= at {
		lapsed := s.lapses[0].lease
		s.end(lapsed, lapsed.expiresAt)
	}
}

// grant gives the client a lease from an instant on (R5).
func (s *Service) grant(l *lock, c *client, mode events.Mode, ttl, instant int64) *lease {
	l.tokens++
	granted := &lease{
		lock: l, client: c, mode: mode, token: l.tokens, expiresAt: instant + ttl,
		inLock: len(l.holders), inClient: len(c.leases),
	}
	l.holders = append(l.holders, granted)
	c.leases = append(c.leases, granted)
	heap.Push(&s.lapses, granted)
	return granted
}

// end ends a lease at an instant and hands its lock over (R3, R7).
func (s *Service) end(ended *lease, instant int64) {
	heap.Remove(&s.lapses, ended.inLapses)
	l, c := ended.lock, ended.client
	moved := l.holders[len(l.holders)-1]
	l.holders[ended.inLock], moved.inLock = moved, ended.inLock
	l.holders = cut(l.holders)
	moved = c.leases[len(c.leases)-1]
	c.leases[ended.inClient], moved.inClient = moved, ended.inClient
	c.leases = cut(c.leases)
	s.handOver(l, instant)
}

// cut drops the last lease of a list.
func cut(leases []*lease) []*lease {
	leases[len(leases)-1] = nil
	return leases[:len(leases)-1]
}

// handOver grants from the head of the queue while the head is compatible
// (R11).
func (s *Service) handOver(l *lock, instant int64) {
	for l.first != nil && l.admits(l.first.mode) {
		head := l.first
		head.leave()
		s.grant(l, head.client, head.mode, head.ttl, instant)
	}
}

// admits says whether a request is compatible with the holders (R9). They all
// have one mode.
func (l *lock) admits(mode events.Mode) bool {
	return len(l.holders) == 0 || mode == events.Shared && l.holders[0].mode == events.Shared
}

// join puts the request at the end of its lock's queue (R4).
func (r *request) join() {
	r.client.request = r
	r.prev = r.lock.last
	if r.prev == nil {
		r.lock.first = r
	} else {
		r.prev.next = r
	}
	r.lock.last = r
	r.lock.waiting++
}

// leave takes the request out of its lock's queue.
func (r *request) leave() {
	if r.prev == nil {
		r.lock.first = r.next
	} else {
		r.prev.next = r.next
	}
	if r.next == nil {
		r.lock.last = r.prev
	} else {
		r.next.prev = r.prev
	}
	r.lock.waiting--
	r.client.request = nil
}
