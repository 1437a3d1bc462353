package transfer

import (
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Export writes a journal's records, a line for each. It calls progress with
// the number of lines written so far. An error is the journal's, w's, or says
// that an event has no form as an operation, which no event has that was made
// of one.
func Export(w io.Writer, j journal.Journal, progress func(events int64)) error {
	rules := j.Genesis().Rules
	line := appendHeader(nil, rules)
	if _, err := w.Write(line); err != nil {
		return writeError{err}
	}
	var count int64
	for record, err := range j.Scan(0, 0) {
		if err != nil {
			return err
		}
		e, err := events.Decode(record.Event)
		if err != nil {
			return fmt.Errorf("event %d: %w", record.Sequence, err)
		}
		if !returns(rules, e) {
			return fmt.Errorf("event %d cannot be written as an operation: another event would come back", record.Sequence)
		}
		line = appendRecord(line[:0], e, &record)
		if _, err := w.Write(line); err != nil {
			return writeError{err}
		}
		count++
		progress(count)
	}
	return nil
}

// returns tells whether an event's outside form makes the same event again.
// That holds for all that Parse makes; a journal may hold others if it was not
// written by a Keeper.
func returns(rules events.Rules, e events.Event) bool {
	invalid, isInvalid := e.(events.Invalid)
	if !isInvalid {
		_, _, refusal := rules.Admit(e)
		return refusal == events.NotRefused
	}
	again, err := rules.Parse([]byte(invalid.Raw))
	return err == nil && again == e
}

// writeError is an error of the writer that Export was given.
type writeError struct{ error }

func (w writeError) Unwrap() error { return w.error }

// IsWriteError tells whether Export failed because of its writer.
func IsWriteError(err error) bool {
	_, is := err.(writeError)
	return is
}
