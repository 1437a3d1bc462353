package naive

import (
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// resolve aborts one client after another until the one that has just been
// queued lies on no cycle of waiting clients any more, or is itself aborted.
// It lists the victims in the order of their aborts (R17, R18).
func (m *Model) resolve(requester string) []string {
	if m.skipsSearch() {
		return nil
	}
	var victims []string
	for {
		cycle := m.cycle(requester)
		// An aborted client waits for nothing. Only deviations that leave it
		// something need to be kept from aborting it for ever.
		cycle = slices.DeleteFunc(cycle, func(c string) bool { return slices.Contains(victims, c) })
		if len(cycle) == 0 {
			return victims
		}
		doomed := []string{m.victim(cycle, requester)}
		if m.wrong[wholeCycleAborted] {
			doomed = cycle
		}
		for _, client := range doomed {
			m.abort(client)
			victims = append(victims, client)
		}
		if slices.Contains(victims, requester) || m.wrong[oneVictimOnly] {
			return victims
		}
	}
}

// cycle lists the clients that lie on a cycle through one: those that it can
// reach and that can reach it, itself among them (R18).
func (m *Model) cycle(client string) []string {
	if m.unawaited(client) {
		return nil
	}
	reached := m.reachable(client)
	if !slices.Contains(reached, client) {
		return nil
	}
	if m.wrong[victimOffTheCycle] {
		return reached
	}
	if m.wrong[cyclesOfTwoOnly] {
		return m.pairsWith(client)
	}
	return slices.DeleteFunc(reached, func(c string) bool {
		return !slices.Contains(m.reachable(c), client)
	})
}

// unawaited tells for certain that nobody waits for a client: nobody stands in
// the queue of a lock that it holds, and it stands last in the only queue that it
// stands in.
func (m *Model) unawaited(client string) bool {
	for _, l := range m.leases.of(client) {
		if len(m.queue.on(l.lock)) > 0 {
			return false
		}
	}
	requests := m.queue.of(client)
	if len(requests) != 1 || m.wrong[queueBehindEdges] {
		return false
	}
	queue := m.queue.on(requests[0].lock)
	return queue[len(queue)-1] == requests[0]
}

// reachable lists the clients to which a way of one edge or more leads.
func (m *Model) reachable(client string) []string {
	var reached []string
	seen := map[string]bool{}
	next := m.waitsFor(client)
	for len(next) > 0 {
		c := next[0]
		next = next[1:]
		if !seen[c] {
			seen[c] = true
			reached = append(reached, c)
			next = append(next, m.waitsFor(c)...)
		}
	}
	return reached
}

// waitsFor lists a client's edges in the wait-for graph: if it waits for a
// lock, to every holder and to every client that is queued ahead of it (R16).
func (m *Model) waitsFor(client string) []string {
	var edges []string
	for _, r := range m.queue.of(client) {
		for i, l := range m.leases.on(r.lock) {
			if !m.missesHolder(r, l, i) {
				edges = append(edges, l.client)
			}
		}
		older := true
		for _, other := range m.queue.on(r.lock) {
			older = older && other != r
			if m.standsAhead(r, other, older) {
				edges = append(edges, other.client)
			}
		}
	}
	return edges
}

// victim is the youngest client of a cycle (R18).
func (m *Model) victim(cycle []string, requester string) string {
	if m.wrong[requesterIsVictim] {
		return requester
	}
	victim := ""
	for _, c := range cycle {
		if m.wrong[requesterSpared] && c == requester && len(cycle) > 1 {
			continue
		}
		if victim == "" || m.worse(c, victim) {
			victim = c
		}
	}
	return victim
}

// worse tells whether of two clients on a cycle the first is rather aborted.
func (m *Model) worse(a, b string) bool {
	if m.wrong[oldestVictim] {
		return m.ages[a] < m.ages[b]
	}
	if m.wrong[victimByName] {
		return a > b
	}
	if fewer := len(m.leasesOf(a)) - len(m.leasesOf(b)); m.wrong[victimWithFewestLeases] && fewer != 0 {
		return fewer < 0
	}
	return m.ages[a] > m.ages[b]
}

// abort takes everything from a client: first its request, then its leases by
// the names of their locks, each with the hand-over that follows, and last its
// registration (R19).
func (m *Model) abort(client string) {
	m.record(events.Effect{
		Kind: events.EffectAborted, Instant: m.clock, Client: client, Cause: events.CauseAbort,
	})
	for _, r := range slices.Clone(m.queue.of(client)) {
		if !m.wrong[victimStaysQueued] {
			m.withdraw(r, events.CauseAbort, events.CauseAbort)
		}
	}
	for _, l := range m.leasesOf(client) {
		if m.keepsLease(l) {
			continue
		}
		if m.wrong[abortTakesBackToken] {
			m.tokens[l.lock]--
		}
		if m.wrong[abortClearsMark] {
			delete(m.marks, place{lock: l.lock})
		}
		m.end(l, events.EffectReleased, m.clock, events.CauseAbort)
	}
	m.past.ages[client] = m.ages[client]
	if !m.wrong[victimStaysRegistered] {
		delete(m.ages, client)
	}
}

// leasesOf lists the leases of a client by the names of their locks.
func (m *Model) leasesOf(client string) []*lease {
	leases := slices.Clone(m.leases.of(client))
	slices.SortStableFunc(leases, func(a, b *lease) int { return strings.Compare(a.lock, b.lock) })
	return leases
}
