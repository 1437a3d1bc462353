package main

import (
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/spf13/cobra"
)

// spanFlags say where to stop in a history: after an event, or at an instant.
type spanFlags struct {
	until uint64
	at    int64
	set   func(flag string) bool

	horizon *leasekeeper.Horizon // of at, once an event has been looked at
	begun   events.Event         // the part of the event at the end that lies before at
}

func (f *spanFlags) register(cmd *cobra.Command) {
	addFlag(cmd, &f.until, "until", "SEQ", "stop after the event of this sequence", parseSequence)
	addFlag(cmd, &f.at, "at", "TS", "stop at this instant, in ticks of the clock", parseInstant)
	cmd.MarkFlagsMutuallyExclusive("until", "at")
	f.set = cmd.Flags().Changed
}

// within refuses an instant that no operation can have: at it, leases that last
// until then would not have lapsed.
func (f *spanFlags) within(rules events.Rules) error {
	if f.set("at") && f.at > rules.MaxInstant() {
		return fmt.Errorf("--at %d lies behind the largest instant, %d", f.at, rules.MaxInstant())
	}
	return nil
}

// ends tells whether an event, which would be the one of this sequence, lies
// behind the end, if only with some of its runs.
func (f *spanFlags) ends(rules events.Rules, e events.Event, sequence uint64) bool {
	if f.set("until") {
		return sequence > f.until
	}
	if f.set("at") {
		if f.horizon == nil {
			f.horizon = leasekeeper.NewHorizon(rules, f.at)
		}
		var whole bool
		f.begun, whole = f.horizon.Take(e)
		return !whole
	}
	return false
}

// last is the sequence of a journal's last event that lies before the end.
func (f *spanFlags) last(j journal.Journal) (uint64, error) {
	switch {
	case f.set("until"):
		return f.until, f.reached("the journal", j.Last())
	case !f.set("at"):
		return j.Last(), nil
	}
	last := j.Genesis().Base.Sequence
	for record, err := range j.Scan(0, 0) {
		if err != nil {
			return 0, journalError(err)
		}
		e, err := events.Decode(record.Event)
		if err != nil {
			return 0, fmt.Errorf("event %d: %w", record.Sequence, err)
		}
		if f.ends(j.Genesis().Rules, e, record.Sequence) {
			break
		}
		last = record.Sequence
	}
	return last, nil
}

// reached refuses an end that lies behind that of a history.
func (f *spanFlags) reached(what string, last uint64) error {
	if f.set("until") && f.until > last {
		return noSuchEvent(what, last, f.until)
	}
	return nil
}

func noSuchEvent(what string, last, asked uint64) error {
	return fmt.Errorf("%s ends with event %d, there is no event %d", what, last, asked)
}

// state derives the state at the end, of a journal or of a history.
func (f *spanFlags) state(name string, rules *rulesFlags) (fsm.State, error) {
	is, err := isJournal(name)
	if err != nil {
		return fsm.State{}, err
	}
	if is {
		return f.ofJournal(name, rules)
	}
	return f.ofHistory(name, rules)
}

func (f *spanFlags) ofJournal(name string, rules *rulesFlags) (state fsm.State, err error) {
	j, err := openJournal(name)
	if err != nil {
		return state, err
	}
	defer j.Close()
	if err := rules.agree(name, j.Genesis().Rules); err != nil {
		return state, err
	}
	if err := f.within(j.Genesis().Rules); err != nil {
		return state, err
	}
	if f.set("at") {
		state, err = leasekeeper.AsOfTime(j, f.at, warn)
		return state, journalError(err)
	}
	last, err := f.last(j)
	if err != nil {
		return state, err
	}
	state, err = leasekeeper.AsOf(j, last, warn)
	return state, journalError(err)
}

func (f *spanFlags) ofHistory(name string, rules *rulesFlags) (fsm.State, error) {
	h, err := rules.openHistory(name, noWait)
	if err != nil {
		return fsm.State{}, err
	}
	defer h.close()
	if err := f.within(h.rules); err != nil {
		return fsm.State{}, err
	}
	warned := false
	for {
		entry, event, err := h.next()
		if err == io.EOF {
			return f.final(h.machine, nil), f.reached(h.name, h.machine.Sequence())
		}
		if err != nil {
			return fsm.State{}, err
		}
		if f.ends(h.rules, event, h.machine.Sequence()+1) {
			return f.final(h.machine, f.begun), nil
		}
		result := h.machine.Apply(event)
		if entry.Recorded != nil && !warned && !oplog.SameAnswer(entry.Recorded, result.Answer.AppendJSON(nil)) {
			warned = true
			warnUnlike(result.Sequence)
		}
	}
}

// final is the state at the end. At an instant, the part of the next event that
// had happened by then counts, and leases that had lapsed do not.
func (f *spanFlags) final(m *fsm.Machine, begun events.Event) fsm.State {
	if !f.set("at") {
		return m.State()
	}
	if begun != nil {
		m.Apply(begun)
	}
	return m.State().At(f.at)
}

// standing is where a state stands, in words.
func standing(s fsm.State) string {
	text := fmt.Sprintf("after event %d", s.Sequence())
	if s.Sequence() == 0 {
		text = "before the first event"
	}
	if ts, started := s.Clock(); started {
		text = fmt.Sprintf("at %d · ", ts) + text
	}
	return text
}
