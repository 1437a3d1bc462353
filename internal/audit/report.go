package audit

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Report is all that is said of a history with a wrong answer.
type Report struct {
	Finding
	// Broken are the rules that the first wrong answer breaks, such as R2: those
	// of the deviations that may have caused it, or else those that decide the
	// difference between the two answers.
	Broken []string
	// Because says why the answer of the rules is required, in sentences; empty
	// if the events could not be gone through again.
	Because []string
	// Chain are the events that matter, in their order, and at last the one that
	// was answered wrongly. Replayed alone, they bring about the same
	// contradiction. Minimal tells that none of them can be left out; otherwise
	// the search was given up.
	Chain   []Link
	Minimal bool

	// Diagnosis is what was found about the cause, nil if the history does not
	// begin with a fresh service.
	Diagnosis *diagnose.Diagnosis
	// Cause are the deviations that best explain the wrong answers: one or two
	// that explain all of them (Explains), or one that explains a part, or none.
	Cause    []naive.Deviation
	Explains bool
	// Confirmed is up to which event, a sequence, the cause gives every recorded
	// answer: the last one if it explains all, and less if it does not, or was
	// not tried further because the time was up (TimeUp).
	Confirmed uint64
	TimeUp    bool

	// Later are the wrong answers behind the first, the first of them only if
	// there are many; Counts tells how many there are of each kind. Up to
	// Separated, a sequence, the kinds are known for sure: a mistake that is made
	// over and over is Again behind it, and so is what follows from that.
	Later     []Later
	Counts    map[Kind]int
	Separated uint64

	// Risks are the writes and reads behind the first wrong answer that were
	// touched by what went wrong, the first of them if there are many, and
	// RiskCount how many there are.
	Risks     []Risk
	RiskCount int

	// Unfounded tells that no earlier answer rules out that the first wrong one
	// was decided by something older than the log: by a lease, a token, a value,
	// an age. If a service that was in use already gave the answer, it may have
	// been right.
	Unfounded bool
}

// Kind says what a later wrong answer is.
type Kind string

const (
	// Follows: it differs only because of what had gone wrong before. A service
	// without the mistake gives it, from the state that it was left in.
	Follows Kind = "consequence"
	// Again: the same mistake has been made once more.
	Again Kind = "again"
	// New: the mistake does not explain it. It is a deviation of its own.
	New Kind = "new"
	// Unknown: what it is cannot be told, because no cause was found, or no time
	// was left.
	Unknown Kind = "unknown"
)

// Later is a wrong answer behind the first.
type Later struct {
	Sequence           uint64
	Event              events.Event
	Recorded, Required []byte // Recorded is nil if only a hash was recorded
	Kind               Kind
}

// Link is an event that matters, with what the rules give.
type Link struct {
	Sequence uint64
	Event    events.Event
	Required []byte
	// Why says what the event does, and what came of that.
	Why string
}

// How long the lists are at most.
const (
	mostLater = 1000
	mostRisks = 1000
)
