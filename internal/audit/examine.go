package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// Options say how hard to look. The zero value is good.
type Options struct {
	// Time is how long to look for the cause, and how long at most for what
	// follows from it; a minute if it is 0.
	Time time.Duration
	// Progress, if not nil, is called now and then, by several goroutines, with
	// how many operations have been answered so far.
	Progress func(operations int64)
}

// Log is a history as a whole.
type Log struct {
	// Start is the state before the first entry.
	Start   fsm.State
	Entries []diagnose.Entry
}

// Examine says what is to be known about the first wrong answer of a log. It
// returns nil if there is none. When the time is up, or the context is done, it
// ends with what is known by then, which is no error. Memory is that of the log
// and of a few states.
func Examine(ctx context.Context, log Log, options Options) (*Report, error) {
	if options.Time == 0 {
		options.Time = time.Minute
	}
	x := &examination{ctx: ctx, Log: log, rules: log.Start.Rules(), base: log.Start.Sequence(), known: newKnown()}
	x.judge()
	if len(x.wrong) == 0 {
		return nil, nil
	}
	if err := x.diagnose(options); err != nil {
		return nil, err
	}
	x.chooseCause()
	x.sayWhy()
	x.reduce()
	var done context.CancelFunc
	x.ctx, done = context.WithTimeout(ctx, options.Time)
	defer done()
	x.retell()
	x.report.Unfounded = x.base == 0 && x.aspect.mayBeOlder() && !x.known.founds(x.aspect, x.rules)
	return &x.report, nil
}

// examination is the making of a report.
type examination struct {
	Log
	ctx    context.Context
	rules  events.Rules
	base   uint64 // the sequence before the first entry
	first  int    // the index of the first wrong answer
	wrong  []int  // the indices of all
	known  *known
	aspect *aspect
	report Report
	facts  []string // the kinds of what explains the required answer
	chain  []int    // the indices of the events that matter
}

// judge finds the wrong answers.
func (x *examination) judge() {
	m := fsm.NewMachine(x.Start)
	var answer []byte
	for i := range x.Entries {
		e := &x.Entries[i]
		result := m.Apply(e.Event)
		if !isAnswered(e) {
			continue
		}
		answer = result.Answer.AppendJSON(answer[:0])
		if isRecorded(e, answer) {
			if len(x.wrong) == 0 {
				x.known.take(e, &result)
			}
			continue
		}
		if x.wrong = append(x.wrong, i); len(x.wrong) == 1 {
			x.first = i
			x.report.Finding = Finding{
				Sequence: result.Sequence, Event: e.Event, Recorded: e.Recorded, Digest: e.Digest,
				Required: slices.Clone(answer),
			}
		}
	}
	if len(x.wrong) > 0 {
		x.aspect = aspectOf(&x.report.Finding)
		x.report.Broken = x.aspect.broken(x.rules)
	}
}

func isAnswered(e *diagnose.Entry) bool { return e.Recorded != nil || e.Digest != nil }

// diagnose looks for the cause, if the log begins with a fresh service.
func (x *examination) diagnose(options Options) (err error) {
	if x.base > 0 {
		return nil
	}
	ctx, done := context.WithTimeout(x.ctx, options.Time)
	defer done()
	x.report.Diagnosis, err = diagnose.Diagnose(ctx, x.rules, x.Entries, diagnose.Options{
		SkipTelling: true, Progress: options.Progress,
	})
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	return nil
}

// chooseCause takes the explanation that fits best: of several that explain
// everything, the one whose rule the difference itself points at.
func (x *examination) chooseCause() {
	d := x.report.Diagnosis
	if d == nil {
		return
	}
	candidates := d.Singles
	if len(candidates) == 0 {
		candidates = d.Pairs
	}
	if len(candidates) == 0 {
		if len(d.Partial) > 0 && d.Partial[0].Prefix > x.first {
			x.report.Cause = append(x.report.Cause, d.Partial[0].Deviation)
			x.report.Broken = []string{d.Partial[0].Deviation.Rule}
			x.report.Confirmed = uint64(d.Partial[0].Prefix)
		}
		return
	}
	best := slices.MinFunc(candidates, func(a, b diagnose.Candidate) int { return x.distance(a) - x.distance(b) })
	x.report.Cause = best.Deviations
	x.report.Explains = best.Confirmed == len(x.Entries)
	x.report.Confirmed, x.report.TimeUp = uint64(best.Confirmed), best.Confirmed < len(x.Entries)
	var rules []string
	for _, c := range append([]diagnose.Candidate{best}, candidates...) {
		for _, deviation := range c.Deviations {
			if !slices.Contains(rules, deviation.Rule) {
				rules = append(rules, deviation.Rule)
			}
		}
	}
	x.report.Broken = rules
}

// distance is how far a candidate is from what the difference points at.
func (x *examination) distance(c diagnose.Candidate) int {
	most := 0
	for _, d := range c.Deviations {
		at := slices.Index(x.aspect.broken(x.rules), d.Rule)
		if at < 0 {
			at = len(x.Entries)
		}
		most = max(most, at)
	}
	return most
}

// causeNames are the names of the deviations of the cause.
func (x *examination) causeNames() (names []string) {
	for _, d := range x.report.Cause {
		names = append(names, d.Name)
	}
	return names
}
