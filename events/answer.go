package events

// Answer is what an operation answers. The set is closed: Granted, Queued,
// Deadlock, Renewed, Done, Value, LockView, ClientView, Tally and Refusal.
// Answers are values: they may be kept and shared between goroutines.
type Answer interface {
	// AppendJSON appends the answer as the contract spells it: one compact
	// JSON value without HTML escapes, always the same bytes for the same
	// answer.
	AppendJSON(dst []byte) []byte

	answer()
}

// Granted answers an acquire whose lock was free for it, at once or after
// Victims had been aborted (R10, R20).
type Granted struct {
	Token     int64
	ExpiresAt int64
	Victims   []string // in the order of their aborts; usually none
}

// Queued answers an acquire that has to wait (R4, R20).
type Queued struct {
	Position int // 1 is next in line
	Victims  []string
}

// Deadlock answers an acquire whose client was itself aborted (R20). Victims
// ends with that client.
type Deadlock struct{ Victims []string }

// Renewed answers a renew (R2).
type Renewed struct{ ExpiresAt int64 }

// Done is an answer without data.
type Done uint8

// The answers without data.
const (
	Released  Done = iota + 1 // a lease was ended by its holder (R7)
	Withdrawn                 // a waiting request was taken back (R13)
	Accepted                  // the store took the write: "ok" (R6)
)

// Value answers a read: the stored text, or nothing.
type Value struct {
	Text  string
	Found bool
}

// Holder is one lease of a lock, as inspect shows it.
type Holder struct {
	Client    string
	Mode      Mode
	Token     int64
	ExpiresAt int64
}

// Waiter is one request in a lock's queue, as inspect shows it.
type Waiter struct {
	Client string
	Mode   Mode
}

// LockView answers an inspect: holders by token, queue oldest first (R21).
type LockView struct {
	Holders []Holder
	Queue   []Waiter
}

// Hold is one lease of a client, as status shows it.
type Hold struct {
	Lock      string
	Mode      Mode
	Token     int64
	ExpiresAt int64
}

// ClientView answers a status (R22). Age is 0 for a client that is not
// registered; Waiting is "" for one that waits for nothing.
type ClientView struct {
	Age     int64
	Holds   []Hold // by lock name
	Waiting string
}

// Count is one row of a Tally.
type Count struct {
	Answer string
	Times  int64
}

// Tally answers a repeat: how often which answer was given (R27). Results is
// sorted by Answer.
type Tally struct {
	Ops     int64
	Results []Count
}

func (Granted) answer()    {}
func (Queued) answer()     {}
func (Deadlock) answer()   {}
func (Renewed) answer()    {}
func (Done) answer()       {}
func (Value) answer()      {}
func (LockView) answer()   {}
func (ClientView) answer() {}
func (Tally) answer()      {}
func (Refusal) answer()    {}

// Word is the word that names an answer: the first of its list, such as
// "granted", or the text that a Done or a Refusal is. Answers that are data (a
// Value, LockView, ClientView or Tally) have none, and ok is false.
func Word(answer Answer) (word string, ok bool) {
	switch a := answer.(type) {
	case Granted:
		return "granted", true
	case Queued:
		return "queued", true
	case Deadlock:
		return "deadlock", true
	case Renewed:
		return "renewed", true
	case Done:
		return a.String(), true
	case Refusal:
		return a.String(), true
	}
	return "", false
}

// Victims lists the clients that an answer says were aborted, in that order
// (R20). It is the answer's own list.
func Victims(answer Answer) []string {
	switch a := answer.(type) {
	case Granted:
		return a.Victims
	case Queued:
		return a.Victims
	case Deadlock:
		return a.Victims
	}
	return nil
}
