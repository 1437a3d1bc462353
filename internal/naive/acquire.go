package naive

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// acquire grants a lock on the spot or puts the request into its queue, where
// it may close a cycle of waiting clients (R10, R17).
func (m *Model) acquire(e events.Acquire) events.Answer {
	if m.wrong[acquireAgainRenews] {
		if l := m.leaseOf(e.Client, e.Lock); l != nil {
			m.prolong(l, m.clock+e.TTL)
			return events.Granted{Token: l.token, ExpiresAt: l.expiresAt}
		}
	}
	if m.busy(e.Client, e.Lock) {
		return m.refuse(m.clock, events.ClientBusy)
	}
	if !m.wrong[ageAtGrant] {
		m.register(e.Client)
	}
	r := &request{names: names{e.Lock, e.Client}, mode: e.Mode, ttl: e.TTL, at: m.clock}
	if m.grantable(r) {
		l := m.grant(r, m.clock, events.CauseFree)
		return events.Granted{Token: l.token, ExpiresAt: l.expiresAt}
	}
	return m.enqueue(r)
}

// busy tells whether a client may not ask for a lock now: while it waits for
// any lock, and while it holds this lock or, before edition 3, any (R8, R14).
func (m *Model) busy(client, lock string) bool {
	leases := m.leases.of(client)
	if m.wrong[busySeesLapsed] {
		leases = m.past.leasesOf(client)
	}
	waits := len(m.queue.of(client)) > 0
	holdsAny := len(leases) > 0
	holdsThis := slices.ContainsFunc(leases, func(l *lease) bool { return l.lock == lock })

	if m.wrong[waitingIsNotBusy] {
		waits = false
	}
	if m.wrong[holdingIsNotBusy] {
		holdsThis = false
	}
	oneLock := m.rules.Edition < events.Edition3
	if oneLock && m.wrong[manyLocksInEarlyEditions] || !oneLock && m.wrong[oneLockInEdition3] {
		oneLock = !oneLock
	}
	if oneLock {
		return waits || holdsAny
	}
	return waits || holdsThis
}

// register gives a client its age, unless it has one: the number of its
// registration, so that a larger age is a younger client (R15).
func (m *Model) register(client string) {
	if _, ok := m.ages[client]; ok && !m.wrong[ageOfEveryAcquire] {
		return
	}
	m.registrations++
	m.ages[client] = m.registrations
	if m.wrong[ageByHeadCount] {
		delete(m.ages, client)
		m.ages[client] = int64(len(m.ages)) + 1
	}
	if age, ok := m.past.ages[client]; ok && m.wrong[victimReturnsWithItsAge] {
		m.ages[client] = age
	}
}

// grantable tells whether a request is granted on the spot: nobody may be
// queued, and it must be compatible with the holders (R10).
func (m *Model) grantable(r *request) bool {
	queued := len(m.queue.on(r.lock)) > 0
	if m.wrong[sharedOvertakes] && r.mode == events.Shared {
		queued = false
	}
	return !queued && m.compatible(r.mode, r.lock)
}

// compatible tells whether a mode goes with all the holders of a lock: if it
// has none, or if they and the mode are shared (R9).
func (m *Model) compatible(mode events.Mode, lock string) bool {
	for _, l := range m.leases.on(lock) {
		if m.wrong[writerJoinsReaders] && l.mode == events.Shared {
			continue
		}
		if m.wrong[readerJoinsWriter] && mode == events.Shared {
			continue
		}
		if mode != events.Shared || l.mode != events.Shared || m.wrong[modesIgnored] {
			return false
		}
	}
	return true
}

// enqueue puts a request at the end of its lock's queue, resolves what
// deadlock that causes, and answers with what has become of it (R4, R20).
func (m *Model) enqueue(r *request) events.Answer {
	m.setTokenAside(r)
	m.queue.add(r)
	before := m.position(r)
	m.record(events.Effect{
		Kind: events.EffectQueued, Instant: m.clock,
		Lock: r.lock, Client: r.client, Mode: r.mode, Position: before,
	})
	victims := m.resolve(r.client)

	waits := m.queue.has(r)
	l := m.leaseOf(r.client, r.lock)
	switch {
	case slices.Contains(victims, r.client):
		return events.Deadlock{Victims: victims}
	case m.wrong[grantAfterAbortHidden], m.wrong[positionBeforeAborts] && waits:
		return events.Queued{Position: before, Victims: victims}
	case waits || l == nil:
		return events.Queued{Position: m.position(r), Victims: victims}
	}
	return events.Granted{Token: l.token, ExpiresAt: l.expiresAt, Victims: victims}
}

// position is a request's place in its lock's queue: 1 is next in line (R4).
func (m *Model) position(r *request) int {
	position := 0
	if m.wrong[positionCountsHolders] {
		position += len(m.holders(r.lock))
	}
	if m.wrong[positionFromZero] {
		position--
	}
	for _, other := range m.queue.on(r.lock) {
		position++
		if other == r {
			break
		}
	}
	return position
}

// holders lists the leases of a lock, in the order of their grants.
func (m *Model) holders(lock string) []*lease {
	return slices.Clone(m.leases.on(lock))
}

// leaseOf is the lease of a client on a lock, or nil.
func (m *Model) leaseOf(client, lock string) *lease {
	for _, l := range m.leases.of(client) {
		if l.lock == lock {
			return l
		}
	}
	return nil
}

// requestOf is the request of a client for a lock, or nil.
func (m *Model) requestOf(client, lock string) *request {
	for _, r := range m.queue.of(client) {
		if r.lock == lock {
			return r
		}
	}
	return nil
}
