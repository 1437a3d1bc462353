package naive

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// endsWith lists the leases that end when a holder releases one: that one,
// but for the deviations.
func (m *Model) endsWith(l *lease) []*lease {
	switch {
	case m.wrong[releaseEndsAllLeases]:
		return m.leasesOf(l.client)
	case m.wrong[readersReleasedTogether] && l.mode == events.Shared:
		return m.holders(l.lock)
	}
	return []*lease{l}
}

// releaseWithoutRight are the deviations that answer a release by somebody who
// neither holds nor awaits the lock; nil if none applies.
func (m *Model) releaseWithoutRight(e events.Release) events.Answer {
	if m.wrong[releaseIgnoresExpiry] {
		late := slices.ContainsFunc(m.past.leases, func(l *lease) bool {
			return l.client == e.Client && l.lock == e.Lock
		})
		if late {
			m.promoteAgain(e.Lock)
			return events.Released
		}
	}
	if holders := m.holders(e.Lock); m.wrong[releaseByAnyone] && len(holders) > 0 {
		m.end(holders[0], events.EffectReleased, m.clock, events.CauseRelease)
		return events.Released
	}
	if m.wrong[releaseOfNothingAccepted] {
		return events.Released
	}
	return nil
}

// promoteAgain gives the request that was next in line before the pass, and
// that a lapse has promoted since, a second lease.
func (m *Model) promoteAgain(lock string) {
	for _, r := range m.past.queue {
		if r.lock != lock {
			continue
		}
		if !m.queue.has(r) {
			m.grant(r, m.clock, events.CauseRelease)
		}
		return
	}
}
