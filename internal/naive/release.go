package naive

import "github.com/leasekeeper/leasekeeper/events"

// renew lets a lease end its ttl from now, earlier or later than it would
// have, and changes nothing else (R2).
func (m *Model) renew(e events.Renew) events.Answer {
	l := m.leaseOf(e.Client, e.Lock)
	if holders := m.holders(e.Lock); m.wrong[renewByAnyone] && l == nil && len(holders) > 0 {
		l = holders[0]
	}
	if l == nil || m.wrong[renewRefusedWhenAwaited] && m.head(e.Lock) != nil {
		return m.refuse(m.clock, events.NotHolder)
	}
	m.prolong(l, m.renewedEnd(l, e.TTL))
	if m.wrong[renewTakesToken] {
		m.tokens[e.Lock]++
		l.token = m.tokens[e.Lock]
	}
	if m.wrong[readersRenewedTogether] {
		for _, other := range m.holders(e.Lock) {
			m.prolong(other, l.expiresAt)
		}
	}
	m.record(events.Effect{
		Kind: events.EffectRenewed, Instant: m.clock,
		Lock: l.lock, Client: l.client, Mode: l.mode, Token: l.token, ExpiresAt: l.expiresAt,
	})
	return events.Renewed{ExpiresAt: l.expiresAt}
}

// renewedEnd is when a renewed lease ends: measured from now (R2).
func (m *Model) renewedEnd(l *lease, ttl int64) int64 {
	switch {
	case m.wrong[renewFromOldExpiry]:
		return l.expiresAt + ttl
	case m.wrong[renewOnlyLengthens]:
		return max(l.expiresAt, m.clock+ttl)
	case m.wrong[renewRepeatsTTL]:
		return m.clock + l.ttl
	}
	return m.clock + ttl
}

// release ends a lease now, or takes a waiting request back (R7, R12, R13).
func (m *Model) release(e events.Release) events.Answer {
	if l := m.leaseOf(e.Client, e.Lock); l != nil {
		for _, other := range m.endsWith(l) {
			m.end(other, events.EffectReleased, m.clock, events.CauseRelease)
		}
		return events.Released
	}
	if r := m.requestOf(e.Client, e.Lock); r != nil && !m.wrong[waiterCannotRelease] {
		if !m.wrong[withdrawnStaysQueued] {
			m.withdraw(r, events.CauseRelease, events.CauseWithdrawal)
		}
		return events.Withdrawn
	}
	if answer := m.releaseWithoutRight(e); answer != nil {
		return answer
	}
	return m.refuse(m.clock, events.NotHolder)
}

// withdraw takes a request out of its queue, which may leave a head that is
// compatible with the holders (R13, R19).
func (m *Model) withdraw(r *request, cause, granted events.Cause) {
	m.queue.remove(r)
	m.record(events.Effect{
		Kind: events.EffectWithdrawn, Instant: m.clock, Cause: cause,
		Lock: r.lock, Client: r.client, Mode: r.mode,
	})
	m.handOver(r.lock, m.clock, granted)
}
