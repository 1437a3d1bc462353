package projection

import (
	"fmt"
	"math"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// ActivityCount is how often an operation got an answer.
type ActivityCount struct {
	// Operation is the event's name: acquire…, repeat, invalid. A run of a
	// repeat counts under its template's name, or under unknown.
	Operation string
	// Run tells that it was a run of a repeat (R27), and not an event.
	Run bool
	// Answer is the first word of the answer, as R27 tallies them, or the
	// refusal; value and null for reads, view for inspect and status, tally for
	// a repeat.
	Answer string
	Times  uint64
}

// Bucket is the operations of a span of time [From, From+Width), by operation
// and answer, events before runs. Buckets in which nothing happened are left
// out.
type Bucket struct {
	From   int64
	Counts []ActivityCount
}

// Activity counts operations by their answers over time. An operation counts at
// the clock after it, whatever its own instant was: one whose clock went back,
// when it came; a repeat and all of its runs, when it began. What comes before
// there is a clock counts in the first bucket; if there never is one, that is a
// bucket from 0. Memory is bounded by a constant.
type Activity struct {
	cursor
	width  int64
	pass   func(Bucket)
	from   int64
	filled bool // the bucket counts something
	timed  bool // from is known
	bucket tally
	total  tally
}

// NewActivity begins at a state and passes each bucket to the sink when it is
// over, unless the sink is nil. The width is in ticks, at least 1; buckets begin
// at its multiples, the lowest instant of all apart.
func NewActivity(state fsm.State, width int64, sink func(Bucket)) *Activity {
	if width < 1 {
		panic(fmt.Sprintf("projection: buckets of %d ticks", width))
	}
	return &Activity{cursor: cursor{state.Sequence()}, width: width, pass: sink}
}

// Apply implements Projection.
func (a *Activity) Apply(s *Step) {
	a.next(s)
	if s.Event == nil {
		return
	}
	if s.Started {
		a.moveTo(a.floor(began(s)))
	}
	a.filled = true
	a.count(s)
}

// began is the instant that a step counts at.
func began(s *Step) int64 {
	if r, ok := s.Event.(events.Repeat); ok {
		if _, ran := s.Result.Answer.(events.Tally); ran {
			return r.At
		}
	}
	return s.Clock
}

// floor is where the bucket of an instant begins.
func (a *Activity) floor(ts int64) int64 {
	rest := ts % a.width
	if rest < 0 {
		rest += a.width
	}
	if ts < math.MinInt64+rest {
		return math.MinInt64
	}
	return ts - rest
}

func (a *Activity) moveTo(from int64) {
	if a.timed && from != a.from {
		a.Flush()
	}
	a.from, a.timed = from, true
}

// Flush passes the bucket that is not over yet to the sink, if something
// happened in it. What comes later in the same span makes a bucket of its own.
func (a *Activity) Flush() {
	if a.filled && a.pass != nil {
		a.pass(Bucket{a.from, a.bucket.counts()})
	}
	a.bucket, a.filled = tally{}, false
}

// Totals are the counts over all buckets.
func (a *Activity) Totals() []ActivityCount { return a.total.counts() }

func (a *Activity) count(s *Step) {
	o := operationOf(s.Event.Operation())
	a.add(o, false, wordOf(s.Result.Answer), 1)
	r, ok := s.Event.(events.Repeat)
	if !ok {
		return
	}
	if t, ran := s.Result.Answer.(events.Tally); ran {
		a.runs(&r, &t, s.Result.Effects)
	}
}

func (a *Activity) add(o operation, run bool, w word, times uint64) {
	a.bucket.add(o, run, w, times)
	a.total.add(o, run, w, times)
}
