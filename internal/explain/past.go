package explain

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/projection"
)

// past is a history up to some place: a trail of the stretch from the nearest
// start to it, and those of earlier stretches as far as somebody had to look.
type past struct {
	source Source
	focus  focus
	starts []Start  // those before the newest trail, ascending
	trails []*trail // newest first
	budget int64    // events that may still be replayed to look further back
	err    error    // what kept it from looking further back, if it was not the budget
}

// begin goes to the nearest of the starts that can be used, and returns the
// state there.
func begin(source Source, f focus, budget int64, usable func(Start) bool) (*past, fsm.State, error) {
	starts, err := source.Starts()
	if err != nil {
		return nil, fsm.State{}, err
	}
	p := &past{source: source, focus: f, budget: budget}
	for _, start := range starts {
		if usable(start) {
			p.starts = append(p.starts, start)
		}
	}
	_, state, err := p.nearest(nil)
	if err != nil {
		return nil, fsm.State{}, err
	}
	p.trails = []*trail{newTrail(state, f)}
	return p, state, nil
}

// errNoStart: what is asked for lies before everything that is kept.
var errNoStart = fmt.Errorf("explain: %w: it lies before the oldest snapshot", journal.ErrArchived)

// nearest takes the last of the starts that can be read, unless enough is
// false for it. A snapshot that is damaged is as good as none.
func (p *past) nearest(enough func(Start) bool) (ok bool, state fsm.State, err error) {
	for len(p.starts) > 0 {
		start := p.starts[len(p.starts)-1]
		if enough != nil && !enough(start) {
			return false, state, nil
		}
		p.starts = p.starts[:len(p.starts)-1]
		state, err = p.source.State(start.Sequence)
		if !errors.Is(err, leasekeeper.ErrSnapshot) {
			return err == nil, state, err
		}
	}
	if err == nil {
		err = errNoStart
	}
	return false, state, err
}

// now is the trail that ends at the place.
func (p *past) now() *trail { return p.trails[0] }

// from is the sequence before the first event that has been looked at.
func (p *past) from() uint64 { return p.trails[len(p.trails)-1].begin.Sequence() }

// whole tells whether all events have been looked at, back to the first of all.
func (p *past) whole() bool { return p.from() == 0 }

// extend looks at the stretch before those that it has looked at. It returns
// false if there is none, or none that it may afford.
func (p *past) extend() bool {
	end := p.from()
	if len(p.starts) == 0 || p.err != nil {
		return false
	}
	ok, state, err := p.nearest(func(s Start) bool { return int64(end-s.Sequence) <= p.budget })
	if !ok {
		if !errors.Is(err, errNoStart) && !errors.Is(err, leasekeeper.ErrSnapshot) {
			p.err = err
		}
		return false
	}
	p.budget -= int64(end - state.Sequence())
	t := newTrail(state, p.focus)
	if _, p.err = p.source.Replay(state, end, nil, t.step); p.err != nil {
		return false
	}
	p.trails = append(p.trails, t)
	return true
}

// find asks the trails, the newest first, and looks further back as long as
// none knows. ok is false if it is not known.
func find[T any](p *past, ask func(*trail) (T, bool)) (found T, ok bool) {
	for i := 0; i < len(p.trails) || p.extend(); i++ {
		if found, ok = ask(p.trails[i]); ok {
			return found, true
		}
	}
	return found, false
}

// scene is one place of a history: an event with the state before and after it,
// or an instant.
type scene struct {
	*past
	before fsm.State // the event, with no lease retired that lapses with it
	state  fsm.State // after the event, or as of the instant
	entry  Entry     // of the event
	result events.Result
	clock  int64
	begun  bool // there is a clock
}

// atEvent goes to an event. The trail ends before it; see scene.happen.
func atEvent(source Source, sequence uint64, entry Entry, budget int64, f focus) (*scene, error) {
	p, state, err := begin(source, f, budget, func(s Start) bool { return s.Sequence < sequence })
	if err != nil {
		return nil, err
	}
	if sequence-1 > state.Sequence() {
		if state, err = source.Replay(state, sequence-1, nil, p.now().step); err != nil {
			return nil, err
		}
	}
	s := &scene{past: p, before: state, entry: entry}
	s.state, s.result = fsm.Apply(state, entry.Event)
	s.clock, s.begun = s.state.Clock()
	return s, nil
}

// step is the step of the scene's event.
func (s *scene) step() *projection.Step {
	return &projection.Step{Event: s.entry.Event, Result: s.result, Clock: s.clock, Started: s.begun}
}

// happen makes the trail end after the event.
func (s *scene) happen() { s.now().step(s.step()) }

// atInstant goes to an instant: after the last event that is not later, with
// every lease that had lapsed by then retired (R1). Of a repeat, the runs that
// had happened count.
func atInstant(source Source, ts, budget int64, f focus) (*scene, error) {
	p, state, err := begin(source, f, budget, func(s Start) bool { return s.Sequence == 0 || s.Clock <= ts })
	if err != nil {
		return nil, err
	}
	rules := source.Rules()
	var part events.Event // of a repeat that ends later
	horizon := leasekeeper.NewHorizon(rules, ts)
	horizon.Begin(state.Clock())
	later := func(e events.Event) bool {
		begun, whole := horizon.Take(e)
		if !whole {
			part = begun
		}
		return !whole
	}
	if state.Sequence() < source.Last() {
		if state, err = source.Replay(state, source.Last(), later, p.now().step); err != nil {
			return nil, err
		}
	}
	s := &scene{past: p, state: state}
	if part != nil {
		s.entry.Event = part
		s.state, s.result = fsm.Apply(state, part)
		s.clock, s.begun = s.state.Clock()
		s.happen()
	}
	at, lapses := s.state.Lapse(ts)
	for i := range lapses {
		lapses[i].Sequence = 0 // no event has noticed yet
	}
	p.now().effects(lapses)
	s.state = at
	s.clock, s.begun = at.Clock()
	return s, nil
}
