package naive

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// skipsSearch are the deviations that do not look for a deadlock.
func (m *Model) skipsSearch() bool {
	e, ok := m.now.(events.Acquire)
	return m.wrong[deadlockNotSearched] ||
		m.wrong[deadlockSearchedForWritersOnly] && ok && e.Mode == events.Shared
}

// pairsWith is the deviation that sees no cycle but that of two clients.
func (m *Model) pairsWith(client string) []string {
	pairs := slices.DeleteFunc(m.waitsFor(client), func(c string) bool {
		return !slices.Contains(m.waitsFor(c), client)
	})
	if len(pairs) == 0 {
		return nil
	}
	return append(pairs, client)
}

// missesHolder are the deviations without an edge from a request to the lock's
// i-th holder.
func (m *Model) missesHolder(r *request, l *lease, i int) bool {
	return m.wrong[sharedHolderEdgesMissing] && l.mode == events.Shared ||
		m.wrong[firstHolderEdgeOnly] && i > 0 ||
		m.wrong[compatibleEdgesMissing] && r.mode == events.Shared && l.mode == events.Shared
}

// standsAhead tells whether a request has an edge to another of the same
// queue, given whether that is older: to the older ones, but for the deviations.
func (m *Model) standsAhead(r, other *request, older bool) bool {
	if m.wrong[queueEdgesMissing] || r == other {
		return false
	}
	if m.wrong[compatibleEdgesMissing] && r.mode == events.Shared && other.mode == events.Shared {
		return false
	}
	return older || m.wrong[queueBehindEdges]
}

// keepsLease are the deviations that leave a victim a lease.
func (m *Model) keepsLease(l *lease) bool {
	return m.wrong[victimKeepsLeases] || m.wrong[abortFreesAwaitedOnly] && m.head(l.lock) == nil
}
