package naive

import (
	"math"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// wentBack tells whether an instant lies before the clock (R26). A service
// that has seen no operation has no clock yet.
func (m *Model) wentBack(at int64) bool {
	if m.wrong[clockGoesBack] || m.wrong[clockClamped] {
		return false
	}
	if m.wrong[clockStartsAtZero] && !m.started {
		return at < 0
	}
	if m.wrong[equalInstantWentBack] && m.started && at == m.clock {
		return true
	}
	return m.started && at < m.clock
}

// advance makes the state that of an instant: the leases that have lapsed by
// then are retired in the order in which they ended, and each hands its lock
// over at its own end, to a lease that may have lapsed in turn (R1, R3).
func (m *Model) advance(at int64) {
	if m.wrong[clockClamped] && m.started {
		at = max(at, m.clock)
	}
	if m.wrong[storeLeavesClock] && isStoreOperation(m.now) {
		return
	}
	m.remember()
	m.started, m.clock = true, at
	for l := m.nextLapse(); l != nil; l = m.nextLapse() {
		m.end(l, events.EffectExpired, l.expiresAt, events.CauseExpiry)
	}
	if m.wrong[ageLostWhenIdle] {
		m.forgetIdle()
	}
}

// nextLapse is the lapsed lease that ended first; of leases that ended at the
// same instant the one granted first (R3). It is nil if no lease has lapsed.
func (m *Model) nextLapse() *lease {
	if m.clock < m.quiet {
		return nil
	}
	var next *lease
	m.quiet = math.MaxInt64
	for _, l := range m.leases.all {
		m.quiet = min(m.quiet, l.expiresAt)
		if m.lapsed(l) && (next == nil || l.expiresAt < next.expiresAt) {
			next = l
		}
	}
	return next
}

// lapsed tells whether a lease is over: at its very end it is (R2).
func (m *Model) lapsed(l *lease) bool {
	if l.expiresAt > m.clock {
		return false
	}
	if m.wrong[chainStopsAfterOne] && !slices.Contains(m.past.leases, l) {
		return false
	}
	switch e := m.now.(type) {
	case events.Inspect:
		if m.wrong[inspectShowsLapsed] {
			return false
		}
	case events.Status:
		if m.wrong[statusShowsLapsed] {
			return false
		}
	case events.Renew:
		own := e.Client == l.client && e.Lock == l.lock
		if m.wrong[renewIgnoresExpiry] && own {
			return false
		}
		if m.wrong[renewAtExpiry] && own {
			return l.expiresAt < m.clock
		}
	}
	if m.wrong[usableAtExpiry] {
		return l.expiresAt < m.clock
	}
	return true
}

// prolong moves the end of a lease.
func (m *Model) prolong(l *lease, expiresAt int64) {
	l.expiresAt = expiresAt
	m.quiet = min(m.quiet, expiresAt)
}

// end takes a lease away at an instant, for a cause, and hands its lock over
// (R3, R7, R19).
func (m *Model) end(l *lease, kind events.EffectKind, at int64, cause events.Cause) {
	m.leases.remove(l)
	m.record(events.Effect{
		Kind: kind, Instant: at, Cause: cause,
		Lock: l.lock, Client: l.client, Mode: l.mode, Token: l.token, ExpiresAt: l.expiresAt,
	})
	if m.wrong[readersLapseTogether] && cause == events.CauseExpiry {
		for _, other := range m.holders(l.lock) {
			m.leases.remove(other)
		}
	}
	m.noteEnd(l, at)
	m.handOver(l.lock, at, cause)
	m.forgetEnd()
}

// handOver serves the queue of a lock whose holders have changed: as long as
// its head is compatible with the holders it is granted, from the instant of
// the change (R3, R11).
func (m *Model) handOver(lock string, at int64, cause events.Cause) {
	if m.losesHandOver(cause) {
		return
	}
	for head := m.head(lock); head != nil; head = m.head(lock) {
		if !m.compatible(head.mode, lock) && !m.squeezesIn(head) {
			return
		}
		m.queue.remove(head)
		if m.wrong[lapsedWaiterSkipped] && cause == events.CauseExpiry && at+head.ttl <= m.clock {
			continue
		}
		m.grant(head, m.handOverInstant(head, at, cause), cause)
		if m.wrong[oneGrantAHandOver] {
			return
		}
	}
}

// head is the request that is next in line for a lock, or nil: the oldest (R4).
func (m *Model) head(lock string) *request {
	var head *request
	for _, r := range m.queue.on(lock) {
		if m.wrong[handOverPassesWriter] && !m.compatible(r.mode, lock) {
			continue
		}
		if head == nil || m.overtakes(r, head) {
			head = r
		}
	}
	return head
}

// grant gives a request its lease, from an instant, with the lock's next
// fencing token (R2, R5).
func (m *Model) grant(r *request, at int64, cause events.Cause) *lease {
	if m.wrong[ageAtGrant] {
		m.register(r.client)
	}
	m.resetWhenIdle(r.lock, cause)
	ttl := r.ttl
	if m.wrong[handOverWithHoldersTTL] && m.past.ended != nil {
		ttl = m.past.ended.ttl
	}
	l := &lease{
		names: r.names, mode: r.mode,
		token: m.nextToken(r, cause), expiresAt: at + ttl, ttl: ttl,
	}
	m.leases.add(l)
	m.quiet = min(m.quiet, l.expiresAt)
	m.record(events.Effect{
		Kind: events.EffectGranted, Instant: at, Cause: cause,
		Lock: l.lock, Client: l.client, Mode: l.mode, Token: l.token, ExpiresAt: l.expiresAt,
	})
	return l
}

// nextToken counts the grants of a lock, from 1 and without end (R5).
func (m *Model) nextToken(r *request, cause events.Cause) int64 {
	counter := r.lock
	if m.wrong[counterSharedByLocks] {
		counter = ""
	}
	if token, ok := m.deviantToken(r, counter, cause); ok {
		return token
	}
	m.tokens[counter]++
	return m.tokens[counter]
}
