package events

import "fmt"

// Refusal is why an operation was refused: an answer, not a failure. The
// values stand in their order of precedence (R23): of two faults in one
// operation the smaller is reported, except that a faulty shape comes before
// the name, and a faulty instant before the clock, and both are
// InvalidArguments.
type Refusal uint8

// The refusals.
const (
	// NotRefused is the zero value: the operation may go on.
	NotRefused Refusal = iota
	// UnknownOperation: no operation of that name exists in this edition.
	UnknownOperation
	// ClockWentBack: the operation's instant lies before the clock (R26).
	ClockWentBack
	// InvalidArguments: wrong shape, number or type of arguments.
	InvalidArguments
	// InvalidTTL: an integer ttl outside the range of R2.
	InvalidTTL
	// ClientBusy: the client may not ask for this lock now (R8, R14).
	ClientBusy
	// NotHolder: the client holds no valid lease on the lock (R2, R7).
	NotHolder
	// StaleToken: the store has accepted a higher token (R6).
	StaleToken
	refusals
)

var refusalTexts = [refusals]string{
	NotRefused:       "",
	UnknownOperation: "error: unknown operation",
	ClockWentBack:    "error: clock went back",
	InvalidArguments: "error: invalid arguments",
	InvalidTTL:       "error: invalid ttl",
	ClientBusy:       "error: client busy",
	NotHolder:        "error: not holder",
	StaleToken:       "error: stale token",
}

// String is the refusal as the contract spells it, such as "error: not holder",
// "" for NotRefused, and a number for values that are no refusal.
func (r Refusal) String() string {
	if r < refusals {
		return refusalTexts[r]
	}
	return fmt.Sprintf("Refusal(%d)", uint8(r))
}
