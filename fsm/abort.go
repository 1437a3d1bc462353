package fsm

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// abort takes a victim's request back, then its leases in the order of the
// locks' names, granting after each what has become possible, all at the
// instant of the acquire; last it forgets the victim's age (R19). Stored
// values and counters stay.
func (m *Machine) abort(victim uint32) {
	c := m.clients.edit(m.owner, victim)
	m.note(events.Effect{
		Kind: events.EffectAborted, Cause: events.CauseAbort, Instant: m.clock, Client: c.name,
	})
	if c.waits != 0 {
		m.withdraw(victim, events.CauseAbort, events.CauseAbort)
	}
	holds := slices.SortedFunc(c.held(), func(a, b hold) int {
		return cmp.Compare(m.locks.name(a.lock), m.locks.name(b.lock))
	})
	for _, h := range holds {
		m.endLease(h.lock, h.token, events.CauseAbort)
	}
	m.sum.remove(ageRow(c))
	c.age = 0
}
