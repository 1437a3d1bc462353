package main

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/journal"
)

// readJournal is read for a journal. One that was compacted begins at its oldest
// snapshot.
func (in *auditInput) readJournal(begin func(fsm.State), take func(*audit.Entry)) error {
	j, err := openJournal(in.journal)
	if err != nil {
		return err
	}
	defer j.Close()
	in.title, in.rules = in.name, j.Genesis().Rules
	if err := in.flags.agree(in.name, in.rules); err != nil {
		return err
	}
	start, err := in.startOf(j)
	if err != nil {
		return err
	}
	if in.last == 0 {
		in.last = j.Last()
	}
	begin(start)
	in.base, in.events = start.Sequence(), start.Sequence()
	if in.last == in.base {
		return nil
	}
	bar := newCount(int64(in.last - in.base))
	defer bar.finish()
	for record, err := range j.Scan(in.base+1, in.last) {
		if err != nil {
			return journalError(named(in.name, err))
		}
		bar.at(int64(record.Sequence - in.base))
		event, err := events.Decode(record.Event)
		if err != nil {
			return fmt.Errorf("%s: event %d: %w", in.name, record.Sequence, err)
		}
		print := fsm.Fingerprint(record.Fingerprint)
		e := audit.Entry{Entry: diagnose.Entry{Event: event}, Fingerprint: &print}
		if text, ok := record.Answer.JSON(); ok {
			e.Recorded = text
		} else {
			hash := record.Answer.Hash()
			e.Digest = &hash
		}
		take(&e)
		in.events++
	}
	return nil
}

// startOf is the state that a journal is judged from.
func (in *auditInput) startOf(j *journal.File) (fsm.State, error) {
	if j.Genesis().Base.Sequence == 0 {
		return fsm.New(in.rules)
	}
	list, err := j.Snapshots()
	if err != nil {
		return fsm.State{}, journalError(named(in.name, err))
	}
	if len(list) == 0 {
		return fsm.State{}, errors.New(in.name + " is compacted, and has no snapshot to begin at")
	}
	state, err := leasekeeper.ReadSnapshot(j, list[0])
	return state, journalError(err)
}
