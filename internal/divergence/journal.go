package divergence

import (
	"fmt"
	"io"
	"iter"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Journal is a journal as a side. Close it.
type Journal struct {
	j    journal.Journal
	warn func(error)
	from uint64
	last uint64 // returned
	next func() (journal.Record, error, bool)
	stop func()
}

// OfJournal makes a side of a journal. Snapshots that cannot be used are passed
// to warn.
func OfJournal(j journal.Journal, warn func(error)) *Journal {
	return &Journal{j: j, warn: warn, from: j.Genesis().Base.Sequence + 1}
}

// Rules implements Side.
func (s *Journal) Rules() events.Rules { return s.j.Genesis().Rules }

// First implements Side.
func (s *Journal) First() uint64 { return s.j.Genesis().Base.Sequence + 1 }

// Skip implements Side.
func (s *Journal) Skip(to uint64) error {
	s.from = to
	return nil
}

// Next implements Side.
func (s *Journal) Next() (Item, error) {
	if s.next == nil {
		if s.from > s.j.Last() {
			return Item{}, io.EOF
		}
		s.next, s.stop = iter.Pull2(s.j.Scan(s.from, 0))
	}
	record, err, ok := s.next()
	if !ok {
		return Item{}, io.EOF
	}
	if err != nil {
		return Item{}, err
	}
	s.last = record.Sequence
	return itemOf(&record)
}

// itemOf is a record as an item.
func itemOf(r *journal.Record) (Item, error) {
	e, err := events.Decode(r.Event)
	if err != nil {
		return Item{}, fmt.Errorf("event %d: %w", r.Sequence, err)
	}
	return Item{Sequence: r.Sequence, Event: e, Answer: &r.Answer, Fingerprint: r.Fingerprint}, nil
}

// State implements Side.
func (s *Journal) State() (fsm.State, error) { return leasekeeper.AsOf(s.j, s.last, s.warn) }

// Close ends the reading. It does not close the journal.
func (s *Journal) Close() {
	if s.stop != nil {
		s.stop()
	}
}
