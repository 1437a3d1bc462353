package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/internal/sqlexport"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/projection"
)

// toSQLite makes a database of a journal or a history.
func (f *exportFlags) toSQLite(name string) error {
	if f.sqlite == "" {
		return errors.New("--sqlite takes the name of a database to be made")
	}
	if err := transfer.Vacant(f.sqlite); err != nil {
		return err // before an input is waited for
	}
	is, err := isJournal(name)
	if err != nil {
		return err
	}
	if is {
		return f.journalToSQLite(name)
	}
	if f.set("fallback") {
		return errors.New("--fallback is for journals, and " + inputName(name) + " is none")
	}
	return f.historyToSQLite(name)
}

func (f *exportFlags) historyToSQLite(name string) error {
	h, err := f.rules.openHistory(name, noWait)
	if err != nil {
		return err
	}
	defer h.close()
	return f.database(h.machine.State(), nil, func(w *sqlexport.Writer) error {
		var recorded bytes.Buffer
		for {
			entry, event, err := h.next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			e := sqlexport.Event{Step: projection.Step{Event: event, Result: h.machine.Apply(event)}}
			e.Clock, e.Started = h.machine.Clock()
			e.Fingerprint = h.machine.Fingerprint()
			if entry.Recorded != nil {
				recorded.Reset()
				_ = json.Compact(&recorded, entry.Recorded) // the reader has seen that it is JSON
				e.Recorded.Answer = recorded.Bytes()
				e.Recorded.Differs = !oplog.SameAnswer(entry.Recorded, e.Result.Answer.AppendJSON(nil))
				e.Recorded.AnotherService = true
			}
			if err := w.Add(&e); err != nil {
				return failure{err}
			}
		}
	})
}

func (f *exportFlags) journalToSQLite(name string) error {
	j, err := openFallback(name, f.fallback)
	if err != nil {
		return err
	}
	defer j.Close()
	if err := f.rules.agree(name, j.Genesis().Rules); err != nil {
		return err
	}
	start, err := beginning(j)
	if err != nil {
		return err
	}
	return f.database(start, j, func(w *sqlexport.Writer) error {
		bar := newCount(int64(j.Last() - start.Sequence()))
		defer bar.finish()
		var writing error // of the database, not of the journal
		_, err := leasekeeper.Replay(j, leasekeeper.ReplayOptions{From: &start, Foreign: true, Each: func(s *leasekeeper.Step) error {
			if s.Result.Sequence%1024 == 0 {
				bar.at(int64(s.Result.Sequence - start.Sequence()))
			}
			e := journaled(s)
			writing = w.Add(&e)
			return writing
		}})
		if writing != nil {
			return failure{writing}
		}
		return journalError(err)
	})
}

// beginning is the state that a journal's events go on from: the oldest one
// that there is.
func beginning(j *journal.File) (fsm.State, error) {
	proof := proofFlags{from: "0", set: func(string) bool { return false }}
	starts, err := proof.starts(j, j.Last())
	if err != nil {
		return fsm.State{}, err
	}
	if starts[0] == 0 {
		return fsm.New(j.Genesis().Rules)
	}
	proving := proving{j: j}
	state, err := proving.snapshot(starts[0])
	if err != nil {
		return fsm.State{}, journalError(err)
	}
	return *state, nil
}

// journaled is an event of a journal's replay.
func journaled(s *leasekeeper.Step) sqlexport.Event {
	e := sqlexport.Event{Step: projection.Step{Event: s.Event, Result: s.Result}, Fingerprint: s.Recorded.Fingerprint}
	e.Clock, e.Started = s.Clock()
	r := &e.Recorded
	if text, ok := s.Recorded.Answer.JSON(); ok {
		r.Answer = text
	} else {
		hash := s.Recorded.Answer.Hash()
		r.SHA256 = hash[:]
	}
	r.AnotherService = s.Recorded.Marks&journal.Foreign != 0
	r.Clamped = s.Recorded.Marks&journal.Clamped != 0
	if r.Differs = s.Differs != nil; r.Differs { // in the answer, which is told first, or else in the state
		e.Fingerprint = s.State().Fingerprint()
		if recorded := fsm.Fingerprint(s.Recorded.Fingerprint); recorded != e.Fingerprint {
			r.Fingerprint = &recorded
		}
	}
	return e
}

// database makes the database of what fill adds to it.
func (f *exportFlags) database(start fsm.State, j *journal.File, fill func(*sqlexport.Writer) error) error {
	draft, err := transfer.NewDraft(f.sqlite)
	if err != nil {
		return journalError(err)
	}
	defer draft.Discard()
	defer discardWhenInterrupted(draft)()
	w, err := sqlexport.Create(draft.Path(), start)
	if err != nil {
		return failure{draft.Named(err)}
	}
	defer w.Close()
	if err := fill(w); err != nil {
		return draft.Named(err)
	}
	var source journal.Journal
	if j != nil {
		source = j
	}
	counts, err := w.Finish(source)
	if err != nil {
		return failure{draft.Named(err)}
	}
	if err := draft.Publish(); err != nil {
		return journalError(draft.Named(err))
	}
	return f.report(&counts, start.Rules())
}

// report says what the database holds.
func (f *exportFlags) report(c *sqlexport.Counts, rules events.Rules) error {
	out := newOutput()
	r := newReport(out)
	r.Title(f.sqlite + " · " + rulesText(rules))
	r.Line("exported", "%s, %s", view.Count(c.Events, "event", "events"), view.Count(c.Effects, "effect", "effects"))
	r.Line("", "%s, %s, %s", view.Count(c.Leases, "lease", "leases"), view.Count(c.Waits, "wait", "waits"), view.Count(c.Writes, "write", "writes"))
	r.Line("", "%s, %s", view.Count(c.Deadlocks, "deadlock", "deadlocks"), view.Count(c.Clients, "registration", "registrations"))
	if c.Differ > 0 {
		r.Line("differ", "%s recorded something else than the rules give (view differences)", view.Count(c.Differ, "event", "events"))
	}
	return flush(out, nil)
}
