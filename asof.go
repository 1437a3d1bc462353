package leasekeeper

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// AsOf returns the state after an event, 0 for the state before the first
// one. It begins at the nearest snapshot before it.
func (k *Keeper) AsOf(sequence uint64) (fsm.State, error) {
	return AsOf(k.journal, sequence, k.options.Warn)
}

// AsOfTime returns the state as of an instant: after the last event that is
// not later, with every lease that had lapsed by then retired.
func (k *Keeper) AsOfTime(ts int64) (fsm.State, error) {
	return AsOfTime(k.journal, ts, k.options.Warn)
}

// AsOf is Keeper.AsOf for a journal without a Keeper. Bad snapshots are
// skipped and passed to warn, unless that is nil.
func AsOf(j journal.Journal, sequence uint64, warn func(error)) (fsm.State, error) {
	if sequence == 0 {
		return initialState(j, nil)
	}
	usable := func(s journal.Snapshot) bool { return s.Sequence <= sequence }
	start, err := newestSnapshot(j, usable, warn)
	if err != nil {
		return fsm.State{}, err
	}
	return Replay(j, ReplayOptions{From: start, Until: sequence})
}

// AsOfTime is Keeper.AsOfTime for a journal without a Keeper.
func AsOfTime(j journal.Journal, ts int64, warn func(error)) (fsm.State, error) {
	usable := func(s journal.Snapshot) bool {
		clock, err := snapshotClock(j, s)
		if err != nil && warn != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, journal.ErrClosed) {
			warn(fmt.Errorf("%w at event %d: %w", ErrSnapshot, s.Sequence, err))
		}
		return err == nil && clock <= ts
	}
	start, err := newestSnapshot(j, usable, warn)
	if err != nil {
		return fsm.State{}, err
	}
	rules := j.Genesis().Rules
	if ts > rules.MaxInstant() {
		return fsm.State{}, fmt.Errorf("leasekeeper: no state as of %d; the largest instant is %d", ts, rules.MaxInstant())
	}
	var begun events.Event // by ts, of an event that ends later
	horizon := NewHorizon(rules, ts)
	if start != nil {
		horizon.Begin(start.Clock())
	}
	later := func(e events.Event) bool {
		part, whole := horizon.Take(e)
		if !whole {
			begun = part
		}
		return !whole
	}
	state, err := Replay(j, ReplayOptions{From: start, Before: later})
	if err != nil {
		return fsm.State{}, err
	}
	if begun != nil {
		state, _ = fsm.Apply(state, begun)
	}
	return state.At(ts), nil
}

// snapshotClock reads the clock of a snapshot's state, and little else of it.
func snapshotClock(j journal.Journal, s journal.Snapshot) (int64, error) {
	r, err := j.OpenSnapshot(s.Sequence)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	info, err := snapshot.ReadHeader(r)
	return info.Clock, err
}
