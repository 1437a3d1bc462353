package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// DefaultMaxStates is how many states there may be if nothing else is said:
// they take up to 1.5 GB.
const DefaultMaxStates = 20_000_000

// Options says how to explore. The zero value is fine.
type Options struct {
	// Workers is the number of goroutines, GOMAXPROCS if 0. The report does
	// not depend on it.
	Workers int
	// MaxStates bounds the memory: 70 bytes a state at most, and twice that for
	// a moment. It is DefaultMaxStates if 0.
	MaxStates int64
	// Deviations are switched on in naive. What the exploration then finds is
	// a shortest history that shows one of them in an answer, in an effect or
	// in the state. States are merged only if naive remembers the same of them,
	// so there are many more, without end: a depth must be given.
	Deviations []string
	// Progress is called after each level, from the goroutine of Explore.
	Progress func(Level)
}

// Explore applies every history of a scope to fsm and to naive, and compares
// what comes out. The error is about the scope, the options, ctx, or matches
// ErrStates; for the last two the report covers the levels that were finished.
func Explore(ctx context.Context, scope Scope, options Options) (Report, error) {
	if err := scope.Validate(); err != nil {
		return Report{}, err
	}
	if options.Workers < 0 || options.MaxStates < 0 {
		return Report{}, fmt.Errorf("explore: %d workers and %d states", options.Workers, options.MaxStates)
	}
	if len(options.Deviations) > 0 && scope.Depth == 0 {
		return Report{}, errors.New("explore: with deviations there must be a depth, since states are hardly ever merged")
	}
	root, err := newPoint(scope.Rules, options.Deviations)
	if err != nil {
		return Report{}, err
	}
	moves := scope.moves()
	s := &search[point]{
		newSpace: func() space[point] {
			return &judge{moves: moves, start: root, canon: newCanon(scope), deviant: len(options.Deviations) > 0}
		},
		moves: len(moves), workers: options.Workers, maxStates: options.MaxStates,
	}
	if s.workers == 0 {
		s.workers = runtime.GOMAXPROCS(0)
	}
	if s.maxStates == 0 {
		s.maxStates = DefaultMaxStates
	}
	edge, t, err := s.run(ctx, scope.Depth, options.Progress)
	report := newReport(scope, s.levels)
	if t != nil {
		report.Failure = &Failure{
			History: tell(root.state, moves, s.path(edge)), Kind: t.kind, Required: t.required, Got: t.got,
		}
	}
	report.Complete = err == nil && t == nil && len(s.states) == int(report.States) && report.Levels[len(report.Levels)-1].Expanded
	return report, err
}

// point is a state as fsm has it and as naive has it.
type point struct {
	state fsm.State
	model *naive.Model
}

func newPoint(rules events.Rules, deviations []string) (point, error) {
	state, err := fsm.New(rules)
	if err != nil {
		return point{}, fmt.Errorf("explore: %w", err)
	}
	model, err := naive.New(rules, deviations...)
	if err != nil {
		return point{}, fmt.Errorf("explore: %w", err)
	}
	return point{state, model}, nil
}

// tell is the history of some moves.
func tell(s fsm.State, moves []move, path []int) history.History {
	h := history.History{Rules: s.Rules()}
	var r reader
	var before snapshot
	for _, n := range path {
		r.state(&before, s)
		e, ok := moves[n].event(&before)
		if !ok {
			panic(fmt.Sprintf("explore: move %d was made and is not possible", n))
		}
		h.Events = append(h.Events, e)
		s, _ = fsm.Apply(s, e)
	}
	return h
}
