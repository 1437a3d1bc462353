package explain

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// Journal is the Source that a journal is.
type Journal struct {
	j    journal.Journal
	last uint64
	warn func(error)
}

// NewJournal reads a journal up to its present end. What it can be used in spite
// of, such as a damaged snapshot, is passed to warn.
func NewJournal(j journal.Journal, warn func(error)) *Journal {
	return &Journal{j: j, last: j.Last(), warn: warn}
}

// Rules implements Source.
func (s *Journal) Rules() events.Rules { return s.j.Genesis().Rules }

// Base implements Source.
func (s *Journal) Base() uint64 { return s.j.Genesis().Base.Sequence }

// Last implements Source.
func (s *Journal) Last() uint64 { return s.last }

// Entry implements Source.
func (s *Journal) Entry(sequence uint64) (Entry, error) {
	for record, err := range s.j.Scan(sequence, sequence) {
		if err != nil {
			return Entry{}, err
		}
		e, err := events.Decode(record.Event)
		if err != nil {
			return Entry{}, fmt.Errorf("explain: event %d: %w", sequence, err)
		}
		answer := journal.HashedAnswer(record.Answer.Hash())
		recorded := &Recorded{Text: fmt.Sprintf("an answer of SHA-256 %x", record.Answer.Hash()), same: answer.Is}
		if text, ok := record.Answer.JSON(); ok {
			recorded.Text = string(text)
			recorded.same = func(derived []byte) bool { return recorded.Text == string(derived) }
		}
		recorded.Foreign = record.Marks&journal.Foreign != 0
		return Entry{Event: e, Recorded: recorded}, nil
	}
	return Entry{}, fmt.Errorf("explain: there is no event %d", sequence)
}

// Starts implements Source.
func (s *Journal) Starts() (starts []Start, err error) {
	if s.Base() == 0 {
		starts = append(starts, Start{})
	}
	list, err := s.j.Snapshots()
	if err != nil {
		if !errors.Is(err, journal.ErrDamaged) {
			return nil, err
		}
		s.warn(err) // the rest of the list is good
	}
	for _, info := range list {
		clock, err := s.clock(info)
		switch {
		case err == nil:
			starts = append(starts, Start{Sequence: info.Sequence, Clock: clock})
		case !errors.Is(err, fs.ErrNotExist): // replaced by a newer one
			s.warn(fmt.Errorf("explain: snapshot at event %d: %w", info.Sequence, err))
		}
	}
	return starts, nil
}

// clock reads the clock of a snapshot's state, and little else of it.
func (s *Journal) clock(info journal.Snapshot) (int64, error) {
	r, err := s.j.OpenSnapshot(info.Sequence)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	header, err := snapshot.ReadHeader(r)
	return header.Clock, err
}

// State implements Source.
func (s *Journal) State(start uint64) (fsm.State, error) {
	if start == 0 {
		return fsm.New(s.Rules())
	}
	list, err := s.j.Snapshots() // what is listed in spite of an error can be read
	for _, info := range list {
		if info.Sequence == start {
			return leasekeeper.ReadSnapshot(s.j, info)
		}
	}
	return fsm.State{}, fmt.Errorf("explain: the snapshot at event %d is gone: %w", start, errors.Join(leasekeeper.ErrSnapshot, err))
}

// Replay implements Source.
func (s *Journal) Replay(from fsm.State, until uint64, before func(events.Event) bool, each func(*projection.Step)) (fsm.State, error) {
	if until == from.Sequence() {
		return from, nil
	}
	return leasekeeper.Replay(s.j, leasekeeper.ReplayOptions{
		From: &from, Until: until, Before: before,
		Each: func(step *leasekeeper.Step) error {
			p := projection.Step{Event: step.Event, Result: step.Result}
			p.Clock, p.Started = step.Clock()
			each(&p)
			return nil
		},
	})
}
