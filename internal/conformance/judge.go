package conformance

import (
	"context"
	"encoding/json"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// Runner runs histories. A Session is one.
type Runner interface {
	Run(ctx context.Context, h history.History) (Verdict, error)
}

// Judge puts histories into classes by what a program does with them, as
// history.Shrink wants it. It is not safe for concurrent use.
//
// Who judges in the process protocol, or histories that crash or hang, starts a
// process each time, and waits for the timeout if it hangs: bound that by Until,
// and by the calls of history.ShrinkWithin.
type Judge struct {
	runner Runner
	ctx    context.Context
	err    error

	// Only are the rules that the program knows: a history under others is not
	// run and does not fail. An edition or a unit that is zero may be any.
	Only events.Rules
	// Coarse makes the kind of a verdict its class. Shrinking then gives one
	// history for each program with one fault; but it may slip from one fault
	// to another.
	Coarse bool
	// Until is when the judging ends: afterwards no history fails any more, so
	// that shrinking ends with the best history found by then. The zero time is
	// never.
	Until time.Time
	// Calls counts the histories that were run.
	Calls int
}

// NewJudge returns a judge that lets a runner run histories.
func NewJudge(ctx context.Context, runner Runner) *Judge {
	return &Judge{runner: runner, ctx: ctx}
}

// Class runs a history and returns the class of its verdict, "" for agreement. When
// the runner has failed, or the time is up, it is "" for all histories.
func (j *Judge) Class(h history.History) history.Class {
	if j.err != nil || !j.knows(h.Rules) || !j.Until.IsZero() && time.Now().After(j.Until) {
		return ""
	}
	j.Calls++
	verdict, err := j.runner.Run(j.ctx, h)
	if err != nil {
		j.err = err
		return ""
	}
	return j.ClassOf(verdict)
}

// ClassOf is the class of a verdict, as coarse as the judge is.
func (j *Judge) ClassOf(v Verdict) history.Class {
	if j.Coarse && v.Kind() != KindAgrees {
		return history.Class(v.Kind().String())
	}
	return ClassOf(v)
}

func (j *Judge) knows(rules events.Rules) bool {
	edition := j.Only.Edition == 0 || j.Only.Edition == rules.Edition
	unit := j.Only.Unit == 0 || j.Only.Unit == rules.Unit
	return edition && unit
}

// Err is the error that ended the judging, if one did.
func (j *Judge) Err() error { return j.err }

// ClassOf is the class of a verdict: its kind; of a wrong answer also the
// operation, and what was required and given without their numbers and names, so
// that one fault is not mistaken for another; of a crash also the status. It is ""
// for agreement.
func ClassOf(v Verdict) history.Class {
	class := v.Kind().String()
	switch v := v.(type) {
	case Agrees:
		return ""
	case WrongAnswer:
		class += ": " + head(v.Operation) + ": " + head(v.Required) + ", not " + head(v.Given)
	case Crash:
		class += ": " + v.Status
	case Garbage:
		class += ": " + v.Reason
	case WrongCount:
		if v.Given < v.Required {
			class += ": too few"
		} else {
			class += ": too many"
		}
	}
	return history.Class(class)
}

// head is what an answer or an operation begins with: the name of an operation, a
// refusal, the first word of an answer. Of anything else it is the type.
func head(text json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && len(list) > 0 {
		text = list[0]
	}
	var word string
	if json.Unmarshal(text, &word) == nil && known[word] {
		return word
	}
	switch text[0] {
	case '"':
		return "text"
	case '{':
		return "view"
	case '[':
		return "list"
	case 'n':
		return "null"
	}
	return "value"
}

// known are the words that answers and operations begin with. Any other text is
// somebody's value.
var known = map[string]bool{
	"acquire": true, "renew": true, "release": true, "write": true, "read": true,
	"inspect": true, "status": true, "repeat": true,
	"granted": true, "queued": true, "deadlock": true, "renewed": true,
	"released": true, "withdrawn": true, "ok": true,
	"error: unknown operation": true, "error: clock went back": true, "error: invalid arguments": true,
	"error: invalid ttl": true, "error: client busy": true, "error: not holder": true, "error: stale token": true,
}

// Trials says how often a program did the same with one history.
type Trials struct {
	Times int // that the history was run, each time by a new process
	Same  int // that it ended in the same class
}

// Flaky tells whether the program did not do the same each time: what it answers
// depends on something else than the operations, such as what it was asked before,
// the time of day, or chance.
func (t Trials) Flaky() bool { return t.Same < t.Times }

// Reproduce runs a history a number of times, each in a new process, and counts
// how often the verdict is of the same class as the one given.
func Reproduce(ctx context.Context, s *Session, h history.History, v Verdict, times int) (Trials, error) {
	var trials Trials
	for range times {
		s.Restart()
		again, err := s.Run(ctx, h)
		if err != nil {
			return trials, err
		}
		trials.Times++
		if ClassOf(again) == ClassOf(v) {
			trials.Same++
		}
	}
	return trials, nil
}
