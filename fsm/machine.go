package fsm

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
)

// Machine applies events to a state of its own, in place: several times
// faster than Apply, with the same results. It is not safe for concurrent
// use; the States that it returns are.
type Machine struct {
	tables
	owner   *persist.Owner
	effects []events.Effect
	// repeating is true during the runs of a repeat, whose answers are only
	// counted.
	repeating bool
	visited   int // clients that deadlock searches looked at, for measurement
}

// NewMachine returns a machine that goes on from s. The state s is not
// changed by it.
func NewMachine(s State) *Machine {
	return &Machine{tables: s.tables, owner: persist.NewOwner()}
}

// State returns the machine's current state in O(1). The machine may go on at
// once: its next change of each row copies what the state shares with it.
func (m *Machine) State() State {
	m.owner = persist.NewOwner()
	return State{m.tables}
}

// Apply applies one event and returns its result. Result.Effects is valid
// until the next call; everything else is the caller's to keep.
func (m *Machine) Apply(e events.Event) events.Result {
	m.sequence++
	m.effects = m.effects[:0]
	result := events.Result{Sequence: m.sequence, Answer: m.answer(e)}
	if len(m.effects) > 0 {
		result.Effects = m.effects
	}
	return result
}

// answer checks and carries out one operation: an event, or a run of a
// repeat. The order of the checks is R23.
func (m *Machine) answer(e events.Event) events.Answer {
	at, moves, refusal := m.rules.Admit(e)
	switch {
	case moves && m.started && at < m.clock:
		return m.refuse(e, at, events.ClockWentBack)
	case moves:
		m.advance(at)
	case m.started:
		at = m.clock
	default:
		at = 0
	}
	if refusal != events.NotRefused {
		return m.refuse(e, at, refusal)
	}
	switch e := e.(type) {
	case events.Acquire:
		return m.acquire(e)
	case events.Renew:
		return m.renew(e)
	case events.Release:
		return m.release(e)
	case events.Write:
		return m.write(e)
	case events.Read:
		return m.read(e)
	case events.Inspect:
		if m.repeating { // nobody sees the view
			return events.LockView{}
		}
		return m.inspect(e.Lock)
	case events.Status:
		if m.repeating {
			return events.ClientView{}
		}
		return m.status(e.Client)
	case events.Repeat:
		return m.repeat(e)
	}
	panic(fmt.Sprintf("fsm: events.Admit let an event of type %T pass", e))
}

// note records an effect of the current event.
func (m *Machine) note(e events.Effect) {
	e.Sequence = m.sequence
	m.effects = append(m.effects, e)
}

// refuse records and answers a refusal.
func (m *Machine) refuse(e events.Event, at int64, refusal events.Refusal) events.Answer {
	effect := events.Effect{Kind: events.EffectRefused, Refusal: refusal, Instant: at}
	switch e := e.(type) {
	case events.Acquire:
		effect.Client, effect.Lock = e.Client, e.Lock
	case events.Renew:
		effect.Client, effect.Lock = e.Client, e.Lock
	case events.Release:
		effect.Client, effect.Lock = e.Client, e.Lock
	case events.Write:
		effect.Lock, effect.Key, effect.Token = e.Lock, e.Key, e.Token
	case events.Read:
		effect.Lock, effect.Key = e.Lock, e.Key
	case events.Inspect:
		effect.Lock = e.Lock
	case events.Status:
		effect.Client = e.Client
	}
	m.note(effect)
	return refusal
}
