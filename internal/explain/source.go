package explain

import (
	"bytes"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Source is a history that can be gone through again, from the places where a
// replay can begin.
type Source interface {
	Rules() events.Rules
	// Base is the sequence before the first event that is kept, Last that of
	// the last one.
	Base() uint64
	Last() uint64
	// Entry is an event and the answer that was recorded, if one was.
	Entry(sequence uint64) (Entry, error)
	// Starts are the events after which a replay can begin, 0 for the state
	// before the first event, in ascending order.
	Starts() ([]Start, error)
	// State is the state at a start. An error that matches
	// leasekeeper.ErrSnapshot means that the start is of no use.
	State(start uint64) (fsm.State, error)
	// Replay applies the events after the state's, up to and with one, and
	// stops before the first for which before is true, if before is not nil.
	// It returns the state that it has come to.
	Replay(from fsm.State, until uint64, before func(events.Event) bool, each func(*projection.Step)) (fsm.State, error)
}

// Start is a place where a replay can begin.
type Start struct {
	Sequence uint64
	Clock    int64 // the state's instant, for a Sequence other than 0
}

// Entry is an event of a Source.
type Entry struct {
	Event events.Event
	// Recorded is what the history says that the answer was, or nil.
	Recorded *Recorded
}

// Recorded is an answer that a history records.
type Recorded struct {
	// Text is the answer, or the SHA-256 of one that was too long to be kept.
	Text string
	// Foreign tells that another service gave it.
	Foreign bool
	same    func(derived []byte) bool
}

// Is tells whether it is the answer of this compact JSON text.
func (r *Recorded) Is(derived []byte) bool { return r.same(derived) }

// Memory is a Source of events that were read from somewhere. It is filled by
// one goroutine before it is used.
type Memory struct {
	initial fsm.State
	entries []Entry
}

// NewMemory is an empty history under the given rules.
func NewMemory(rules events.Rules) (*Memory, error) {
	initial, err := fsm.New(rules)
	return &Memory{initial: initial}, err
}

// Add adds an event, and the JSON text of its recorded answer, nil if there is
// none.
func (m *Memory) Add(e events.Event, recorded []byte) {
	entry := Entry{Event: e}
	if recorded != nil {
		recorded = bytes.Clone(recorded) // who read it may use its room again
		entry.Recorded = &Recorded{
			Text: string(recorded),
			same: func(derived []byte) bool { return oplog.SameAnswer(recorded, derived) },
		}
	}
	m.entries = append(m.entries, entry)
}

// FirstDifference is the first event, up to and with one, whose recorded answer
// is not the one that the rules give; 0 if there is none. It applies no event
// behind the last one with a recorded answer.
func (m *Memory) FirstDifference(until uint64) uint64 {
	entries := m.entries[:min(until, m.Last())]
	for len(entries) > 0 && entries[len(entries)-1].Recorded == nil {
		entries = entries[:len(entries)-1]
	}
	machine := fsm.NewMachine(m.initial)
	for _, entry := range entries {
		result := machine.Apply(entry.Event)
		if entry.Recorded != nil && !entry.Recorded.Is(result.Answer.AppendJSON(nil)) {
			return result.Sequence
		}
	}
	return 0
}

// Rules implements Source.
func (m *Memory) Rules() events.Rules { return m.initial.Rules() }

// Base implements Source.
func (m *Memory) Base() uint64 { return 0 }

// Last implements Source.
func (m *Memory) Last() uint64 { return uint64(len(m.entries)) }

// Entry implements Source.
func (m *Memory) Entry(sequence uint64) (Entry, error) {
	if sequence < 1 || sequence > m.Last() {
		return Entry{}, fmt.Errorf("explain: there is no event %d", sequence)
	}
	return m.entries[sequence-1], nil
}

// Starts implements Source.
func (m *Memory) Starts() ([]Start, error) { return []Start{{}}, nil }

// State implements Source.
func (m *Memory) State(uint64) (fsm.State, error) { return m.initial, nil }

// Replay implements Source.
func (m *Memory) Replay(from fsm.State, until uint64, before func(events.Event) bool, each func(*projection.Step)) (fsm.State, error) {
	machine := fsm.NewMachine(from)
	for _, entry := range m.entries[from.Sequence():min(until, m.Last())] {
		if before != nil && before(entry.Event) {
			break
		}
		step := projection.Step{Event: entry.Event, Result: machine.Apply(entry.Event)}
		step.Clock, step.Started = machine.Clock()
		each(&step)
	}
	return machine.State(), nil
}
