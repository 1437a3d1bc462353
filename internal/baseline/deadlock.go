package baseline

import (
	"cmp"
	"slices"
)

// resolve aborts the youngest client of every cycle that the requester has
// just closed, and returns the victims in order (R17, R18).
func (s *Service) resolve(requester *client) (victims []string) {
	for requester.request != nil && s.markWaitingFor(requester) {
		victim := s.youngestOnCycle(requester)
		s.abort(victim)
		victims = append(victims, victim.name)
	}
	return victims
}

// markWaitingFor marks every client that waits for the requester, directly or
// through others, and says whether the requester is one of them: then it has
// closed a cycle (R16). Mostly nobody waits for it, or a handful.
//
// The marked requests of a queue are always its end, from some place on:
// whoever stands behind a client waits for it, and a holder is awaited by all.
func (s *Service) markWaitingFor(requester *client) bool {
	s.search++
	todo := append(s.todo[:0], requester)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c.request != nil {
			todo = s.markFrom(c.request.next, todo)
		}
		for _, held := range c.leases {
			todo = s.markFrom(held.lock.first, todo)
		}
	}
	s.todo = todo
	return requester.waits == s.search
}

func (s *Service) markFrom(r *request, todo []*client) []*client {
	for ; r != nil && r.client.waits != s.search; r = r.next {
		r.client.waits = s.search
		todo = append(todo, r.client)
	}
	return todo
}

// youngestOnCycle is the victim: the youngest client that the requester waits
// for and that waits for the requester. All who stand between the two are
// marked, so the way leads over marked clients only. It is enough to look at
// the next one in the queue, and from its head at the holders.
func (s *Service) youngestOnCycle(requester *client) *client {
	youngest := requester
	todo := append(s.todo[:0], requester)
	visit := func(c *client) {
		if c.waits == s.search && c.visited != s.search {
			c.visited = s.search
			todo = append(todo, c)
		}
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c.age > youngest.age {
			youngest = c
		}
		// A marked client waits for something.
		if ahead := c.request.prev; ahead != nil {
			visit(ahead.client)
			continue
		}
		for _, held := range c.request.lock.holders {
			visit(held.client)
		}
	}
	s.todo = todo
	return youngest
}

// abort ends everything that the victim awaits and holds, and unregisters it
// (R19).
func (s *Service) abort(victim *client) {
	if r := victim.request; r != nil {
		r.leave()
		s.handOver(r.lock, s.clock)
	}
	held := slices.Clone(victim.leases)
	slices.SortFunc(held, func(a, b *lease) int { return cmp.Compare(a.lock.name, b.lock.name) })
	for _, ended := range held {
		s.end(ended, s.clock)
	}
	victim.age = 0
}
