package projection

import (
	"cmp"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Moment is a place in a history. Moments are in the order in which things
// happened, also where an event does several things at one instant.
//
// The zero Moment stands for what has not happened.
type Moment struct {
	// Instant is when it happened, in ticks. For a lapse, and for a grant that
	// a lapse brought, that is the end of the lease (R3).
	Instant int64
	// Sequence is that of the event that brought it to light.
	Sequence uint64
	// Effect is the index among the event's effects, and below 0 if the moment
	// is Earlier.
	Effect int
}

// momentOf is the moment of an event's effect.
func momentOf(e *events.Effect, index int) Moment {
	return Moment{Instant: e.Instant, Sequence: e.Sequence, Effect: index}
}

// earlierThan is the moment of everything that had begun when a projection
// began, at the given state.
func earlierThan(s fsm.State) Moment {
	clock, _ := s.Clock()
	return Moment{Instant: clock, Sequence: s.Sequence(), Effect: -1}
}

// Happened tells whether the moment is not the zero one.
func (m Moment) Happened() bool { return m != Moment{} }

// Earlier tells that something had happened by the time when the projection
// began, after event Sequence and at Instant; when and why is not known.
func (m Moment) Earlier() bool { return m.Effect < 0 }

// Compare orders moments as they came: by event, then by effect. Moments that
// are Earlier are equal among each other and come first.
func (m Moment) Compare(other Moment) int {
	return cmp.Or(cmp.Compare(m.Sequence, other.Sequence), cmp.Compare(m.Effect, other.Effect))
}

// String is the moment in words: the instant and the event.
func (m Moment) String() string {
	switch {
	case m.Earlier():
		return fmt.Sprintf("before #%d", m.Sequence+1)
	case m.Happened():
		return fmt.Sprintf("t=%d #%d", m.Instant, m.Sequence)
	}
	return "-"
}

// ticks is the time from one instant to a later one. It may be longer than an
// int64 can say.
func ticks(from, to int64) uint64 { return uint64(to) - uint64(from) }
