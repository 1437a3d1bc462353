package history

import "github.com/leasekeeper/leasekeeper/events"

// anyLock draws one of the locks.
func (g *Generator) anyLock() int { return g.below(len(g.locks)) }

// heldLock draws a lock that is held, or none.
func (g *Generator) heldLock() int {
	return g.find(len(g.locks), func(l int) bool { return len(g.locks[l].holders) > 0 })
}

// find draws a number below n that is good, or none if there is none: the
// first from a place that is drawn.
func (g *Generator) find(n int, good func(int) bool) int {
	start := g.below(n)
	for i := start; i < n; i++ {
		if good(i) {
			return i
		}
	}
	for i := range start {
		if good(i) {
			return i
		}
	}
	return none
}

// asker draws a client that may ask for a lock, or none.
func (g *Generator) asker(lock int) int {
	return g.find(len(g.clients), func(client int) bool { return !g.busy(client, lock) })
}

// busy tells whether a client may not ask for a lock (R8, R14).
func (g *Generator) busy(client, lock int) bool {
	c := &g.clients[client]
	if g.rules.Edition < events.Edition3 && len(c.holds) > 0 {
		return true
	}
	return c.waits != none || g.holds(client, lock)
}

// kept is the event as it is kept in a history: what the edition does not have
// becomes the Invalid that Parse makes of it.
func (g *Generator) kept(e events.Event) events.Event {
	if g.rules.Edition == events.Edition3 {
		return e
	}
	if _, _, refusal := g.rules.Admit(e); refusal == events.NotRefused {
		return e
	}
	return g.parsed(events.AppendJSON(nil, e))
}
