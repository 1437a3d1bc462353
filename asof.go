package leasekeeper

import (
	"errors"
	"fmt"
	"io/fs"
	"sort"

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
	later := func(e events.Event) bool {
		part, whole := UpTo(rules, e, ts)
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

// UpTo is the part of an event that has happened by an instant: the event as a
// whole, the first runs of a Repeat, or nil. Events that do not move the clock
// have happened whenever they come.
func UpTo(rules events.Rules, e events.Event, ts int64) (part events.Event, whole bool) {
	at, moves, refusal := rules.Admit(e)
	if !moves {
		return e, true
	}
	if at > ts {
		return nil, false
	}
	r, ok := e.(events.Repeat)
	if !ok || refusal != events.NotRefused {
		return e, true
	}
	if template, ok := events.CompileTemplate(r.Template); ok {
		if _, moves, _ := rules.Admit(template.Event(rules, at, 0)); !moves {
			return e, true // runs of an unknown name never move the clock
		}
	}
	// The runs go on in time, so those by ts are the first ones. Runs beyond the
	// largest instant come last and do not move the clock.
	runs := sort.Search(int(r.Count), func(i int) bool {
		at, ok := r.RunAt(int64(i))
		return !ok || at > ts
	})
	if last, ok := r.RunAt(int64(runs)); runs < int(r.Count) && (!ok || last > rules.MaxInstant()) {
		return e, true // none but runs that are refused for their instant is left
	}
	if int64(runs) == r.Count {
		return e, true
	}
	r.Count = int64(runs)
	return r, false
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
