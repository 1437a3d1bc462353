package main

import (
	"io"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/projection"
)

// retold is a journal or a history that can be folded more than once: a file is
// read again, and what came from standard input is kept.
type retold struct {
	title string
	rules events.Rules
	// end is an instant behind which nothing is wanted, if ends.
	end  int64
	ends bool
	// failed, if not nil, ends a fold with its error when there is one.
	failed func() error
	warned bool // of a recorded answer that is not the derived one
	past   past
}

// past is what a retold reads. read begins a projection at the state before the
// first event, gives it each event up to the end that is wanted, and returns it
// with the state after the last one.
type past interface {
	read(begin func(fsm.State) projection.Projection, r *retold) (fsm.State, projection.Projection, error)
	close()
}

// retell opens a journal or a history.
func (f *rulesFlags) retell(name string) (*retold, error) {
	is, err := isJournal(name)
	if err != nil {
		return nil, err
	}
	if is {
		j, err := openJournal(name)
		if err != nil {
			return nil, err
		}
		rules := j.Genesis().Rules
		if err := f.agree(name, rules); err != nil {
			_ = j.Close()
			return nil, err
		}
		return &retold{title: name + " · " + rulesText(rules), rules: rules, past: pastJournal{j}}, nil
	}
	h, err := f.openHistory(name, noWait)
	if err != nil {
		return nil, err
	}
	return &retold{title: title(h), rules: h.rules, past: &pastHistory{flags: f, name: name, history: h}}, nil
}

// fold runs what there is through a projection, and lets the leases lapse that
// end before the end that is wanted, although no event came after them.
func (r *retold) fold(begin func(fsm.State) projection.Projection) error {
	state, p, err := r.past.read(begin, r)
	if err != nil {
		return err
	}
	clock, started := state.Clock()
	if r.ends && started && clock < r.end && r.end <= r.rules.MaxInstant() {
		step := projection.Until(state, r.end)
		p.Apply(&step)
	}
	return nil
}

// over tells whether nothing that comes behind an instant is wanted.
func (r *retold) over(clock int64, started bool) bool { return r.ends && started && clock >= r.end }

// broken is why a fold cannot go on, if it cannot.
func (r *retold) broken() error {
	if r.failed == nil {
		return nil
	}
	return r.failed()
}

// differ warns of the first difference.
func (r *retold) differ(sequence uint64) {
	if !r.warned {
		r.warned = true
		warnUnlike(sequence)
	}
}

// pastJournal reads a journal, from its base on.
type pastJournal struct{ *journal.File }

func (j pastJournal) close() { _ = j.Close() }

func (j pastJournal) read(begin func(fsm.State) projection.Projection, r *retold) (fsm.State, projection.Projection, error) {
	base := j.Genesis().Base.Sequence
	state, err := leasekeeper.AsOf(j.File, base, warn)
	if err != nil {
		return state, nil, journalError(err)
	}
	p := begin(state)
	if j.Last() == base {
		return state, p, nil
	}
	bar := newCount(int64(j.Last() - base))
	defer bar.finish()
	beyond := false
	options := leasekeeper.ReplayOptions{From: &state}
	options.Before = func(events.Event) bool { return beyond }
	options.Each = func(s *leasekeeper.Step) error {
		step := projection.Step{Event: s.Event, Result: s.Result}
		step.Clock, step.Started = s.Clock()
		p.Apply(&step)
		if s.Differs != nil {
			r.differ(s.Result.Sequence)
		}
		if s.Result.Sequence%1024 == 0 {
			bar.at(int64(s.Result.Sequence - base))
		}
		beyond = r.over(step.Clock, step.Started)
		return r.broken()
	}
	last, err := leasekeeper.Replay(j.File, options)
	if broken := r.broken(); broken != nil {
		return last, nil, broken
	}
	return last, p, journalError(err)
}

// pastHistory reads a history. It is open for the first time already.
type pastHistory struct {
	flags   *rulesFlags
	name    string
	history *history
	begun   bool
	kept    []events.Event // of standard input
}

func (h *pastHistory) close() { h.history.close() }

func (h *pastHistory) read(begin func(fsm.State) projection.Projection, r *retold) (fsm.State, projection.Projection, error) {
	if h.begun && h.name == "-" {
		return h.again(begin, r)
	}
	if h.begun {
		again, err := h.flags.openHistory(h.name, noWait)
		if err != nil {
			return fsm.State{}, nil, err
		}
		h.history.close()
		h.history = again
	}
	h.begun = true
	m := h.history.machine
	p := begin(m.State())
	for !r.over(m.Clock()) {
		entry, event, err := h.history.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return m.State(), p, err
		}
		if h.name == "-" {
			h.kept = append(h.kept, event)
		}
		result := projection.Run(m, event, p)
		if entry.Recorded != nil && !r.warned && !oplog.SameAnswer(entry.Recorded, result.Answer.AppendJSON(nil)) {
			r.differ(result.Sequence)
		}
		if err := r.broken(); err != nil {
			return m.State(), p, err
		}
	}
	return m.State(), p, nil
}

// again folds the events that were kept.
func (h *pastHistory) again(begin func(fsm.State) projection.Projection, r *retold) (fsm.State, projection.Projection, error) {
	state, err := fsm.New(r.rules)
	if err != nil {
		return state, nil, err
	}
	m := fsm.NewMachine(state)
	p := begin(state)
	for _, e := range h.kept {
		projection.Run(m, e, p)
	}
	return m.State(), p, nil
}
