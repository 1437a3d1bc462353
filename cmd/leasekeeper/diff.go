package main

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/divergence"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/spf13/cobra"
)

func newDiff() *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Find the first event at which two journals or histories part",
		Long: `Diff compares two journals, two histories, or one of each, event by event, and tells
the first event that differs: in its operation, in the answer, if both record one, or
in the state after it, for a journal by its recorded fingerprint. It shows both events,
and the rows in which the states after them differ, by the rules.

With --states, of two journals, it looks at fingerprints only and finds by bisection
an event at which the states part: 20 comparisons for a million events. It need not be
the first that differs, since a read leaves no trace in a state, and what was done may
have been undone.

Where one is the beginning of the other, they differ. A compacted journal is compared
from its first event on. Exit codes: 0 the same, 1 they differ.`,
		Example: `  leasekeeper diff night.journal copy.journal
  leasekeeper diff night.journal audit.ndjson --json`,
		Args: arguments(2, 2, "two FILEs, one of which may be - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args[0], args[1]) },
	}
	f.rules.register(cmd)
	cmd.Flags().BoolVar(&f.states, "states", false, "of two journals: only find where states part, by bisection")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

// diffFlags are the flags of diff.
type diffFlags struct {
	rules          rulesFlags
	states, asJSON bool
}

func (f *diffFlags) run(nameA, nameB string) error {
	if nameA == "-" && nameB == "-" {
		return errors.New("only one of the two can come from standard input")
	}
	a, err := f.open(nameA)
	if err != nil {
		return err
	}
	defer a.close()
	b, err := f.open(nameB)
	if err != nil {
		return err
	}
	defer b.close()
	found, err := f.compare(a, b)
	if err != nil {
		return err
	}
	out := newOutput()
	d := &diffing{nameA: inputName(nameA), nameB: inputName(nameB), a: a, b: b, found: found, states: f.states}
	if f.asJSON {
		err = d.json(out)
	} else {
		d.show(newReport(out))
	}
	if err == nil && found.Differs != "" {
		err = errDiffers
	}
	return flush(out, err)
}

func (f *diffFlags) compare(a, b *opened) (divergence.Parting, error) {
	if !f.states {
		found, err := divergence.First(a.side, b.side)
		return divergence.Parting{Result: found}, sideError(err)
	}
	for _, side := range []*opened{a, b} {
		if side.journal == nil {
			return divergence.Parting{}, fmt.Errorf("--states is for two journals, and %s is none", side.name)
		}
	}
	found, err := divergence.Bisect(a.journal, b.journal, warn)
	return found, sideError(err)
}

// sideError tells bad input from a failure; a journal's errors know themselves.
func sideError(err error) error {
	var known failure
	if err == nil || errors.As(err, &known) || isSyntax(err) {
		return err
	}
	return journalError(err)
}

// opened is a side that has been opened.
type opened struct {
	name    string
	side    divergence.Side
	journal *journal.File // nil if it is none
	rules   events.Rules
	close   func()
}

func (f *diffFlags) open(name string) (*opened, error) {
	is, err := isJournal(name)
	if err != nil {
		return nil, err
	}
	if is {
		return f.openJournal(name)
	}
	h, err := f.rules.openHistory(name, noWait)
	if err != nil {
		return nil, err
	}
	log, err := divergence.OfLog(h.rules, func() (events.Event, []byte, error) {
		entry, event, err := h.next()
		return event, entry.Recorded, err
	})
	if err != nil {
		h.close()
		return nil, err
	}
	return &opened{name: h.name, side: log, rules: h.rules, close: h.close}, nil
}

func (f *diffFlags) openJournal(name string) (*opened, error) {
	j, err := openJournal(name)
	if err != nil {
		return nil, err
	}
	rules := j.Genesis().Rules
	if err := f.rules.agree(name, rules); err != nil {
		_ = j.Close()
		return nil, err
	}
	side := divergence.OfJournal(j, warn)
	return &opened{name: name, side: side, journal: j, rules: rules, close: func() {
		side.Close()
		_ = j.Close() // it was only read
	}}, nil
}
