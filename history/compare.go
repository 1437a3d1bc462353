package history

import (
	"bytes"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// Scope is how much of two results has to agree.
type Scope uint8

const (
	// Answers is what a caller can see. It is all that can be asked of a
	// service that is only known by its answers.
	Answers Scope = iota
	// Effects is answers, the effects in their order, and sequence numbers.
	Effects
)

// Difference is the first event of a history to which two services respond
// differently.
type Difference struct {
	Index    int // in History.Events, from 0
	Event    events.Event
	Required events.Result
	Got      events.Result
}

// Compare gives a history to two fresh services, event by event, and returns
// the first difference within the scope; differs is false if there is none.
// Required is the service that is right by definition.
//
// Neither service gets any event after the one that differs. The difference
// shares no memory with the services.
func Compare(h History, required, got Service, scope Scope) (d Difference, differs bool) {
	for i, event := range h.Events {
		want, have := required.Apply(event), got.Apply(event)
		if !scope.equal(want, have) {
			want.Effects, have.Effects = slices.Clone(want.Effects), slices.Clone(have.Effects)
			return Difference{Index: i, Event: event, Required: want, Got: have}, true
		}
	}
	return Difference{}, false
}

// equal tells whether two results are the same within the scope.
func (s Scope) equal(a, b events.Result) bool {
	if !EqualAnswers(a.Answer, b.Answer) {
		return false
	}
	return s == Answers || a.Sequence == b.Sequence && slices.Equal(a.Effects, b.Effects)
}

// EqualAnswers tells whether two answers read the same, that is, whether they
// are the same JSON. Between answers of one type it neither allocates nor
// makes that JSON. A missing answer (nil) equals only another one.
func EqualAnswers(a, b events.Answer) bool {
	switch a := a.(type) {
	case events.Granted:
		if b, ok := b.(events.Granted); ok {
			return a.Token == b.Token && a.ExpiresAt == b.ExpiresAt && slices.Equal(a.Victims, b.Victims)
		}
	case events.Queued:
		if b, ok := b.(events.Queued); ok {
			return a.Position == b.Position && slices.Equal(a.Victims, b.Victims)
		}
	case events.Deadlock:
		if b, ok := b.(events.Deadlock); ok {
			return slices.Equal(a.Victims, b.Victims)
		}
	case events.Renewed:
		if b, ok := b.(events.Renewed); ok {
			return a == b
		}
	case events.Done:
		if b, ok := b.(events.Done); ok {
			return a == b
		}
	case events.Refusal:
		if b, ok := b.(events.Refusal); ok {
			return a == b
		}
	default:
		return equalViews(a, b)
	}
	return equalText(a, b)
}

// equalViews compares the answers of those who ask and do not change anything,
// and tallies.
func equalViews(a, b events.Answer) bool {
	switch a := a.(type) {
	case events.Value:
		if b, ok := b.(events.Value); ok {
			return a.Found == b.Found && (!a.Found || a.Text == b.Text)
		}
	case events.LockView:
		if b, ok := b.(events.LockView); ok {
			return slices.Equal(a.Holders, b.Holders) && slices.Equal(a.Queue, b.Queue)
		}
	case events.ClientView:
		if b, ok := b.(events.ClientView); ok {
			return a.Age == b.Age && a.Waiting == b.Waiting && slices.Equal(a.Holds, b.Holds)
		}
	case events.Tally:
		if b, ok := b.(events.Tally); ok {
			return a.Ops == b.Ops && slices.Equal(a.Results, b.Results)
		}
	}
	return equalText(a, b)
}

// equalText compares answers of different types by what they read: the text
// "ok" is the same whether a write or a read gave it.
func equalText(a, b events.Answer) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return bytes.Equal(a.AppendJSON(nil), b.AppendJSON(nil))
}
