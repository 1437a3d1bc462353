package fsm

import "github.com/leasekeeper/leasekeeper/events"

// advance moves the clock to ts and retires, in the order in which they
// happened, the leases that end by then (R1). A lease that is granted on the
// way may end by then too, and is retired in its turn (R3).
func (m *Machine) advance(ts int64) {
	for {
		number, next, ok := m.lapses.First()
		if !ok || next.At > ts {
			break
		}
		m.expire(number)
	}
	m.clock, m.started = ts, true
}

// expire retires the lease of a lock that ends first, at its own end, and
// hands the lock over at that instant (R2, R3).
func (m *Machine) expire(number uint32) {
	l := m.locks.edit(m.owner, number)
	ended := l.earliest()
	m.end(number, l, &ended)
	m.note(events.Effect{
		Kind: events.EffectExpired, Cause: events.CauseExpiry, Instant: ended.expires,
		Lock: l.name, Client: m.clients.at(ended.client).name,
		Mode: ended.mode, Token: ended.token, ExpiresAt: ended.expires,
	})
	m.promote(number, ended.expires, events.CauseExpiry)
}
