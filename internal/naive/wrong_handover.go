package naive

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// recalling lists the deviations that look at the tables as they were before
// leases were retired.
var recalling = []deviation{busySeesLapsed, chainStopsAfterOne, releaseIgnoresExpiry}

// past is what only deviations look back at.
type past struct {
	leases   []*lease         // before the current operation retired any
	queue    []*request       // likewise
	ended    *lease           // the lease whose end is being handed over
	firstEnd map[string]int64 // by lock: when the first of its present readers ended
	ages     map[string]int64 // of clients that were aborted
}

// remember notes the tables as they are before leases are retired.
func (m *Model) remember() {
	if !m.recalls {
		return
	}
	m.past.leases = append(m.past.leases[:0], m.leases.all...)
	m.past.queue = append(m.past.queue[:0], m.queue.all...)
}

// leasesOf lists the leases that a client had then.
func (p *past) leasesOf(client string) []*lease {
	return slices.DeleteFunc(slices.Clone(p.leases), func(l *lease) bool { return l.client != client })
}

// noteEnd remembers a lease for the hand-over that its end brings about.
func (m *Model) noteEnd(l *lease, at int64) {
	m.past.ended = l
	_, known := m.past.firstEnd[l.lock]
	if l.mode == events.Shared && !known && len(m.holders(l.lock)) > 0 {
		m.past.firstEnd[l.lock] = at
	}
}

// forgetEnd is called when that hand-over is done.
func (m *Model) forgetEnd() {
	lock := m.past.ended.lock
	m.past.ended = nil
	if holders := m.holders(lock); len(holders) == 0 || holders[0].mode != events.Shared {
		delete(m.past.firstEnd, lock)
	}
}

// losesHandOver are the deviations that do not serve the queue.
func (m *Model) losesHandOver(cause events.Cause) bool {
	switch cause {
	case events.CauseExpiry:
		return m.wrong[lapseWithoutHandOver]
	case events.CauseRelease:
		return m.wrong[releaseWithoutHandOver]
	case events.CauseWithdrawal:
		return m.wrong[withdrawWithoutHandOver]
	case events.CauseAbort:
		return m.wrong[abortWithoutHandOver]
	}
	return false
}

// squeezesIn is the deviation that lets a waiting writer in among readers.
func (m *Model) squeezesIn(r *request) bool {
	return m.wrong[writerGrantedBesideReader] && r.mode == events.Exclusive &&
		!slices.ContainsFunc(m.holders(r.lock), func(l *lease) bool { return l.mode == events.Exclusive })
}

// overtakes are the deviations in which a request is served before an older one.
func (m *Model) overtakes(r, older *request) bool {
	return m.wrong[queueLIFO] || m.wrong[queueByAge] && m.ages[r.client] < m.ages[older.client]
}

// handOverInstant is the instant from which a hand-over's lease counts, which
// is at, but for the deviations.
func (m *Model) handOverInstant(r *request, at int64, cause events.Cause) int64 {
	ended := m.past.ended
	firstEnd, known := m.past.firstEnd[r.lock]
	switch {
	case m.wrong[handOverAtObservation]:
		return m.clock
	case m.wrong[leaseFromRequest]:
		return r.at
	case m.wrong[releaseHandsOverAtExpiry] && cause == events.CauseRelease && ended != nil,
		m.wrong[abortHandsOverAtExpiry] && cause == events.CauseAbort && ended != nil:
		return ended.expiresAt
	case m.wrong[writerStartsWithFirstReader] && r.mode == events.Exclusive && known:
		return firstEnd
	}
	return at
}

// isStoreOperation tells operations of the store from those of the locks.
func isStoreOperation(e events.Event) bool {
	switch e.(type) {
	case events.Write, events.Read:
		return true
	}
	return false
}
