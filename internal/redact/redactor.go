package redact

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// ErrNotAlike is matched by the error for a history that cannot be redacted:
// something else would come of it.
var ErrNotAlike = errors.New("redact: something else than the names would change")

// ErrChanged is matched by the error for a history that was another one when the
// names were collected.
var ErrChanged = errors.New("redact: the history has changed meanwhile")

// Redactor redacts one history, in two passes: first Collect is given every
// event, then Redact. It is not safe for concurrent use. Its memory grows with
// the different names, and with the state, of which it has two.
type Redactor struct {
	rules    events.Rules
	names    *names
	sealed   bool
	from, to *fsm.Machine // the history that is read, and the one that is written
	text     []byte
}

// Item is an event with what was recorded beside it.
type Item struct {
	Event events.Event
	// Answer is the JSON text of the recorded one, nil if there is none. SHA256
	// stands for one so long that a journal keeps no more of it.
	Answer []byte
	SHA256 *[sha256.Size]byte
	// Fingerprint is the recorded one, nil if the history is no journal.
	Fingerprint *fsm.Fingerprint
	// Marks are those of a journal's record, and stay.
	Marks journal.Mark
}

// New returns a redactor of a history under some rules.
func New(rules events.Rules, what What) (*Redactor, error) {
	initial, err := fsm.New(rules)
	if err != nil {
		return nil, err
	}
	return &Redactor{
		rules: rules, names: newNames(what), from: fsm.NewMachine(initial), to: fsm.NewMachine(initial),
	}, nil
}

// Collect notes the names of the next event. It keeps nothing else of it.
func (r *Redactor) Collect(i *Item) {
	if r.sealed {
		panic("redact: an event is collected after the first one was redacted")
	}
	r.names.event(collecting, r.rules, i.Event)
	if i.Answer != nil {
		r.names.recorded(collecting, i.Event, i.Answer)
	}
}

// Redact returns the next event with its names replaced. A recorded answer or
// fingerprint that the rules give is the one that they give then; one that they
// do not give is one that they do not give then. The error matches ErrNotAlike
// if something else than the names would change, and ErrChanged if the event was
// not collected; nothing can be redacted after it.
func (r *Redactor) Redact(i *Item) (changed Item, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			if _, is := fault.(uncollected); !is {
				panic(fault)
			}
			err = ErrChanged
		}
	}()
	if !r.sealed {
		r.names.seal()
		r.sealed = true
	}
	changed = Item{Event: r.names.event(replacing, r.rules, i.Event), Marks: i.Marks}
	before, after := r.from.Apply(i.Event), r.to.Apply(changed.Event)
	if err := r.alike(i.Event, &before, &after); err != nil {
		return Item{}, err
	}
	changed.Answer, changed.SHA256 = r.answer(i, before.Answer, after.Answer)
	if i.Fingerprint != nil {
		state := r.to.Fingerprint()
		if *i.Fingerprint != r.from.Fingerprint() {
			for n := range state {
				state[n] = ^state[n]
			}
		}
		changed.Fingerprint = &state
	}
	return changed, nil
}

// alike tells whether what comes of an event is what came of it, but for the
// names.
func (r *Redactor) alike(e events.Event, before, after *events.Result) error {
	want, got := r.renamed(e, before.Answer).AppendJSON(nil), after.Answer.AppendJSON(nil)
	same := bytes.Equal(want, got) && len(before.Effects) == len(after.Effects)
	for n := 0; same && n < len(before.Effects); n++ {
		same = r.names.effect(before.Effects[n]) == after.Effects[n]
	}
	if !same {
		return fmt.Errorf("%w at event %d: its template makes up names of locks whose order cannot be kept, or too long ones",
			ErrNotAlike, before.Sequence)
	}
	return nil
}

// renamed is an answer by the rules with its names replaced.
func (r *Redactor) renamed(e events.Event, a events.Answer) events.Answer {
	if tally, ok := a.(events.Tally); ok {
		if repeat, ok := e.(events.Repeat); ok {
			return r.names.tally(tally, repeat.Template)
		}
	}
	return r.names.answer(a)
}

// answer is a recorded answer with its names replaced, or what stands for it.
func (r *Redactor) answer(i *Item, before, after events.Answer) (text []byte, hash *[sha256.Size]byte) {
	byRules := after.AppendJSON(nil)
	r.text = before.AppendJSON(r.text[:0])
	switch {
	case i.SHA256 != nil && journal.HashedAnswer(*i.SHA256).Is(r.text):
		return byRules, nil
	case i.SHA256 != nil: // a hash of it, even of its hash, would confirm a guess
		other := sha256.Sum256(fmt.Appendf(nil, "redacted answer of event %d", r.to.Sequence()))
		return nil, &other
	case i.Answer == nil:
		return nil, nil
	case bytes.Equal(i.Answer, r.text):
		return byRules, nil
	case oplog.SameAnswer(i.Answer, r.text) && i.Fingerprint == nil:
		return byRules, nil
	case oplog.SameAnswer(i.Answer, r.text): // which a journal takes for another one
		return []byte(`{"redacted":"the answer, spelled in another way"}`), nil
	}
	text = r.names.recorded(replacing, i.Event, i.Answer)
	if oplog.SameAnswer(text, byRules) {
		text = []byte(`{"redacted":"another answer"}`)
	}
	return text, nil
}
