package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
)

// Effort bounds what is done to understand a fault.
type Effort struct {
	// Shrink is how long the history is made simpler. In the same process a
	// second is plenty; a program that crashes or hangs is started anew each time.
	Shrink time.Duration
	// Coarse lets the history change into one that shows another wrong answer, if
	// that is simpler. A program with one fault then has one simplest history; of
	// several faults, the simplest to show is found in place of the others.
	Coarse bool
	// Only are the rules that the program knows: an edition or a unit that is
	// zero may be any.
	Only events.Rules
	// Explain is how long a deviation is looked for.
	Explain time.Duration
	// Reproduce is how often the simplest history is run again by a program, to
	// learn whether it always does the same.
	Reproduce int
}

// Understand makes a fault's history as simple as it can, runs it again, and looks
// for the rule that is broken. Where the fault does not show again it says so in
// the failure's Trials, and tells what was seen first.
func Understand(ctx context.Context, subject Subject, fault Fault, effort Effort) (conformance.Failure, error) {
	failure := conformance.Failure{Title: fault.title(), History: fault.History, Verdict: fault.Verdict}
	if wrong, ok := fault.Verdict.(conformance.WrongAnswer); ok {
		// What came after the wrong answer cannot have caused it.
		failure.History.Events = failure.History.Events[:wrong.Sequence:wrong.Sequence]
	}
	judge := conformance.NewJudge(ctx, subject)
	judge.Only, judge.Coarse, judge.Until = effort.Only, effort.Coarse, time.Now().Add(effort.Shrink)
	h := history.Shrink(failure.History, judge.Class)
	if err := judge.Err(); err != nil {
		return failure, err
	}
	failure.Unfinished = time.Now().After(judge.Until)
	verdict, err := subject.Run(ctx, h)
	if err != nil {
		return failure, err
	}
	if judge.ClassOf(verdict) == judge.ClassOf(fault.Verdict) {
		failure.History, failure.Verdict = h, verdict
	}
	if session, ok := subject.(*conformance.Session); ok && effort.Reproduce > 0 {
		failure.Trials, err = conformance.Reproduce(ctx, session, failure.History, failure.Verdict, effort.Reproduce)
		if err != nil {
			return failure, err
		}
	}
	if wrong, ok := failure.Verdict.(conformance.WrongAnswer); ok {
		limited, cancel := context.WithTimeout(ctx, effort.Explain)
		defer cancel()
		if failure.Explanation, err = conformance.Explain(limited, failure.History, wrong); err != nil {
			return failure, err
		}
	}
	failure.Story = conformance.Tell(failure.History, failure.Verdict).String()
	return failure, nil
}

// AsFound is a fault that nobody has had the time to understand.
func AsFound(fault Fault) conformance.Failure {
	return conformance.Failure{
		Title: fault.title(), History: fault.History, Verdict: fault.Verdict, Unfinished: true,
		Story: conformance.Tell(fault.History, fault.Verdict).String(),
	}
}

// title says where the history comes from.
func (f Fault) title() string {
	if f.Entry != "" {
		return f.Entry
	}
	return fmt.Sprintf("seed %d", f.Seed)
}
