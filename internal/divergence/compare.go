package divergence

import (
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Item is an event of a history.
type Item struct {
	Sequence uint64
	Event    events.Event
	// Answer is the one that was recorded, nil if none was.
	Answer *journal.Answer
	// Fingerprint is that of the state after the event: the recorded one of a
	// journal, otherwise the one by the rules.
	Fingerprint fsm.Fingerprint
}

// Side is one of two histories. It is not safe for concurrent use.
type Side interface {
	Rules() events.Rules
	// First is the sequence of the first event that there is; above 1 for a
	// journal whose beginning is in an archive.
	First() uint64
	// Next is the next event, io.EOF behind the last one. It is valid until the
	// next call.
	Next() (Item, error)
	// Skip passes over the events before a sequence. It comes before Next.
	Skip(to uint64) error
	// State is the state by the rules after the event that Next has returned
	// last.
	State() (fsm.State, error)
}

// Part says in what two events differ.
type Part string

// The parts, in the order in which they are looked at.
const (
	Rules       Part = "rules"
	Operation   Part = "operation"
	Answer      Part = "answer"
	Fingerprint Part = "fingerprint"
	// Length: one history ends, and the other goes on.
	Length Part = "length"
)

// Result is what a comparison has found.
type Result struct {
	// Differs is the part that differs, "" if nothing does.
	Differs Part
	// From is the first event that was compared: above 1 where the events
	// before lie in an archive.
	From uint64
	// Equal is how many events were found equal, Answers in how many of them
	// both histories recorded an answer.
	Equal, Answers uint64
	// A and B are the events that differ. Where one history has ended, its own
	// is zero.
	A, B Item
	// Rows are the rows in which the states after them differ, by the rules, A's
	// side first. RowsUnknown says why they cannot be told.
	Rows        []fsm.Difference
	RowsUnknown error
}

// First finds the first event in which two histories differ. Answers are
// compared where both recorded one. A history that is the beginning of the
// other one differs from it.
func First(a, b Side) (Result, error) {
	r := Result{From: max(a.First(), b.First())}
	if a.Rules() != b.Rules() {
		r.Differs = Rules
		return r, nil
	}
	for _, side := range []Side{a, b} {
		if err := side.Skip(r.From); err != nil {
			return r, err
		}
	}
	for {
		var errA, errB error
		r.A, errA = next(a)
		r.B, errB = next(b)
		if errA != nil || errB != nil {
			return r.ended(errA, errB)
		}
		if r.Differs = part(&r.A, &r.B); r.Differs != "" {
			r.rows(a, b)
			return r, nil
		}
		r.Equal++
		if r.A.Answer != nil && r.B.Answer != nil {
			r.Answers++
		}
	}
}

// next is the next item, a zero one behind the last.
func next(s Side) (Item, error) {
	item, err := s.Next()
	if err != nil {
		return Item{}, err
	}
	return item, nil
}

// ended completes the result where at least one side did not give an event.
func (r *Result) ended(errA, errB error) (Result, error) {
	for _, err := range []error{errA, errB} {
		if err != nil && err != io.EOF {
			return *r, err
		}
	}
	if errA == nil || errB == nil {
		r.Differs = Length
	}
	return *r, nil
}

// rows tells the states apart.
func (r *Result) rows(a, b Side) {
	ofA, errA := a.State()
	ofB, errB := b.State()
	switch {
	case errA != nil:
		r.RowsUnknown = errA
	case errB != nil:
		r.RowsUnknown = errB
	default:
		r.Rows = fsm.Diff(ofA, ofB)
	}
}

// part is the first part in which two events differ, or "".
func part(a, b *Item) Part {
	switch {
	case a.Sequence != b.Sequence:
		panic(fmt.Sprintf("divergence: event %d beside event %d", a.Sequence, b.Sequence))
	case a.Event != b.Event:
		return Operation
	case a.Answer != nil && b.Answer != nil && !sameAnswer(*a.Answer, *b.Answer):
		return Answer
	case a.Fingerprint != b.Fingerprint:
		return Fingerprint
	}
	return ""
}

// sameAnswer compares answers, of long ones their hashes.
func sameAnswer(a, b journal.Answer) bool {
	textA, okA := a.JSON()
	textB, okB := b.JSON()
	if okA && okB {
		return string(textA) == string(textB) || oplog.SameAnswer(textA, textB)
	}
	return a.Hash() == b.Hash()
}
