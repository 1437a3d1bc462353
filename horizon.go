package leasekeeper

import (
	"sort"

	"github.com/leasekeeper/leasekeeper/events"
)

// Horizon goes through a history, event by event, and says what of it had
// happened by an instant. It knows the clock without a state. It is not safe
// for concurrent use.
type Horizon struct {
	rules   events.Rules
	ts      int64
	clock   int64
	started bool
}

// NewHorizon is for a history from its beginning, up to the instant ts.
func NewHorizon(rules events.Rules, ts int64) *Horizon { return &Horizon{rules: rules, ts: ts} }

// Begin says what the clock was where the history begins, if not at the genesis:
// as State.Clock returns it.
func (h *Horizon) Begin(clock int64, started bool) { h.clock, h.started = clock, started }

// Take is given the next event and returns the part of it that had happened by
// the instant: the event as a whole, the first runs of a Repeat, or nil. Events
// that do not move the clock have happened whenever they come (R1, R26). After
// one that is not whole there is nothing more to take.
func (h *Horizon) Take(e events.Event) (part events.Event, whole bool) {
	at, moves, refusal := h.rules.Admit(e)
	if !moves || h.started && at < h.clock {
		return e, true
	}
	if at > h.ts {
		return nil, false
	}
	h.clock, h.started = at, true
	r, ok := e.(events.Repeat)
	if !ok || refusal != events.NotRefused {
		return e, true
	}
	if template, ok := events.CompileTemplate(r.Template); ok {
		if _, moves, _ := h.rules.Admit(template.Event(h.rules, at, 0)); !moves {
			return e, true // runs of an unknown name never move the clock
		}
	}
	return h.runs(r)
}

// runs takes those runs of a repeat that had happened. They go on in time, so these
// are the first ones. Runs beyond the largest instant come last and do not move
// the clock.
func (h *Horizon) runs(r events.Repeat) (part events.Event, whole bool) {
	runs := int64(sort.Search(int(r.Count), func(i int) bool {
		at, ok := r.RunAt(int64(i))
		return !ok || at > h.ts
	}))
	if runs > 0 {
		h.clock, _ = r.RunAt(runs - 1)
	}
	if runs == r.Count {
		return r, true
	}
	if at, ok := r.RunAt(runs); !ok || at > h.rules.MaxInstant() {
		return r, true // none but runs that are refused for their instant is left
	}
	r.Count = runs
	return r, false
}
