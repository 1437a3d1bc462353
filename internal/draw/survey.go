package draw

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Load counts what there is to show of a lock.
type Load struct {
	Leases, Waits, Renewals, Writes int
	// Refused are those of the writes that were refused, and Late those that
	// were accepted although their token was of no lease in force (R6).
	Refused, Late int
	// Aborted are the leases and requests that an abort took back (R19).
	Aborted int
}

func (l *Load) all() int { return l.Leases + l.Waits + l.Renewals + l.Writes }

func (l *Load) add(other *Load) {
	l.Leases += other.Leases
	l.Waits += other.Waits
	l.Renewals += other.Renewals
	l.Writes += other.Writes
	l.Refused += other.Refused
	l.Late += other.Late
	l.Aborted += other.Aborted
}

func (l *Load) lease(row *projection.Lease) {
	l.Leases++
	if row.How == events.CauseAbort {
		l.Aborted++
	}
}

func (l *Load) wait(row *projection.Wait) {
	l.Waits++
	if row.Ending == projection.WasAborted {
		l.Aborted++
	}
}

func (l *Load) write(row *projection.Write) {
	l.Writes++
	switch {
	case row.Refusal != events.NotRefused:
		l.Refused++
	case row.Holder == "":
		l.Late++
	}
}

// Survey is the first fold of a history: it finds out which locks there are, how
// much there is to show of each, and when. Memory grows with the locks. It
// implements projection.Projection.
type Survey struct {
	*projection.Timeline
	window      Span
	loads       map[string]*Load
	first, last int64
	any         bool
	clock       int64
}

// NewSurvey is a survey that begins at a state and counts what the filter passes.
func NewSurvey(state fsm.State, f projection.Filter) *Survey {
	s := &Survey{loads: map[string]*Load{}, first: math.MaxInt64, last: math.MinInt64}
	s.clock, _ = state.Clock()
	s.window = window(f)
	s.Timeline = projection.NewTimeline(state, f, projection.TimelineSink{
		Lease: s.lease,
		Wait:  s.wait,
		Renewal: func(r projection.Renewal) {
			s.of(r.Lock).Renewals++
			s.seen(r.At.Instant)
		},
		Write: func(w projection.Write) {
			s.of(w.Lock).write(&w)
			if w.Refusal != events.ClockWentBack {
				s.seen(w.At.Instant)
			}
		},
	})
	return s
}

// Apply implements projection.Projection.
func (s *Survey) Apply(step *projection.Step) {
	s.Timeline.Apply(step)
	if step.Started {
		s.clock = step.Clock
	}
}

// Finish counts what is still going on. Nothing may be applied after it.
func (s *Survey) Finish() { s.Open(s.lease, s.wait) }

func (s *Survey) lease(l projection.Lease) {
	if s.window.misses(l.Began, l.Ended, l.How == events.CauseAbort) {
		return
	}
	s.of(l.Lock).lease(&l)
	s.lasted(l.Began, l.Ended)
}

func (s *Survey) wait(w projection.Wait) {
	if s.window.misses(w.Began, w.Ended, w.Ending == projection.WasAborted) {
		return
	}
	s.of(w.Lock).wait(&w)
	s.lasted(w.Began, w.Ended)
}

func (s *Survey) of(lock string) *Load {
	load := s.loads[lock]
	if load == nil {
		load = &Load{}
		s.loads[lock] = load
	}
	return load
}

func (s *Survey) lasted(began, ended projection.Moment) {
	s.seen(began.Instant)
	if ended.Happened() {
		s.seen(ended.Instant)
	} else {
		s.seen(s.clock)
	}
}

func (s *Survey) seen(ts int64) {
	s.first, s.last, s.any = min(s.first, ts), max(s.last, ts), true
}

// Span is the shortest span of time that has everything that was counted, and
// false if that is nothing.
func (s *Survey) Span() (Span, bool) {
	if !s.any {
		return Span{}, false
	}
	// The span does not have its end, but the last instant. No instant is the
	// largest number (R24).
	return Span{s.first, max(s.last, s.last+1)}, true
}

// Choice is the locks that a drawing shows, in its order, and what it does not
// show.
type Choice struct {
	Locks   []string
	Others  int // locks that are not shown
	Missing Load
}

// Busiest chooses at most so many locks: those with the most rows, and of equal
// ones the first by name. O(n log n) for n locks.
func (s *Survey) Busiest(most int) Choice {
	names := slices.SortedFunc(maps.Keys(s.loads), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.loads[b].all(), s.loads[a].all()), cmp.Compare(a, b))
	})
	c := Choice{Locks: names[:min(most, len(names))]}
	for _, name := range names[len(c.Locks):] {
		c.Others++
		c.Missing.add(s.loads[name])
	}
	return c
}

// Load is what there is to show of a lock.
func (s *Survey) Load(lock string) Load {
	if load := s.loads[lock]; load != nil {
		return *load
	}
	return Load{}
}
