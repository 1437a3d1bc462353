package projection

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// ages are the registered clients (R15), told by effects alone: a client is
// registered by its first acquire that passes all checks, whose effect is
// granted or queued, and until it is aborted.
type ages struct {
	of     map[string]int64
	issued int64
}

func agesAt(s fsm.State) ages {
	a := ages{of: map[string]int64{}, issued: s.Counters().Ages}
	for c := range s.Clients() {
		a.of[c.Name] = c.Age
	}
	return a
}

// registers tells whether the effect registers its client, and does it.
func (a *ages) registers(e *events.Effect) bool {
	if e.Kind != events.EffectQueued && (e.Kind != events.EffectGranted || e.Cause != events.CauseFree) {
		return false // who is granted from a queue is registered
	}
	if a.of[e.Client] != 0 {
		return false
	}
	a.issued++
	a.of[e.Client] = a.issued
	return true
}

// aborted ends a client's registration and returns its age.
func (a *ages) aborted(client string) int64 {
	age := a.of[client]
	delete(a.of, client)
	return age
}
