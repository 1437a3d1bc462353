package fsm

import "github.com/leasekeeper/leasekeeper/events"

// grant gives a client a lease that starts at the instant, under the lock's
// next token (R2, R5).
func (m *Machine) grant(number, to uint32, mode events.Mode, ttl, instant int64, cause events.Cause) lease {
	l, c := m.locks.edit(m.owner, number), m.clients.edit(m.owner, to)
	m.turns++
	granted := lease{client: to, mode: mode, token: m.issue(l), expires: instant + ttl, turn: m.turns}
	m.insertLease(number, l, c, &granted)
	m.note(events.Effect{
		Kind: events.EffectGranted, Cause: cause, Instant: instant, Lock: l.name, Client: c.name,
		Mode: mode, Token: granted.token, ExpiresAt: granted.expires,
	})
	return granted
}

// issue takes the lock's next token. The counter never goes back and outlives
// every lease (R5).
func (m *Machine) issue(l *lock) int64 {
	if l.counter > 0 {
		m.sum.remove(counterRow(l))
	}
	l.counter++
	m.sum.add(counterRow(l))
	return l.counter
}

// insertLease enters a lease in every table. Its token is above those in force.
func (m *Machine) insertLease(number uint32, l *lock, c *client, h *lease) {
	l.put(m.owner, h)
	c.take(m.owner, hold{number, h.token})
	m.schedule(number, l)
	m.sum.add(leaseRow(l, c, h))
}

// end takes a lease out of every table, whatever the reason. What follows for
// the queue is the caller's matter.
func (m *Machine) end(number uint32, l *lock, h *lease) {
	c := m.clients.edit(m.owner, h.client)
	m.sum.remove(leaseRow(l, c, h))
	c.drop(m.owner, number)
	l.remove(m.owner, h)
	m.schedule(number, l)
}

// schedule enters when the first lease of a lock ends.
func (m *Machine) schedule(number uint32, l *lock) {
	if l.holders() == 0 {
		m.lapses.Clear(m.owner, number)
		return
	}
	first := l.earliest()
	m.lapses.Set(m.owner, number, first.due())
}

// renew makes a lease end ttl ticks from now, which may be sooner than
// before, and changes nothing else (R2).
func (m *Machine) renew(e events.Renew) events.Answer {
	number, token := m.holding(e.Client, e.Lock)
	if token == 0 {
		return m.refuse(e, e.At, events.NotHolder)
	}
	l := m.locks.edit(m.owner, number)
	renewed := l.lease(token)
	c := m.clients.at(renewed.client)
	m.sum.remove(leaseRow(l, c, &renewed))
	l.move(m.owner, renewed, e.At+e.TTL)
	renewed.expires = e.At + e.TTL
	m.sum.add(leaseRow(l, c, &renewed))
	m.schedule(number, l)
	m.note(events.Effect{
		Kind: events.EffectRenewed, Instant: e.At, Lock: l.name, Client: c.name,
		Mode: renewed.mode, Token: token, ExpiresAt: renewed.expires,
	})
	return events.Renewed{ExpiresAt: renewed.expires}
}

// holding returns the lock's number and the token under which the client
// holds it; the token is 0 if it does not.
func (t *tables) holding(clientName, lockName string) (number uint32, token int64) {
	c, number := t.clients.number(clientName), t.locks.number(lockName)
	if c == 0 || number == 0 {
		return number, 0
	}
	return number, t.clients.at(c).token(number)
}
