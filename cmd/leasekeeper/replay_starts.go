package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/spf13/cobra"
)

// proofFlags say how a journal is replayed.
type proofFlags struct {
	from          string
	everySnapshot bool
	jobs          int64
	own           bool
	show          bool
	fallback      bool
	set           func(flag string) bool
}

func (f *proofFlags) register(cmd *cobra.Command) {
	f.from = "0"
	addFlag(cmd, &f.from, "from", "SEQ", "of a journal: begin at the newest snapshot up to this event, or at the newest of all for snapshot", parseFrom)
	cmd.Flags().BoolVar(&f.everySnapshot, "every-snapshot", false, "of a journal: begin at every later snapshot too")
	addFlag(cmd, &f.jobs, "jobs", "N", "of a journal: how many replays run at once (default the number of processors)", parseAtLeast(1))
	cmd.Flags().BoolVar(&f.own, "own", false, "of a journal: leave out answers that another service gave")
	cmd.Flags().BoolVar(&f.show, "show", false, "of a journal: show every event, as of a history")
	addFallback(cmd, &f.fallback, "of a journal: ")
	f.set = cmd.Flags().Changed
}

// parseFrom leaves the text as it is: which event snapshot means, the journal
// says.
func parseFrom(text string) (string, error) {
	if _, err := parseSequence(text); err != nil && text != "snapshot" {
		return "", errors.New("it takes the sequence of an event, or snapshot")
	}
	return text, nil
}

// none refuses flags that say nothing about a history.
func (f *proofFlags) none(name string) error {
	for _, flag := range []string{"from", "every-snapshot", "jobs", "own", "fallback"} {
		if f.set(flag) {
			return fmt.Errorf("--%s is for journals, and %s is none", flag, name)
		}
	}
	return nil
}

// starts are the events after which to begin, in order.
func (f *proofFlags) starts(j *journal.File, until uint64) ([]uint64, error) {
	list, err := j.Snapshots()
	if err != nil && !errors.Is(err, journal.ErrDamaged) { // the rest of a damaged list is good
		return nil, journalError(err)
	}
	list = slices.DeleteFunc(list, func(s journal.Snapshot) bool { return s.Sequence > until })
	first, err := f.first(j, list)
	if err != nil {
		return nil, err
	}
	starts := []uint64{first}
	for _, s := range list {
		if f.everySnapshot && s.Sequence > first && s.Sequence < until {
			starts = append(starts, s.Sequence)
		}
	}
	return starts, nil
}

// first is the event after which to begin: 0 for the genesis, else that of a
// snapshot.
func (f *proofFlags) first(j *journal.File, list []journal.Snapshot) (uint64, error) {
	from, err := parseSequence(f.from)
	if err != nil { // snapshot
		from = j.Last()
	}
	if from > j.Last() {
		return 0, noSuchEvent("the journal", j.Last(), from)
	}
	whole := j.Genesis().Base.Sequence == 0
	first := uint64(0)
	for _, s := range list {
		if s.Sequence <= from || first == 0 && !whole && !f.set("from") {
			first = s.Sequence
		}
	}
	if first == 0 && (!whole || f.from == "snapshot") {
		return 0, errors.New("there is no snapshot to begin at")
	}
	return first, nil
}
