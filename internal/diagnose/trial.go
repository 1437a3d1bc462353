package diagnose

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// trial is a model with one deviation or two that answers the log until one of
// its answers is not the recorded one.
type trial struct {
	deviations []naive.Deviation
	confirmed  atomic.Int64             // operations that it has got through
	mismatch   atomic.Pointer[Mismatch] // why not more

	// What follows belongs to the goroutine that runs the trial.
	model  *naive.Model
	seen   sighting
	answer []byte
}

// counted is after how many operations progress is reported.
const counted = 1 << 12

// run lets the trial go on until it has got through so many operations, has
// failed, or is to stop.
func (s *search) run(t *trial, limit int) {
	if t.model == nil {
		t.model = modelOf(s.rules, namesOf(t.deviations))
	}
	uncounted := 0
	defer func() { s.count(uncounted) }()
	for i := int(t.confirmed.Load()); i < limit && !s.stopped.Load(); i++ {
		e := &s.entries[i]
		result := t.model.Apply(e.Event)
		t.seen.add(e.Event, result.Effects)
		if uncounted++; uncounted == counted {
			s.count(uncounted)
			uncounted = 0
		}
		if e.answered() {
			t.answer = result.Answer.AppendJSON(t.answer[:0])
			if !e.is(t.answer) {
				t.model = nil
				t.mismatch.Store(&Mismatch{Index: i, Recorded: e.Recorded, Answer: slices.Clone(t.answer)})
				return
			}
		}
		t.confirmed.Store(int64(i + 1))
	}
}

// Trials run in rounds, so that those that fail early are out of the way, and
// their memory free, before any runs for long. One round ends with the first
// wrong answer, which most do not give.
const (
	firstRound = 1 << 10
	nextRound  = 8 // times the one before
)

// contest runs trials until each has got through or failed, or the time is up.
func (s *search) contest(trials []*trial) {
	going := slices.Clone(trials)
	for limit := firstRound; len(going) > 0 && !s.timeIsUp(); limit *= nextRound {
		if begin := limit / nextRound; begin <= s.first.Index && s.first.Index < limit {
			limit = s.first.Index + 1
		}
		limit = min(limit, len(s.entries))
		round := going // which may be running still when the time is up: it is not changed
		s.inParallel(len(round), func(i int) { s.run(round[i], limit) })
		if limit == len(s.entries) {
			return
		}
		going = slices.DeleteFunc(slices.Clone(round), func(t *trial) bool { return t.mismatch.Load() != nil })
	}
}

// outcome is what has become of a trial: a mismatch, or a candidate that has
// got through if its Confirmed says so.
func (s *search) outcome(t *trial) (Candidate, *Mismatch) {
	if mismatch := t.mismatch.Load(); mismatch != nil {
		return Candidate{}, mismatch
	}
	confirmed := int(t.confirmed.Load())
	return Candidate{Deviations: t.deviations, Confirmed: confirmed, Explained: s.wrongBefore(confirmed)}, nil
}

// inParallel calls work with every number below n, on all processors, and
// returns when all calls have, or the time is up. A panic of one of them is
// the caller's.
func (s *search) inParallel(n int, work func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	count := min(runtime.GOMAXPROCS(0), n)
	faults := make(chan any, count)
	for range count {
		workers.Go(func() {
			defer func() {
				if fault := recover(); fault != nil {
					faults <- fault
				}
			}()
			for i := next.Add(1) - 1; i < int64(n) && !s.stopped.Load(); i = next.Add(1) - 1 {
				work(int(i))
			}
		})
	}
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-s.ctx.Done():
	}
	select {
	case fault := <-faults:
		panic(fault)
	default:
	}
}
