package main

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// showJournal shows the events of a journal as replay shows those of a
// history, and reports errDiffers if something recorded is not what the rules
// give.
func showJournal(j *journal.File, title string, start, until uint64, f *replayFlags, out *bufio.Writer) error {
	p := f.printer(out)
	if err := p.Head(title); err != nil {
		return outputError(err)
	}
	options := leasekeeper.ReplayOptions{Until: until, Foreign: !f.proof.own}
	if start > 0 {
		proving := proving{j: j}
		from, err := proving.snapshot(start)
		if err != nil {
			return journalError(err)
		}
		options.From = from
	}
	var summary view.Summary
	var printing error // of the output, not of the journal
	options.Each = func(s *leasekeeper.Step) error {
		step := stepOf(s)
		count(&summary, step)
		printing = p.Step(step)
		return printing
	}
	final, err := lastState(j, options)
	switch {
	case printing != nil:
		return outputError(printing)
	case err != nil:
		return journalError(err)
	}
	summary.Fingerprint = final.Fingerprint().String()
	if err := p.Foot(summary); err != nil {
		return outputError(err)
	}
	if summary.Differences > 0 {
		return errDiffers
	}
	return nil
}

// lastState replays a journal. To replay nothing is allowed.
func lastState(j *journal.File, options leasekeeper.ReplayOptions) (fsm.State, error) {
	if options.Until == 0 && options.From == nil {
		return fsm.New(j.Genesis().Rules)
	}
	return leasekeeper.Replay(j, options)
}

// stepOf is a step of a journal's replay as it is shown.
func stepOf(s *leasekeeper.Step) view.Step {
	step := view.Step{
		Event: s.Event, Result: s.Result, Operation: events.AppendJSON(nil, s.Event),
		Recorded: recordedAnswer(s.Recorded.Answer), Differs: s.Differs != nil,
		Marks: transfer.MarkNames(s.Recorded.Marks),
	}
	if s.Differs != nil && s.Differs.What == "fingerprint" {
		step.Fingerprint = s.Differs.Recorded
	}
	return step
}

// recordedAnswer is the JSON text of a recorded answer; of a long one, whose
// text is not kept, an object with its hash.
func recordedAnswer(a journal.Answer) []byte {
	if text, ok := a.JSON(); ok {
		return text
	}
	return fmt.Appendf(nil, `{"sha256":"%x"}`, a.Hash())
}

// appendMarks appends the fields of an event that only journals have.
func appendMarks(text []byte, s view.Step) []byte {
	if s.Fingerprint != "" {
		text = strconv.AppendQuote(append(text, `,"recorded_fingerprint":`...), s.Fingerprint)
	}
	for i, mark := range s.Marks {
		before := `,`
		if i == 0 {
			before = `,"marks":[`
		}
		text = strconv.AppendQuote(append(text, before...), mark)
	}
	if len(s.Marks) > 0 {
		text = append(text, ']')
	}
	return text
}
