package campaign

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
)

// Subject is what is tried. Each worker has one of its own.
type Subject interface {
	// Run gives a history to it, fresh. An error says nothing about the subject:
	// it cannot be run at all, or the context is over.
	Run(ctx context.Context, h history.History) (conformance.Verdict, error)
	Close()
}

// Entry is a history of a corpus.
type Entry struct {
	Name    string
	History history.History
}

// Options say what a campaign does.
type Options struct {
	Seed       uint64                    // of the first history that is drawn
	Histories  uint64                    // how many are drawn at most; 0: as many as there is time for
	For        time.Duration             // how long histories are drawn; 0: until there were so many
	Operations int                       // in each of them
	Profile    history.Profile           //
	Rules      func(uint64) events.Rules // by seed; nil: history.DrawRules
	Corpus     []Entry                   // what goes first, whatever the time
	Workers    int
	// Faults is after how many faults of different classes the campaign stops;
	// 0 is 1.
	Faults int
	// Open makes the subject of a worker.
	Open func(ctx context.Context) (Subject, error)
	// Progress is told every now and then, by one goroutine at a time; nil: nobody.
	Progress func(Count)
}

// Count is how much has been tried.
type Count struct {
	Histories, Operations uint64
	Elapsed               time.Duration
}

// Fault is a history that shows something wrong.
type Fault struct {
	Entry   string // its name in the corpus, "" if it was drawn
	Seed    uint64 // by which it was drawn
	History history.History
	Verdict conformance.Verdict
	Class   history.Class

	number uint64 // of the history in the campaign
}

// Outcome is what a campaign has found.
type Outcome struct {
	Count
	// Faults has the first history found of each class, by number.
	Faults []Fault
	// Next is the seed with which another campaign goes on.
	Next uint64
}

// Run holds a campaign. It returns what was found until then with the error that
// ended it: the context's, or a subject's that could not be run.
func Run(ctx context.Context, options Options) (Outcome, error) {
	options.Faults = max(options.Faults, 1)
	if options.Rules == nil {
		options.Rules = history.DrawRules
	}
	if options.Histories == 0 && options.For == 0 {
		options.Histories = 1
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := &campaign{options: options, start: time.Now(), faults: map[history.Class]Fault{}}
	c.stop.Store(^uint64(0))

	var workers sync.WaitGroup
	for range max(options.Workers, 1) {
		workers.Go(func() {
			if err := c.work(ctx); err != nil {
				cancel(err)
			}
		})
	}
	workers.Wait()
	outcome := c.outcome()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return outcome, fmt.Errorf("campaign: %w", err)
	}
	return outcome, ctx.Err()
}

// campaign is a run of Run.
type campaign struct {
	options Options
	start   time.Time

	next       atomic.Uint64 // the number of the next history: first the corpus, then those drawn
	stop       atomic.Uint64 // no history of a higher number is begun
	histories  atomic.Uint64
	operations atomic.Uint64

	mu     sync.Mutex
	faults map[history.Class]Fault
	shown  time.Time
}

// work runs histories until there is nothing more to do.
func (c *campaign) work(ctx context.Context) error {
	subject, err := c.options.Open(ctx)
	if err != nil {
		return err
	}
	defer subject.Close()
	generator := history.NewGenerator(c.options.Profile)
	for ctx.Err() == nil {
		number := c.next.Add(1) - 1
		if number > c.stop.Load() || c.over(number) {
			c.stopAt(number)
			return nil
		}
		fault := c.draw(generator, number)
		fault.Verdict, err = subject.Run(ctx, fault.History)
		if err != nil {
			return err
		}
		c.histories.Add(1)
		c.operations.Add(uint64(len(fault.History.Events)))
		if fault.Verdict.Kind() != conformance.KindAgrees {
			c.found(fault)
		}
		c.report()
	}
	return ctx.Err()
}

// over tells whether there is no history of a number: all have been drawn, or
// the time is up.
func (c *campaign) over(number uint64) bool {
	corpus := uint64(len(c.options.Corpus))
	if number < corpus {
		return false
	}
	if c.options.Histories > 0 && number-corpus >= c.options.Histories {
		return true
	}
	return c.options.For > 0 && time.Since(c.start) >= c.options.For
}

// draw takes a history from the corpus, or draws it.
func (c *campaign) draw(generator *history.Generator, number uint64) Fault {
	corpus := uint64(len(c.options.Corpus))
	if number < corpus {
		entry := c.options.Corpus[number]
		return Fault{Entry: entry.Name, History: entry.History, number: number}
	}
	seed := c.options.Seed + number - corpus
	h := generator.Generate(c.options.Rules(seed), seed, c.options.Operations)
	return Fault{Seed: seed, History: h, number: number}
}

// found keeps a fault, if it is the first of its class, and ends the campaign if
// there are enough. Of those that are kept, none has a higher number than one
// that is not: numbers are given out in order, and what was begun is finished.
func (c *campaign) found(fault Fault) {
	fault.Class = conformance.ClassOf(fault.Verdict)
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.faults[fault.Class]; ok && known.number < fault.number {
		return
	}
	fault.History.Events = append([]events.Event(nil), fault.History.Events...) // the generator's
	c.faults[fault.Class] = fault
	if len(c.faults) >= c.options.Faults {
		c.stopAt(fault.number)
	}
}

// stopAt lets no history of a higher number begin.
func (c *campaign) stopAt(number uint64) {
	for {
		now := c.stop.Load()
		if now <= number || c.stop.CompareAndSwap(now, number) {
			return
		}
	}
}

// report tells how far the campaign is, a few times a second.
func (c *campaign) report() {
	if c.options.Progress == nil || !c.mu.TryLock() {
		return
	}
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.shown) > 100*time.Millisecond {
		c.shown = now
		c.options.Progress(c.count())
	}
}

func (c *campaign) count() Count {
	return Count{Histories: c.histories.Load(), Operations: c.operations.Load(), Elapsed: time.Since(c.start)}
}
