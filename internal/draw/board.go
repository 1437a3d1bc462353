package draw

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Plan is what a Board is to show.
type Plan struct {
	Title  string
	Rules  events.Rules
	Filter projection.Filter
	// Span is what the axis shows.
	Span   Span
	Choice Choice
	// Cells is how many cells the axis has, at least 1: characters or pixels.
	Cells int
	// Most is how many rows of each kind a lane keeps. A lane with more keeps
	// only how many there are in each cell.
	Most int
}

// Board is the second fold of a history: it keeps what is drawn of the chosen
// locks. Its memory is bounded by the plan and by the state. It implements
// projection.Projection.
type Board struct {
	*projection.Timeline
	Plan
	lanes map[string]*lane
}

// NewBoard is a board that begins at a state, which is to be the one at which the
// survey began.
func NewBoard(state fsm.State, plan Plan) *Board {
	b := &Board{Plan: plan, lanes: map[string]*lane{}}
	for _, lock := range plan.Choice.Locks {
		b.lanes[lock] = newLane(lock, plan.Span, plan.Cells, plan.Most)
	}
	filter := plan.Filter
	filter.Locks = plan.Choice.Locks
	b.Timeline = projection.NewTimeline(state, filter, projection.TimelineSink{
		Lease:   func(l projection.Lease) { b.of(l.Lock).lease(l) },
		Wait:    func(w projection.Wait) { b.of(w.Lock).wait(w) },
		Renewal: func(r projection.Renewal) { b.of(r.Lock).renewal(r) },
		Write:   func(w projection.Write) { b.of(w.Lock).write(w) },
	})
	return b
}

// of is the lane of a lock. If no lock was chosen, a filter without locks passes
// all of them, and nothing of them is wanted.
func (b *Board) of(lock string) *lane {
	if l := b.lanes[lock]; l != nil {
		return l
	}
	return newLane(lock, b.Span, 0, 0)
}

// Finish takes what is still going on and prepares the lanes. Nothing may be
// applied after it.
func (b *Board) Finish() {
	b.Open(
		func(l projection.Lease) { b.of(l.Lock).lease(l) },
		func(w projection.Wait) { b.of(w.Lock).wait(w) },
	)
	for _, l := range b.lanes {
		l.finish()
	}
}

// lanesInOrder are the lanes as the plan orders them.
func (b *Board) lanesInOrder() []*lane {
	lanes := make([]*lane, 0, len(b.Choice.Locks))
	for _, lock := range b.Choice.Locks {
		lanes = append(lanes, b.lanes[lock])
	}
	return lanes
}
