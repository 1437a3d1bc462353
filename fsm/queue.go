package fsm

import "github.com/leasekeeper/leasekeeper/events"

// enqueue puts a request at the end of a lock's queue (R4).
func (m *Machine) enqueue(number, who uint32, mode events.Mode, ttl int64) {
	l, c := m.locks.edit(m.owner, number), m.clients.edit(m.owner, who)
	m.turns++
	m.insertRequest(number, l, c, ticket(m.turns), waiter{client: who, mode: mode, ttl: ttl})
	m.note(events.Effect{
		Kind: events.EffectQueued, Instant: m.clock, Lock: l.name, Client: c.name,
		Mode: mode, Position: l.queue.Len(),
	})
}

// insertRequest enters a request in every table.
func (m *Machine) insertRequest(number uint32, l *lock, c *client, at ticket, w waiter) {
	c.waits, c.ticket = number, at
	l.queue.Put(m.owner, at, w)
	m.sum.add(waiterRow(l, c, &w))
}

// dequeue takes a client's request out of the queue it stands in, and returns
// that lock's number.
func (m *Machine) dequeue(who uint32) (number uint32, w waiter) {
	c := m.clients.edit(m.owner, who)
	number = c.waits
	l := m.locks.edit(m.owner, number)
	w, _ = l.queue.Get(c.ticket)
	m.sum.remove(waiterRow(l, c, &w))
	l.queue.Delete(m.owner, c.ticket)
	c.waits, c.ticket = 0, 0
	return number, w
}

// withdraw takes a client's request back at the current instant and grants
// what it stood in the way of (R13). The cause of those grants says why.
func (m *Machine) withdraw(who uint32, why, grants events.Cause) {
	number, w := m.dequeue(who)
	m.note(events.Effect{
		Kind: events.EffectWithdrawn, Cause: why, Instant: m.clock,
		Lock: m.locks.name(number), Client: m.clients.name(who), Mode: w.mode,
	})
	m.promote(number, m.clock, grants)
}

// promote grants from the head of a lock's queue while the head is compatible
// with the holders. The leases start at the instant at which the lock became
// free for them (R3, R11).
func (m *Machine) promote(number uint32, instant int64, cause events.Cause) {
	for {
		l := m.locks.at(number)
		_, head, ok := l.queue.Min()
		if !ok || !l.compatible(head.mode) {
			return
		}
		m.dequeue(head.client)
		m.grant(number, head.client, head.mode, head.ttl, instant, cause)
	}
}
