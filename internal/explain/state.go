package explain

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// State is the state at a place.
func State(source Source, where Place) (fsm.State, error) {
	s, err := goTo(source, where, Options{}, focus{})
	if err != nil {
		return fsm.State{}, err
	}
	return s.state, nil
}

// Closed is an acquire that closed a cycle: the state when it came, with all
// leases retired that lapsed by then, and those who were aborted for it.
type Closed struct {
	Before  fsm.State
	Acquire events.Acquire
	Victims []string
	Run     int64 // of a repeat, from 0; -1 if the event is the acquire
}

// Closing finds the acquire of an event that closed a cycle: the event's own, or
// that of the first run of a repeat that did. It returns nil if there is none,
// and the state after the event.
func Closing(source Source, sequence uint64) (*Closed, fsm.State, error) {
	entry, err := source.Entry(sequence)
	if err != nil {
		return nil, fsm.State{}, err
	}
	s, err := atEvent(source, sequence, entry, 0, focus{})
	if err != nil {
		return nil, fsm.State{}, err
	}
	switch e := s.entry.Event.(type) {
	case events.Acquire:
		if victims := events.Victims(s.result.Answer); len(victims) > 0 {
			return &Closed{s.before.At(e.At), e, victims, -1}, s.state, nil
		}
	case events.Repeat:
		return firstRun(s, e), s.state, nil
	}
	return nil, s.state, nil
}

// firstRun carries out a repeat run by run, up to the first that aborts somebody.
func firstRun(s *scene, e events.Repeat) *Closed {
	if _, refused := s.result.Answer.(events.Refusal); refused {
		return nil
	}
	template, ok := events.CompileTemplate(e.Template)
	if !ok {
		return nil
	}
	m := fsm.NewMachine(s.before)
	for i := range e.Count {
		at, _ := e.RunAt(i)
		acquire, ok := template.Event(s.before.Rules(), at, i).(events.Acquire)
		if !ok {
			return nil // all runs are of one operation
		}
		before := m.State()
		if victims := events.Victims(m.Apply(acquire).Answer); len(victims) > 0 {
			return &Closed{before.At(at), acquire, victims, i}
		}
	}
	return nil
}
