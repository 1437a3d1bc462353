package projection

import (
	"fmt"
	"iter"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Step is one event of a history and what came of it: all that a projection
// looks at.
type Step struct {
	// Event is nil in the step that Until makes.
	Event  events.Event
	Result events.Result
	// Clock is the instant of the state after the event, in ticks. It counts
	// only if Started: before the first event with an instant there is no clock.
	Clock   int64
	Started bool
}

// Projection is a table that a history is folded into.
type Projection interface {
	// Apply takes the next step. It keeps neither the step nor its effects. It
	// panics if the step does not follow the last one.
	Apply(*Step)
}

// Group is several projections that are fed as one, in their order.
type Group []Projection

// Apply implements Projection.
func (g Group) Apply(s *Step) {
	for _, p := range g {
		p.Apply(s)
	}
}

// Run applies one event to a machine and the step to the projection. The
// result's effects are valid until the machine's next event.
func Run(m *fsm.Machine, e events.Event, p Projection) events.Result {
	s := Step{Event: e, Result: m.Apply(e)}
	s.Clock, s.Started = m.Clock()
	p.Apply(&s)
	return s.Result
}

// Fold runs a history, from a state on, through the projections and returns the
// state after it. The projections have to begin at the same state.
func Fold(state fsm.State, history iter.Seq[events.Event], projections ...Projection) fsm.State {
	m := fsm.NewMachine(state)
	for e := range history {
		Run(m, e, Group(projections))
	}
	return m.State()
}

// Until is the step from a state to an instant without an event: it lets the
// leases lapse that end by then (R1, R3). Its effects come under the sequence
// of the event to come, which will tell of them again: nothing may follow it in
// a fold. For an instant before the state's clock, or beyond the largest one
// (R24), nothing happens in it.
func Until(state fsm.State, ts int64) Step {
	at, lapses := state.Lapse(ts)
	s := Step{Result: events.Result{Sequence: state.Sequence() + 1, Effects: lapses}}
	s.Clock, s.Started = at.Clock()
	return s
}

// cursor checks that steps come in order.
type cursor struct{ last uint64 }

func (c *cursor) next(s *Step) {
	c.last++
	if s.Result.Sequence != c.last {
		panic(fmt.Sprintf("projection: the step of event %d, where that of event %d comes next", s.Result.Sequence, c.last))
	}
}
