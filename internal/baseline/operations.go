package baseline

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

func (s *Service) acquire(e events.Acquire) events.Answer {
	c, l := s.client(e.Client), s.lock(e.Lock)
	if s.busy(c, l) {
		return events.ClientBusy
	}
	if c.age == 0 {
		s.ages++
		c.age = s.ages
	}
	if l.first == nil && l.admits(e.Mode) {
		granted := s.grant(l, c, e.Mode, e.TTL, s.clock)
		return events.Granted{Token: granted.token, ExpiresAt: granted.expiresAt}
	}
	r := &request{lock: l, client: c, mode: e.Mode, ttl: e.TTL}
	r.join()
	victims := s.resolve(c)
	if c.request != nil {
		// Nobody joined after it: it is the last.
		return events.Queued{Position: l.waiting, Victims: victims}
	}
	if granted := find(c, l); granted != nil {
		return events.Granted{Token: granted.token, ExpiresAt: granted.expiresAt, Victims: victims}
	}
	return events.Deadlock{Victims: victims}
}

// busy says whether the client may not ask for the lock now (R8, R14).
func (s *Service) busy(c *client, l *lock) bool {
	if s.rules.Edition < events.Edition3 {
		return c.request != nil || len(c.leases) > 0
	}
	return c.request != nil || find(c, l) != nil
}

// find is the client's lease on the lock, or nil. It looks through the shorter
// of the two lists that would have it.
func find(c *client, l *lock) *lease {
	if len(c.leases) <= len(l.holders) {
		for _, held := range c.leases {
			if held.lock == l {
				return held
			}
		}
		return nil
	}
	for _, held := range l.holders {
		if held.client == c {
			return held
		}
	}
	return nil
}

func (s *Service) renew(e events.Renew) events.Answer {
	held := s.held(e.Client, e.Lock)
	if held == nil {
		return events.NotHolder
	}
	held.expiresAt = s.clock + e.TTL
	s.lapses[held.inLapses].at = held.expiresAt
	heap.Fix(&s.lapses, held.inLapses)
	return events.Renewed{ExpiresAt: held.expiresAt}
}

func (s *Service) release(e events.Release) events.Answer {
	if held := s.held(e.Client, e.Lock); held != nil {
		s.end(held, s.clock)
		return events.Released
	}
	c := s.clients[e.Client]
	if c == nil || c.request == nil || c.request.lock.name != e.Lock {
		return events.NotHolder
	}
	l := c.request.lock
	c.request.leave()
	s.handOver(l, s.clock)
	return events.Withdrawn
}

// held is a client's lease on a lock by their names, or nil.
func (s *Service) held(clientName, lockName string) *lease {
	c := s.clients[clientName]
	if c == nil || len(c.leases) == 0 {
		return nil
	}
	if l := s.locks[lockName]; l != nil {
		return find(c, l)
	}
	return nil
}

func (s *Service) write(e events.Write) events.Answer {
	l := s.lock(e.Lock)
	if e.Token < l.accepted {
		return events.StaleToken
	}
	l.accepted = e.Token
	if l.values == nil {
		l.values = map[string]string{}
	}
	l.values[e.Key] = e.Value
	return events.Accepted
}

func (s *Service) read(e events.Read) events.Answer {
	l := s.locks[e.Lock]
	if l == nil {
		return events.Value{}
	}
	text, found := l.values[e.Key]
	return events.Value{Text: text, Found: found}
}

// inspect costs what its answer is long, and the sorting of it.
func (s *Service) inspect(e events.Inspect) events.Answer {
	view := events.LockView{}
	l := s.locks[e.Lock]
	if l == nil {
		return view
	}
	for _, held := range l.holders {
		view.Holders = append(view.Holders, events.Holder{
			Client: held.client.name, Mode: held.mode, Token: held.token, ExpiresAt: held.expiresAt,
		})
	}
	slices.SortFunc(view.Holders, func(a, b events.Holder) int { return cmp.Compare(a.Token, b.Token) })
	for r := l.first; r != nil; r = r.next {
		view.Queue = append(view.Queue, events.Waiter{Client: r.client.name, Mode: r.mode})
	}
	return view
}

// status costs what its answer is long, and the sorting of it.
func (s *Service) status(e events.Status) events.Answer {
	c := s.clients[e.Client]
	if c == nil {
		return events.ClientView{}
	}
	view := events.ClientView{Age: c.age}
	for _, held := range c.leases {
		view.Holds = append(view.Holds, events.Hold{
			Lock: held.lock.name, Mode: held.mode, Token: held.token, ExpiresAt: held.expiresAt,
		})
	}
	slices.SortFunc(view.Holds, func(a, b events.Hold) int { return cmp.Compare(a.Lock, b.Lock) })
	if c.request != nil {
		view.Waiting = c.request.lock.name
	}
	return view
}

// lock is the lock of that name, made if need be.
func (s *Service) lock(name string) *lock {
	l := s.locks[name]
	if l == nil {
		l = &lock{name: name}
		l.holders = l.only[:0]
		s.locks[name] = l
	}
	return l
}

// client is the client of that name, made if need be.
func (s *Service) client(name string) *client {
	c := s.clients[name]
	if c == nil {
		c = &client{name: name}
		c.leases = c.only[:0]
		s.clients[name] = c
	}
	return c
}
