package fsm

import "github.com/leasekeeper/leasekeeper/events"

// acquire grants a lease, queues the request, or finds that it closes a cycle
// and aborts clients (R4, R10, R14 to R20).
func (m *Machine) acquire(e events.Acquire) events.Answer {
	who, number := m.clients.number(e.Client), m.locks.number(e.Lock)
	if m.busy(who, number) {
		return m.refuse(e, e.At, events.ClientBusy)
	}
	if who == 0 {
		who = m.clients.add(m.owner, e.Client)
	}
	if number == 0 {
		number = m.locks.add(m.owner, e.Lock)
	}
	m.register(who)
	l := m.locks.at(number)
	if l.queue.Len() == 0 && l.compatible(e.Mode) {
		granted := m.grant(number, who, e.Mode, e.TTL, e.At, events.CauseFree)
		return events.Granted{Token: granted.token, ExpiresAt: granted.expires}
	}
	m.enqueue(number, who, e.Mode, e.TTL)
	return m.resolve(who, number)
}

// busy tells whether the client may not ask for the lock: in editions 1 and 2
// because it holds or awaits any lock (R8), in edition 3 because it awaits
// some lock or holds this one (R14). Either number may be 0.
func (m *Machine) busy(who, number uint32) bool {
	if who == 0 {
		return false
	}
	c := m.clients.at(who)
	if c.waits != 0 {
		return true
	}
	if m.rules.Edition < events.Edition3 {
		return c.holds() > 0
	}
	return number != 0 && c.token(number) != 0
}

// register gives the client the next age, unless it has one (R15).
func (m *Machine) register(number uint32) {
	if m.clients.at(number).age != 0 {
		return
	}
	c := m.clients.edit(m.owner, number)
	m.ages++
	c.age = m.ages
	m.sum.add(ageRow(c))
}
