package main

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/visible"
	"github.com/leasekeeper/leasekeeper/journal"
)

// mostRows is how many rows of a difference are printed.
const mostRows = 20

// difference prints the first difference of a journal, and the rows in which
// states differ there.
func (p *proving) difference(r *view.Report, proof *leasekeeper.Proof) {
	first := proof.First
	if first.What == "snapshot" {
		r.Alarm("verdict", "the snapshot at %d is not the state that the events give", first.Sequence)
		r.Line("recorded", "%s", first.Recorded)
		r.Line("by the rules", "%s", first.Derived)
		rows(r, "rows", proof.Rows, "in the snapshot", "by the rules")
		return
	}
	r.Alarm("verdict", "the %s of event %d differs", first.What, first.Sequence)
	at, err := p.around(first.Sequence)
	if err == nil {
		instant, _ := at.event.Instant()
		r.Line("event", "%d · %s", instant, view.Operation(at.event))
	}
	whose := ""
	if at.foreign {
		whose = " (by another service)"
	}
	r.Line("recorded", "%s%s", shortened(first.Recorded), whose)
	r.Line("by the rules", "%s", shortened(first.Derived))
	if err != nil {
		r.Line("rows", "cannot be told: %v", err)
		return
	}
	rows(r, "changes", fsm.Diff(at.before, at.after), "before", "after the event, by the rules")
	if at.kept != nil {
		rows(r, "rows", fsm.Diff(*at.kept, at.there), fmt.Sprintf("in the snapshot at %d", at.there.Sequence()), "by the rules")
	}
}

// longest is how many bytes of an answer the verdict shows.
const longest = 2000

func shortened(text string) string {
	cut, whole := visible.Cut(text, longest)
	if !whole {
		return fmt.Sprintf("%s… (%d bytes)", cut, len(text))
	}
	return cut
}

// rows prints rows that differ, and what their two sides are.
func rows(r *view.Report, label string, list []fsm.Difference, a, b string) {
	if len(list) == 0 {
		return
	}
	r.Line(label, "%s: %s | %s", view.Count(len(list), "row", "rows"), a, b)
	for i, row := range list {
		if i == mostRows {
			r.Line("", "and %d more", len(list)-i)
			return
		}
		r.Line("", "%s", row)
	}
}

// surroundings are what is known around an event that differs.
type surroundings struct {
	event         events.Event
	foreign       bool
	before, after fsm.State
	// kept is the next snapshot of those that were not begun at, if there is
	// one, and there the state that the rules give at it.
	kept  *fsm.State
	there fsm.State
}

// around replays the journal once more, past a difference, to the next
// snapshot.
func (p *proving) around(sequence uint64) (s surroundings, err error) {
	start, kept, err := p.neighbours(sequence)
	if err != nil {
		return s, err
	}
	options := leasekeeper.ReplayOptions{Until: sequence}
	if kept != nil {
		options.Until = kept.Sequence()
	}
	if start > 0 {
		if options.From, err = p.snapshot(start); err != nil {
			return s, err
		}
		s.before = *options.From
	} else if s.before, err = fsm.New(p.j.Genesis().Rules); err != nil {
		return s, err
	}
	options.Each = func(step *leasekeeper.Step) error {
		switch step.Result.Sequence {
		case sequence - 1:
			s.before = step.State()
		case sequence:
			s.event, s.after = step.Event, step.State()
			s.foreign = step.Recorded.Marks&journal.Foreign != 0
		}
		return nil
	}
	if s.there, err = leasekeeper.Replay(p.j, options); err == nil {
		s.kept = kept
	}
	return s, err
}

// neighbours are the last start before an event and the next good snapshot
// from it on, if there is one.
func (p *proving) neighbours(sequence uint64) (start uint64, kept *fsm.State, err error) {
	for _, at := range p.starts {
		if at < sequence {
			start = at
		}
	}
	list, err := p.j.Snapshots()
	for _, info := range list {
		if info.Sequence >= sequence {
			state, err := leasekeeper.ReadSnapshot(p.j, info)
			if err != nil {
				return start, nil, nil // the difference is told without it
			}
			return start, &state, nil
		}
	}
	return start, nil, err
}

func (p *proving) snapshot(sequence uint64) (*fsm.State, error) {
	list, err := p.j.Snapshots() // what is listed in spite of an error can be read
	for _, info := range list {
		if info.Sequence == sequence {
			state, err := leasekeeper.ReadSnapshot(p.j, info)
			return &state, err
		}
	}
	return nil, errors.Join(errors.New("the snapshot is gone"), err)
}
