package fsm

import "github.com/leasekeeper/leasekeeper/events"

// release ends the client's lease, or withdraws its waiting request (R7).
func (m *Machine) release(e events.Release) events.Answer {
	number, token := m.holding(e.Client, e.Lock)
	if token != 0 {
		m.endLease(number, token, events.CauseRelease)
		return events.Released
	}
	who := m.clients.number(e.Client)
	if who != 0 && number != 0 && m.clients.at(who).waits == number {
		m.withdraw(who, events.CauseRelease, events.CauseWithdrawal)
		return events.Withdrawn
	}
	return m.refuse(e, e.At, events.NotHolder)
}

// endLease ends a lease at the current instant and hands the lock over at that
// instant (R3).
func (m *Machine) endLease(number uint32, token int64, cause events.Cause) {
	l := m.locks.edit(m.owner, number)
	ended := l.lease(token)
	m.end(number, l, &ended)
	m.note(events.Effect{
		Kind: events.EffectReleased, Cause: cause, Instant: m.clock,
		Lock: l.name, Client: m.clients.name(ended.client),
		Mode: ended.mode, Token: ended.token, ExpiresAt: ended.expires,
	})
	m.promote(number, m.clock, cause)
}
