package leasekeeper

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// openOrCreate opens the journal file, or creates it where there is none.
func openOrCreate(path string, options Options) (*journal.File, error) {
	j, err := journal.Open(path, journal.Options{})
	if !errors.Is(err, fs.ErrNotExist) {
		return j, err
	}
	rules := options.Rules
	if rules == (events.Rules{}) {
		rules = events.Current
	}
	genesis, err := journal.NewGenesis(rules, nil)
	if err != nil {
		return nil, err
	}
	j, err = journal.Create(path, genesis, journal.Options{})
	if errors.Is(err, fs.ErrExist) { // somebody else was faster
		return journal.Open(path, journal.Options{})
	}
	return j, err
}

// recoverState returns the state after a journal's last event, and the
// sequence of the snapshot that it was derived from.
func recoverState(j journal.Journal, options Options) (state fsm.State, from uint64, err error) {
	rules := j.Genesis().Rules
	if options.Rules != (events.Rules{}) && options.Rules != rules {
		return state, 0, fmt.Errorf("%w: the journal has edition %d with %d ticks a second, not edition %d with %d",
			ErrOptions, rules.Edition, rules.Unit, options.Rules.Edition, options.Rules.Unit)
	}
	start, err := newestSnapshot(j, func(journal.Snapshot) bool { return true }, options.Warn)
	if err != nil {
		return state, 0, err
	}
	if start != nil {
		from = start.Sequence()
	}
	replay := ReplayOptions{From: start}
	if options.AllowMismatch {
		replay.Each = func(s *Step) error {
			if s.Differs != nil {
				options.Warn(s.Differs)
			}
			return nil
		}
	}
	state, err = Replay(j, replay)
	return state, from, err
}

// newestSnapshot reads the newest good snapshot of those that are usable. Bad ones
// are skipped with a warning. It returns nil if there is none.
func newestSnapshot(j journal.Journal, usable func(journal.Snapshot) bool, warn func(error)) (*fsm.State, error) {
	all, err := j.Snapshots()
	if errors.Is(err, journal.ErrClosed) {
		return nil, err
	}
	if warn == nil {
		warn = func(error) {}
	}
	if err != nil { // those that are listed all the same can be read
		warn(fmt.Errorf("leasekeeper: some snapshots cannot be used: %w", err))
	}
	for _, info := range slices.Backward(all) {
		if !usable(info) {
			continue
		}
		state, err := ReadSnapshot(j, info)
		switch {
		case err == nil:
			return &state, nil
		case errors.Is(err, journal.ErrClosed):
			return nil, err
		case !errors.Is(err, fs.ErrNotExist): // a newer one has replaced it
			warn(err)
		}
	}
	return nil, nil
}

// ErrSnapshot is matched by the error for a snapshot that cannot be used.
var ErrSnapshot = errors.New("leasekeeper: bad snapshot")

// ReadSnapshot reads a state from one of a journal's snapshots and refuses it
// unless it is of the journal's rules, of the snapshot's sequence, and of the
// fingerprint that its record has (the snapshot's own, where a compacted
// journal does not have the record). If the snapshot is gone because newer
// ones have replaced it, the error matches fs.ErrNotExist and not ErrSnapshot.
func ReadSnapshot(j journal.Journal, info journal.Snapshot) (fsm.State, error) {
	state, err := readSnapshot(j, info)
	if err != nil {
		return fsm.State{}, err
	}
	if err := matchesRecord(j, state); err != nil {
		return fsm.State{}, badSnapshot(info, err)
	}
	return state, nil
}

// readSnapshot is ReadSnapshot without a look at the record.
func readSnapshot(j journal.Journal, info journal.Snapshot) (fsm.State, error) {
	r, err := j.OpenSnapshot(info.Sequence)
	if err != nil {
		return fsm.State{}, badSnapshot(info, err)
	}
	defer r.Close()
	state, err := snapshot.Read(r)
	switch {
	case err != nil:
	case state.Sequence() != info.Sequence:
		err = fmt.Errorf("it is of event %d", state.Sequence())
	case state.Fingerprint() != info.Fingerprint:
		err = fmt.Errorf("its fingerprint is %s, not %s", state.Fingerprint(), fsm.Fingerprint(info.Fingerprint))
	case state.Rules() != j.Genesis().Rules:
		err = errors.New("it is of other rules than the journal")
	}
	if err != nil {
		return fsm.State{}, badSnapshot(info, err)
	}
	return state, nil
}

// badSnapshot says which snapshot cannot be used, unless it is only gone, or the
// journal is closed.
func badSnapshot(info journal.Snapshot, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, journal.ErrClosed) {
		return fmt.Errorf("leasekeeper: snapshot at event %d: %w", info.Sequence, err)
	}
	return fmt.Errorf("%w at event %d: %w", ErrSnapshot, info.Sequence, err)
}

// matchesRecord holds a snapshot's state against the fingerprint recorded with
// its event.
func matchesRecord(j journal.Journal, state fsm.State) error {
	sequence := state.Sequence()
	if sequence <= j.Genesis().Base.Sequence {
		return nil // the record is in an archive
	}
	for record, err := range j.Scan(sequence, sequence) {
		if err != nil {
			return err
		}
		if recorded := fsm.Fingerprint(record.Fingerprint); recorded != state.Fingerprint() {
			return fmt.Errorf("its fingerprint is %s, its event's record says %s", state.Fingerprint(), recorded)
		}
		return nil
	}
	return errors.New("its event is not in the journal")
}
