package leasekeeper

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
)

// ErrMismatch is matched by every Mismatch.
var ErrMismatch = errors.New("leasekeeper: the journal records something else than the rules give")

// Mismatch is an event whose recorded answer or fingerprint is not the one
// that the rules give.
type Mismatch struct {
	Sequence uint64
	// What differs: "answer", "fingerprint" or "snapshot".
	What string
	// Recorded is what the journal says; of a long answer, its SHA-256.
	Recorded string
	// Derived is what the rules give.
	Derived string
}

// Error implements error.
func (m *Mismatch) Error() string {
	return fmt.Sprintf("leasekeeper: event %d: the journal records %s %s, the rules give %s",
		m.Sequence, m.What, m.Recorded, m.Derived)
}

// Is makes a Mismatch match ErrMismatch.
func (m *Mismatch) Is(target error) bool { return target == ErrMismatch }

// Step is one event of a replay.
type Step struct {
	Event    events.Event
	Recorded journal.Record // its bytes are valid until the next step
	Result   events.Result  // its effects are valid until the next step
	// Differs is nil if the recorded answer and fingerprint are the derived
	// ones. The answer of a foreign record is not compared unless the replay
	// is asked to.
	Differs *Mismatch

	m *fsm.Machine
}

// State is the state after the event, in O(1).
func (s *Step) State() fsm.State { return s.m.State() }

// Clock is the instant of the state after the event; started is false before
// the first event that had one. It costs nothing, where State makes the next
// event copy what it changes.
func (s *Step) Clock() (ts int64, started bool) { return s.m.Clock() }

// ReplayOptions says what a Replay covers.
type ReplayOptions struct {
	// From is the state to begin with; nil is the state before the first
	// event. The replay begins with the event after it.
	From *fsm.State
	// Until is the last event to replay; 0 is the last one there is. It must
	// not lie before From's, nor after the journal's last.
	Until uint64
	// Before ends the replay before the first event for which it is true, if
	// it is not nil.
	Before func(events.Event) bool
	// Foreign compares also the answers that another service gave.
	Foreign bool
	// Each is called after every event, if it is not nil. An error of it ends
	// the replay and is returned.
	Each func(*Step) error
}

// Replay derives a journal's answers and fingerprints again and compares them
// with the recorded ones. It returns the state after the last event, or the
// first error: of reading, of Each, or, if Each is nil, the first *Mismatch.
// Reading and applying run side by side; memory is bounded by the state.
func Replay(j journal.Journal, options ReplayOptions) (fsm.State, error) {
	state, err := initialState(j, options.From)
	if err != nil {
		return fsm.State{}, err
	}
	if last := j.Last(); options.Until > last || options.Until != 0 && options.Until < state.Sequence() {
		return fsm.State{}, fmt.Errorf("leasekeeper: no replay from event %d to %d; the journal ends with %d", state.Sequence(), options.Until, last)
	}
	if options.Until != 0 && options.Until == state.Sequence() {
		return state, nil
	}
	r := replayer{m: fsm.NewMachine(state), options: options}
	pages := readAhead(j, state.Sequence()+1, options.Until)
	defer pages.stop()
	for page := range pages.full {
		if err := r.page(page); err == errEnough {
			break
		} else if err != nil {
			return fsm.State{}, err
		}
		pages.empty <- page
	}
	return r.m.State(), nil
}

// initialState is the given state, or the one before a journal's first event.
func initialState(j journal.Journal, from *fsm.State) (fsm.State, error) {
	if from != nil {
		return *from, nil
	}
	if base := j.Genesis().Base.Sequence; base > 0 {
		return fsm.State{}, fmt.Errorf("leasekeeper: %w: the events up to %d; begin at a snapshot", journal.ErrArchived, base)
	}
	return fsm.New(j.Genesis().Rules)
}

// errEnough ends a replay without being an error.
var errEnough = errors.New("enough")

type replayer struct {
	m       *fsm.Machine
	options ReplayOptions
	answer  []byte
	step    Step
}

func (r *replayer) page(p *page) error {
	for i := range p.records {
		if r.options.Before != nil && r.options.Before(p.events[i]) {
			return errEnough
		}
		if err := r.event(p.events[i], &p.records[i]); err != nil {
			return err
		}
	}
	return p.err
}

func (r *replayer) event(e events.Event, record *journal.Record) error {
	result := r.m.Apply(e)
	differs := r.compare(&result, record)
	if r.options.Each == nil {
		if differs != nil {
			return differs
		}
		return nil
	}
	r.step = Step{Event: e, Recorded: *record, Result: result, Differs: differs, m: r.m}
	return r.options.Each(&r.step)
}

func (r *replayer) compare(result *events.Result, record *journal.Record) *Mismatch {
	if record.Marks&journal.Foreign == 0 || r.options.Foreign {
		r.answer = result.Answer.AppendJSON(r.answer[:0])
		if !record.Answer.Is(r.answer) {
			return &Mismatch{record.Sequence, "answer", recordedText(record.Answer), string(r.answer)}
		}
	}
	if derived := r.m.Fingerprint(); record.Fingerprint != derived {
		return &Mismatch{record.Sequence, "fingerprint", fsm.Fingerprint(record.Fingerprint).String(), derived.String()}
	}
	return nil
}

func recordedText(a journal.Answer) string {
	if text, ok := a.JSON(); ok {
		return string(text)
	}
	return fmt.Sprintf("of SHA-256 %x", a.Hash())
}
