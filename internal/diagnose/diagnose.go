package diagnose

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Options say how a diagnosis is made. The zero value is good.
type Options struct {
	// SkipPairs leaves pairs and partial explanations out.
	SkipPairs bool
	// SkipTelling leaves out the history that tells candidates apart.
	SkipTelling bool
	// Progress, if not nil, is called now and then with the number of operations
	// that models have answered so far. It is called by several goroutines.
	Progress func(operations int64)
}

// Diagnose looks for what explains the wrong answers of a log, which begins with
// a fresh service. Operations without a recorded answer count as operations only.
//
// It works on all processors until everything has been tried or the context is
// done; then it returns what is known by then, which is no error. Finding the
// wrong answers takes at most half of the time up to the context's deadline, if
// there are any; what is found then is about the operations examined. It does not
// wait for an operation that a model is in the middle of, so a goroutine may
// outlive it by one operation. Entries are read only. An error says that the
// rules do not exist.
//
// A model takes a microsecond or two for an operation, and longer where many
// wait for one lock. Most deviations are ruled out early; a dozen or two may
// answer the log as far as its first wrong answer, and a candidate answers all
// of it. Memory is that of the entries and of the models' states.
func Diagnose(ctx context.Context, rules events.Rules, entries []Entry, options Options) (*Diagnosis, error) {
	l, err := examine(ctx, rules, entries)
	if err != nil {
		return nil, fmt.Errorf("diagnose: %w", err)
	}
	d := &Diagnosis{
		Rules: rules, Operations: len(entries), Examined: len(l.entries), Answered: l.answered,
		Wrong: len(l.wrong), First: l.first, Complete: len(l.entries) == len(entries),
	}
	if d.Wrong == 0 {
		return d, nil
	}
	d.RuledOut = map[string]Mismatch{}
	s := newSearch(ctx, l, d, options)
	defer s.release()
	s.singles()
	switch {
	case s.timeIsUp():
		d.Complete = false
	case len(d.Singles) == 0 && !options.SkipPairs:
		s.partial()
		s.pairs()
	}
	if candidates := d.candidates(); len(candidates) > 1 && !options.SkipTelling {
		d.Telling = Tell(ctx, rules, candidates)
		d.Complete = d.Complete && (d.Telling != nil || !s.timeIsUp())
	}
	return d, nil
}

// candidates are the names of all that explain the log.
func (d *Diagnosis) candidates() (all [][]string) {
	for _, c := range append(d.Singles[:len(d.Singles):len(d.Singles)], d.Pairs...) {
		all = append(all, c.Names())
	}
	return all
}

// search is the making of one diagnosis.
type search struct {
	*log
	ctx     context.Context
	d       *Diagnosis
	options Options
	all     []naive.Deviation
	alone   []*trial // of each single deviation, in the order of all; nil if it was not tried

	stopped  atomic.Bool
	release  func() bool
	answered atomic.Int64
}

func newSearch(ctx context.Context, l *log, d *Diagnosis, options Options) *search {
	s := &search{log: l, ctx: ctx, d: d, options: options, all: naive.Deviations()}
	s.release = context.AfterFunc(ctx, func() { s.stopped.Store(true) })
	return s
}

// timeIsUp tells whether to stop.
func (s *search) timeIsUp() bool { return s.ctx.Err() != nil }

// count reports progress.
func (s *search) count(operations int) {
	total := s.answered.Add(int64(operations))
	if s.options.Progress != nil {
		s.options.Progress(total)
	}
}
