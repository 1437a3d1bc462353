package history

import (
	"slices"
	"sort"

	"github.com/leasekeeper/leasekeeper/events"
)

// Shrink asks its judge so often at most, and about so many operations in all.
const (
	DefaultCalls      = 100_000
	DefaultOperations = 3_000_000
)

// Limits bound what a shrinking may cost. The zero value is the default.
type Limits struct {
	// Calls is how often the judge may be called, DefaultCalls if it is 0. A
	// few hundred give a history from which no single operation can be left
	// out; the normal form of most faults takes a few thousand, of those around
	// deadlocks up to some thirty thousand.
	Calls int
	// Operations is how many operations the judge may be asked about, the runs
	// of repeats included, DefaultOperations if it is 0. It matters for a long
	// history that cannot be made short. The call that uses them up is the last.
	Operations int
}

// Shrink returns the normal form of a history that fails: the simplest one, by
// Order, that it finds to fail in the same class. One fault then gives one
// history, whatever history it was found in. A history that does not fail is
// returned as it is.
//
// The search is deterministic and knows nothing but the rules and what judge
// answers. Nearly all histories that it tries have a few operations. It is not
// proved that there is none simpler; for the deviations of
// testdata/normal-forms.txt none was found from any other history.
//
// Judge is believed: what is returned is a history that it has put into the class
// of h. If it is of two minds about one history, the result may be one that fails
// only now and then, and longer than need be.
//
// A coarse class, such as that of Differs, gives one form for a service with one
// fault. If a service may have several, use a fine one, such as that of
// DiffersAlike.
func Shrink(h History, judge func(History) Class) History {
	return ShrinkWithin(h, judge, Limits{})
}

// ShrinkWithin is Shrink for a judge that is expensive, such as one that starts
// a process for each history. When a limit is reached it returns the simplest
// history found by then. No history of up to 24 operations is judged twice.
//
// The events of the history are read anew from their own JSON first, so that
// each becomes what events.Rules.Parse makes of it; if the history fails no more
// then, or if its rules do not exist, it is returned as it is.
func ShrinkWithin(h History, judge func(History) Class, limits Limits) History {
	if limits.Calls <= 0 {
		limits.Calls = DefaultCalls
	}
	if limits.Operations <= 0 {
		limits.Operations = DefaultOperations
	}
	s := &shrinker{
		judge: judge, calls: limits.Calls, operations: uint64(limits.Operations), known: map[string]bool{}, expanded: map[string]bool{},
		best: History{Rules: h.Rules, Events: slices.Clone(h.Events)},
	}
	if s.class = s.ask(s.best); s.class == "" || h.Rules.Validate() != nil {
		return s.best
	}
	if read := under(h.Rules, h); s.fails(read) {
		s.best = read
		s.run()
	}
	return s.best
}

// shrinker is one run of Shrink.
type shrinker struct {
	judge func(History) Class
	class Class
	// What is left of the limits. When there is nothing left, calls is 0.
	calls      int
	operations uint64
	// known is what has been answered about short histories, by key.
	known map[string]bool
	key   []byte
	// expanded is the histories that explore has gone on from, by key.
	expanded   map[string]bool
	enumerated bool
	best       History // the simplest that fails, so far
}

// run goes from the coarse means to the fine ones: it makes the history short,
// then simple, and then looks for simpler ones that no single step leads to.
func (s *shrinker) run() {
	s.cut()
	s.settle()
	for again := true; again; {
		before := s.best
		if s.enumerate() || s.enumerateRepeats() {
			s.settle()
		}
		s.explore()
		if s.reassign() {
			s.settle()
		}
		again = Order(s.best, before) < 0
	}
}

func (s *shrinker) ask(h History) Class {
	s.calls--
	if n := size(h); n < s.operations {
		s.operations -= n
	} else {
		s.calls = 0
	}
	return s.judge(h)
}

// longestKnown is how many events a history has at most whose answer is kept.
const longestKnown = 24

// fails tells whether a history fails as it should. When the calls are used up,
// none does but those that are known to.
func (s *shrinker) fails(h History) bool {
	if len(h.Events) > longestKnown {
		return s.calls > 0 && s.ask(h) == s.class
	}
	s.name(h)
	fails, known := s.known[string(s.key)]
	if !known && s.calls > 0 {
		fails = s.ask(h) == s.class
		s.known[string(s.key)] = fails
	}
	return fails
}

// name puts the text that stands for a history into s.key.
func (s *shrinker) name(h History) {
	s.key = append(s.key[:0], byte(h.Rules.Edition))
	s.key = append(s.key, h.Rules.Unit.String()...)
	for _, e := range h.Events {
		s.key = events.Append(s.key, e)
	}
}

// try makes a history the best one if it is simpler and fails.
func (s *shrinker) try(h History) bool {
	if s.calls <= 0 || Order(h, s.best) >= 0 || !s.fails(h) {
		return false
	}
	s.best = h
	return true
}

// truncate drops what comes after the operation that fails. Of services that are
// compared event by event nobody will ask for it.
func (s *shrinker) truncate() {
	h := s.best
	n := sort.Search(len(h.Events), func(n int) bool { return s.fails(prefix(h, n)) })
	if n < len(h.Events) {
		s.try(prefix(h, n))
	}
}

func prefix(h History, n int) History { return History{Rules: h.Rules, Events: h.Events[:n:n]} }
