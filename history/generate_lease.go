package history

import "github.com/leasekeeper/leasekeeper/events"

// ask lets a client that may ask for a lock ask for any.
func (g *Generator) ask() events.Event { return g.askFor(g.anyLock()) }

func (g *Generator) askFor(lock int) events.Event {
	client := g.asker(lock)
	if client == none {
		return nil
	}
	return g.acquire(client, lock)
}

// contend lets it ask for one that is held, if there is one.
func (g *Generator) contend() events.Event {
	lock := g.heldLock()
	if lock == none {
		return nil
	}
	return g.askFor(lock)
}

// comeBack lets a victim ask again (R15).
func (g *Generator) comeBack() events.Event {
	client := g.find(len(g.clients), func(c int) bool { return g.clients[c].aborted })
	if client == none {
		return nil
	}
	return g.acquire(client, g.anyLock())
}

// askBusy lets a client ask that will be told that it is busy (R8, R14).
func (g *Generator) askBusy() events.Event {
	client := g.find(len(g.clients), func(c int) bool {
		return g.clients[c].waits != none || len(g.clients[c].holds) > 0
	})
	if client == none {
		return nil
	}
	if c := &g.clients[client]; c.waits == none && g.oneIn(2) {
		return g.acquire(client, oneOf(&g.dice, c.holds))
	}
	return g.acquire(client, g.anyLock())
}

// acquire is an acquire by a client of a lock, at an instant, for a ttl and in
// a mode that are all drawn.
func (g *Generator) acquire(client, lock int) events.Event {
	at := g.instant()
	e := events.Acquire{
		At: at, Client: g.clients[client].name, Lock: g.locks[lock].name, TTL: g.lasting(at), Mode: events.Exclusive,
	}
	if g.percent(g.plan.shared) {
		e.Mode = events.Shared
	}
	return g.kept(e)
}

// renew lets a holder renew (R2).
func (g *Generator) renew() events.Event {
	lock := g.heldLock()
	if lock == none {
		return nil
	}
	return g.renewal(oneOf(&g.dice, g.locks[lock].holders).client, lock, g.instant())
}

// renewOther lets a client renew that is no holder: one that waits, or any.
func (g *Generator) renewOther() events.Event {
	lock := g.anyLock()
	client := g.below(len(g.clients))
	if queue := g.locks[lock].queue; len(queue) > 0 && g.oneIn(2) {
		client = oneOf(&g.dice, queue)
	}
	return g.renewal(client, lock, g.instant())
}

func (g *Generator) renewal(client, lock int, at int64) events.Event {
	return events.Renew{At: at, Client: g.clients[client].name, Lock: g.locks[lock].name, TTL: g.lasting(at)}
}

// release lets a holder release (R7).
func (g *Generator) release() events.Event {
	lock := g.heldLock()
	if lock == none {
		return nil
	}
	holder := oneOf(&g.dice, g.locks[lock].holders).client
	return events.Release{At: g.instant(), Client: g.clients[holder].name, Lock: g.locks[lock].name}
}

// withdraw lets a client that waits give up, every other time the next in
// line (R13).
func (g *Generator) withdraw() events.Event {
	lock := g.find(len(g.locks), func(l int) bool { return len(g.locks[l].queue) > 0 })
	if lock == none {
		return nil
	}
	queue := g.locks[lock].queue
	client := queue[0]
	if g.oneIn(2) {
		client = oneOf(&g.dice, queue)
	}
	return events.Release{At: g.instant(), Client: g.clients[client].name, Lock: g.locks[lock].name}
}

// releaseOther lets any client release any lock.
func (g *Generator) releaseOther() events.Event {
	return events.Release{At: g.instant(), Client: oneOf(&g.dice, g.clients).name, Lock: g.locks[g.anyLock()].name}
}

// meetEnd lets a holder do something at the end of its lease, or right before
// or after it, or lets somebody look (R1, R2, R7).
func (g *Generator) meetEnd() events.Event {
	lock := g.heldLock()
	if lock == none {
		return nil
	}
	lease := oneOf(&g.dice, g.locks[lock].holders)
	client, name := g.clients[lease.client].name, g.locks[lock].name
	at := g.about(lease.expiresAt)
	switch g.below(8) {
	case 0, 1:
		return g.renewal(lease.client, lock, at)
	case 2, 3:
		return events.Release{At: at, Client: client, Lock: name}
	case 4:
		return events.Acquire{At: at, Client: client, Lock: name, TTL: g.lasting(at), Mode: events.Exclusive}
	case 5:
		return events.Write{At: at, Lock: name, Key: g.anyKey(), Value: g.anyValue(), Token: lease.token}
	case 6:
		return g.kept(events.Status{At: at, Client: client})
	}
	return events.Inspect{At: at, Lock: name}
}

// inspect looks at a lock, rather at one that has more to show.
func (g *Generator) inspect() events.Event {
	lock := g.anyLock()
	for range 2 {
		if other := g.anyLock(); g.crowd(other) > g.crowd(lock) {
			lock = other
		}
	}
	return events.Inspect{At: g.instant(), Lock: g.locks[lock].name}
}

// crowd is how many clients a lock has to do with.
func (g *Generator) crowd(lock int) int { return len(g.locks[lock].holders) + len(g.locks[lock].queue) }

// status looks at a client, rather at one that has more to show.
func (g *Generator) status() events.Event {
	client := g.below(len(g.clients))
	for range 3 {
		if other := g.below(len(g.clients)); len(g.clients[other].holds) > len(g.clients[client].holds) {
			client = other
		}
	}
	return g.kept(events.Status{At: g.instant(), Client: g.clients[client].name})
}
