package audit

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// aspect is in which way a recorded answer is not the required one. Two histories
// that show one aspect show one contradiction, whatever else their answers say.
type aspect struct {
	event              events.Event
	required, recorded shape
	// parts are what has to be as it is for the contradiction to be the same:
	// of two answers of one kind, in what they differ.
	parts  []string
	hashed bool // only the hash of the recorded answer is known
}

func aspectOf(f *Finding) *aspect {
	a := &aspect{event: f.Event, required: shapeOf(f.Event, f.Required), recorded: shapeOf(f.Event, f.Recorded), hashed: f.Digest != nil}
	switch {
	case a.required.kind == a.recorded.kind:
		a.parts = differing(a.required, a.recorded)
	case a.recorded.kind == "other" || isView(a.required.kind):
		for _, p := range a.required.parts {
			a.parts = append(a.parts, p.name)
		}
	}
	return a
}

// isView tells whether an answer of a kind is nothing but its content.
func isView(kind string) bool {
	switch kind {
	case "view", "status", "tally", "value":
		return true
	}
	return false
}

// requires tells whether an answer of the rules contradicts the recorded one in
// the same way.
func (a *aspect) requires(answer []byte) bool { return a.agrees(a.required, answer) }

// gives tells whether an answer of another service is wrong in the same way. It
// is never so of an answer that was not understood.
func (a *aspect) gives(answer []byte) bool {
	return a.recorded.kind != "other" && a.agrees(a.recorded, answer)
}

func (a *aspect) agrees(with shape, answer []byte) bool {
	s := shapeOf(a.event, answer)
	if s.kind != with.kind {
		return false
	}
	for _, name := range a.parts {
		if s.part(name) != with.part(name) {
			return false
		}
	}
	return true
}

// mayBeOlder tells whether the recorded answer could be right if something had
// happened before the log begins. That does not move the end of a lease that is
// granted on the spot, and does not make sense of what is none. What only a hash
// is known of may be anything.
func (a *aspect) mayBeOlder() bool {
	otherEnd := a.required.kind == a.recorded.kind && slices.Contains(a.parts, "end")
	return a.hashed || a.recorded.kind != "other" && !otherEnd
}
