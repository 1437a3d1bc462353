package conformance

import (
	"encoding/json"
	"fmt"
	"time"
)

// Kind is what a verdict comes down to.
type Kind uint8

// The kinds of verdicts.
const (
	KindAgrees      Kind = iota + 1
	KindWrongAnswer      // an answer that the rules do not give
	KindCrash            // the program ended by a signal or with a status other than 0
	KindHang             // no answer, or no end, in time
	KindGarbage          // output that is no answer at all
	KindWrongCount       // fewer or more answers than operations
)

var kindNames = [...]string{"", "agrees", "wrong answer", "crash", "hang", "garbage", "wrong count"}

// String is the kind in lower-case words.
func (k Kind) String() string { return kindNames[k] }

// ExitCode is the exit code of a command that ends with such a verdict: 0 for
// agreement, 1 wrong answer, 4 crash, 5 hang, 6 garbage or a wrong number of
// answers. 2 and 3 are those of bad usage and of a failing machine.
func (k Kind) ExitCode() int {
	return [...]int{0, 0, 1, 4, 5, 6, 6}[k]
}

// Verdict is what a program did with a history. The set is closed: Agrees,
// WrongAnswer, Crash, Hang, Garbage and WrongCount. Verdicts are values: they may be
// kept and shared.
//
// Of several faults the first is told, in the order of the answers. Operations
// and answers are numbered from 1, as events are.
type Verdict interface {
	Kind() Kind
	// String is the verdict in one line. What the program printed is quoted and
	// cut to a bounded length.
	String() string

	verdict()
}

// Agrees says that every answer was the one that the rules require.
type Agrees struct{ Answers int }

// WrongAnswer is the first answer that the rules do not give.
type WrongAnswer struct {
	Sequence        int // of the operation
	Operation       json.RawMessage
	Required, Given json.RawMessage
	// Answers are all that were given, as far as they are valid JSON; nil if
	// they are more than a few megabytes.
	Answers []json.RawMessage
}

// Crash says that the program ended by itself and badly.
type Crash struct {
	// Answered is how many answers had come: the operation behind them was, or
	// may have been, the last that the program looked at. All of them were right.
	Answered int
	Status   string // "exit status 1" or "signal: killed"
	Stderr   string // the last lines that it wrote to standard error
}

// Hang says that an answer, or the end of the program, was not there in time. The
// program was killed.
type Hang struct {
	Answered int
	// Unready is true if every answer had come, and what is missing is the reply to
	// a reset or, in the process protocol, the end of the program.
	Unready bool
	Timeout time.Duration
	Stderr  string
}

// Garbage says that the output is no answer: no JSON, no UTF-8, or without end.
type Garbage struct {
	Answered int    // answers in front of it
	Reason   string // what is wrong with it
	Offset   int    // the byte at fault, from 0, in the line or in the whole output
	Text     string // what stands there, cut
	Stderr   string
}

// WrongCount says that there were fewer or more answers than operations, each
// of them valid JSON.
type WrongCount struct {
	Required, Given int
	// More is true if the program was not listened to for longer: there were
	// more than Given.
	More bool
	// Differs is the first answer that is not the required one, 0 if there is
	// none: about where one is missing.
	Differs int
	Stderr  string
}

// Kind implements Verdict.
func (Agrees) Kind() Kind { return KindAgrees }

// Kind implements Verdict.
func (WrongAnswer) Kind() Kind { return KindWrongAnswer }

// Kind implements Verdict.
func (Crash) Kind() Kind { return KindCrash }

// Kind implements Verdict.
func (Hang) Kind() Kind { return KindHang }

// Kind implements Verdict.
func (Garbage) Kind() Kind { return KindGarbage }

// Kind implements Verdict.
func (WrongCount) Kind() Kind { return KindWrongCount }

func (Agrees) verdict()      {}
func (WrongAnswer) verdict() {}
func (Crash) verdict()       {}
func (Hang) verdict()        {}
func (Garbage) verdict()     {}
func (WrongCount) verdict()  {}

// String implements Verdict.
func (v Agrees) String() string { return fmt.Sprintf("agrees in %d answers", v.Answers) }

// String implements Verdict.
func (v WrongAnswer) String() string {
	return fmt.Sprintf("wrong answer to #%d %s: required %s, given %s",
		v.Sequence, clip(v.Operation), clip(v.Required), clip(v.Given))
}

// String implements Verdict.
func (v Crash) String() string {
	return fmt.Sprintf("crash after %s: %s", counted(v.Answered), v.Status)
}

// String implements Verdict.
func (v Hang) String() string {
	if v.Unready {
		return fmt.Sprintf("hang after %s, all that there had to be: no end of it within %v", counted(v.Answered), v.Timeout)
	}
	return fmt.Sprintf("hang after %s: no more within %v", counted(v.Answered), v.Timeout)
}

// String implements Verdict.
func (v Garbage) String() string {
	return fmt.Sprintf("garbage after %s: %s at byte %d: %s", counted(v.Answered), v.Reason, v.Offset, quote(v.Text))
}

// String implements Verdict.
func (v WrongCount) String() string {
	more := ""
	if v.More {
		more = "more than "
	}
	text := fmt.Sprintf("wrong count: %s to %d operations", more+counted(v.Given), v.Required)
	if v.Differs > 0 {
		text += fmt.Sprintf("; the first that differs is #%d", v.Differs)
	}
	return text
}

func counted(answers int) string {
	if answers == 1 {
		return "1 answer"
	}
	return fmt.Sprintf("%d answers", answers)
}

// Stderr is the last lines that a program wrote to standard error, where a verdict
// has them; "" otherwise.
func Stderr(v Verdict) string {
	switch v := v.(type) {
	case Crash:
		return v.Stderr
	case Hang:
		return v.Stderr
	case Garbage:
		return v.Stderr
	case WrongCount:
		return v.Stderr
	}
	return ""
}
