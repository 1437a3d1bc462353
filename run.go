package leasekeeper

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Run carries out operations in order against a fresh service, under the
// edition of the rules in force and in seconds, and returns the answer of
// each. An operation is a JSON value such as ["acquire",0,"etl-a","L",30]; one
// that breaks the contract is answered, not reported. The error is for text
// that is no JSON: it names the operation's place, from 0, and no answers are
// returned.
//
// For long histories see RunSeq and ApplySeq, which keep nothing.
func Run(operations []json.RawMessage) ([]json.RawMessage, error) {
	answers := make([]json.RawMessage, 0, len(operations))
	for result, err := range RunSeq(events.Current, slices.Values(operations)) {
		if err != nil {
			return nil, fmt.Errorf("leasekeeper: operation %d: %w", len(answers), err)
		}
		answers = append(answers, result.Answer.AppendJSON(nil))
	}
	return answers, nil
}

// RunSeq parses operations, carries them out in order against a fresh
// service, and yields the result of each. It stops at the first error: rules
// that do not exist, or text that is no JSON (an *events.SyntaxError). A
// Result's effects are valid until the next one.
func RunSeq(rules events.Rules, operations iter.Seq[json.RawMessage]) iter.Seq2[events.Result, error] {
	return func(yield func(events.Result, error) bool) {
		initial, err := fsm.New(rules)
		if err != nil {
			yield(events.Result{}, err)
			return
		}
		m := fsm.NewMachine(initial)
		for text := range operations {
			event, err := rules.Parse(text)
			if err != nil {
				yield(events.Result{}, err)
				return
			}
			if !yield(m.Apply(event), nil) {
				return
			}
		}
	}
}

// ApplySeq applies events in order to a state and yields the result of each. A
// Result's effects are valid until the next one. The state is not changed.
func ApplySeq(initial fsm.State, history iter.Seq[events.Event]) iter.Seq[events.Result] {
	return func(yield func(events.Result) bool) {
		m := fsm.NewMachine(initial)
		for event := range history {
			if !yield(m.Apply(event)) {
				return
			}
		}
	}
}
