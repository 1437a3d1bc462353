package divergence

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Log is a history that is no journal as a side: the rules give its states.
type Log struct {
	m    *fsm.Machine
	read func() (e events.Event, recorded []byte, err error)
	text []byte
}

// OfLog makes a side of a history. Read is its next event with the JSON text of
// the recorded answer, nil if there is none, and io.EOF behind the last one.
func OfLog(rules events.Rules, read func() (events.Event, []byte, error)) (*Log, error) {
	initial, err := fsm.New(rules)
	if err != nil {
		return nil, err
	}
	return &Log{m: fsm.NewMachine(initial), read: read}, nil
}

// Rules implements Side.
func (s *Log) Rules() events.Rules { return s.m.State().Rules() }

// First implements Side.
func (s *Log) First() uint64 { return 1 }

// Skip implements Side.
func (s *Log) Skip(to uint64) error {
	for s.m.Sequence()+1 < to {
		e, _, err := s.read()
		if err == io.EOF {
			return nil // Next says so again
		}
		if err != nil {
			return err
		}
		s.m.Apply(e)
	}
	return nil
}

// Next implements Side.
func (s *Log) Next() (Item, error) {
	e, recorded, err := s.read()
	if err != nil {
		return Item{}, err
	}
	result := s.m.Apply(e)
	item := Item{Sequence: result.Sequence, Event: e, Fingerprint: s.m.Fingerprint()}
	if recorded != nil {
		answer := s.answer(recorded, result.Answer)
		item.Answer = &answer
	}
	return item, nil
}

// answer is a recorded answer, spelled as the rules spell it if it is theirs, so
// that it has the same hash.
func (s *Log) answer(recorded []byte, derived events.Answer) journal.Answer {
	s.text = derived.AppendJSON(s.text[:0])
	if !oplog.SameAnswer(recorded, s.text) {
		var compact bytes.Buffer
		_ = json.Compact(&compact, recorded) // the reader has seen that it is JSON
		s.text = append(s.text[:0], compact.Bytes()...)
	}
	return journal.NewAnswer(bytes.Clone(s.text))
}

// State implements Side.
func (s *Log) State() (fsm.State, error) { return s.m.State(), nil }
