package history

import "github.com/leasekeeper/leasekeeper/events"

// nest lets a client that holds a lock ask for another one that is held: the
// edges that a cycle is made of (R16).
func (g *Generator) nest() events.Event {
	client := g.find(len(g.clients), func(c int) bool {
		return g.clients[c].waits == none && len(g.clients[c].holds) > 0
	})
	if client == none {
		return nil
	}
	lock := g.find(len(g.locks), func(l int) bool { return len(g.locks[l].holders) > 0 && !g.holds(client, l) })
	if lock == none {
		return nil
	}
	return g.acquire(client, lock)
}

// closeCycle goes from a client that waits for nobody back along the edges to
// it, and lets it ask for what the client at the other end holds (R17).
func (g *Generator) closeCycle() events.Event {
	lock := g.find(len(g.locks), func(l int) bool {
		return len(g.locks[l].queue) > 0 && g.idleHolder(l) != none
	})
	if lock == none {
		return nil
	}
	requester := g.idleHolder(lock)
	last := none // a lock that somebody on the way holds
	for range 4 {
		lock = g.lockBehind(lock)
		if lock == none {
			break
		}
		if !g.holds(requester, lock) {
			last = lock
		}
		if g.oneIn(3) {
			break
		}
	}
	if last == none {
		return nil
	}
	return g.acquire(requester, last)
}

// idleHolder is a holder of a lock that waits for nothing, or none.
func (g *Generator) idleHolder(lock int) int {
	for _, lease := range g.locks[lock].holders {
		if g.clients[lease.client].waits == none {
			return lease.client
		}
	}
	return none
}

// lockBehind draws a lock that is held by one who waits for the given one, or
// none.
func (g *Generator) lockBehind(lock int) int {
	queue := g.locks[lock].queue
	if len(queue) == 0 {
		return none
	}
	place := g.find(len(queue), func(i int) bool { return len(g.clients[queue[i]].holds) > 0 })
	if place == none {
		return none
	}
	return oneOf(&g.dice, g.clients[queue[place]].holds)
}
