package baseline

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
// Nobody stands behind the requester, so whoever waits for it waits for a lock
// that it holds, or for one that somebody marked holds. The whole queue does.
func (s *Service) markWaitingFor(requester *client) bool {
	s.search++
	todo := append(s.todo[:0], requester)
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, held := range c.leases {
			for r := held.lock.first; r != nil && r.client.waits != s.search; r = r.next {
				r.client.waits = s.search
				todo = append(todo, r.client)
			}
		}
	}
	s.todo = todo
	return requester.waits == s.search
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
// (R19). The rules prescribe an order of the locks; it decides the order of the
// effects, which nobody sees here, and no answer.
func (s *Service) abort(victim *client) {
	if r := victim.request; r != nil {
		r.leave()
		s.handOver(r.lock, s.clock)
	}
	for len(victim.leases) > 0 {
		s.end(victim.leases[len(victim.leases)-1], s.clock)
	}
	victim.age = 0
}
