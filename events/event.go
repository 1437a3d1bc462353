package events

// Event is one operation as it is journaled: immutable, self-contained, and
// the only thing that changes a state. The set of events is closed: Acquire,
// Renew, Release, Write, Read, Inspect, Status, Repeat and Invalid, all used
// as values, never as pointers.
//
// All instants and ttls are in ticks of the journal's clock unit (R30).
type Event interface {
	// Operation is the operation's name as a caller writes it, and "invalid"
	// for an Invalid.
	Operation() string
	// Instant is the operation's ts; ok is false if it has none that could
	// move the clock (R1).
	Instant() (ts int64, ok bool)

	event()
}

// Mode is how a lock is held or wanted (R9).
type Mode uint8

// The modes. The zero Mode is not valid.
const (
	Exclusive Mode = 1
	Shared    Mode = 2
)

// String is the mode as the contract spells it.
func (m Mode) String() string {
	switch m {
	case Exclusive:
		return "exclusive"
	case Shared:
		return "shared"
	}
	return "invalid mode"
}

// Acquire asks for a lease of TTL ticks on a lock. Mode has to be set; only
// the outside form has a default, which is exclusive.
type Acquire struct {
	At     int64
	Client string
	Lock   string
	TTL    int64
	Mode   Mode
}

// Renew makes a held lease end TTL ticks from now.
type Renew struct {
	At     int64
	Client string
	Lock   string
	TTL    int64
}

// Release ends a lease, or withdraws a waiting request (R7, R13).
type Release struct {
	At     int64
	Client string
	Lock   string
}

// Write offers a value to the store under a fencing token (R6).
type Write struct {
	At    int64
	Lock  string
	Key   string
	Value string
	Token int64
}

// Read asks the store for the last accepted value (R6).
type Read struct {
	At   int64
	Lock string
	Key  string
}

// Inspect asks who holds a lock and who waits for it (R21).
type Inspect struct {
	At   int64
	Lock string
}

// Status asks for a client's age, its leases and what it waits for (R22).
type Status struct {
	At     int64
	Client string
}

// Repeat runs an operation Count times, Step ticks apart (R27). Template is
// the compact JSON text of the operation without its instant, such as
// ["acquire","job{i}","L{i%100}",60].
type Repeat struct {
	At       int64
	Count    int64
	Step     int64
	Template string
}

// Invalid is an operation that was refused before any state was looked at.
// It is an event too: its refusal is an answer that must replay, and rule R1
// gives it an effect on the clock if it has a known name and a valid instant.
type Invalid struct {
	// Raw is the operation's JSON text as received, without insignificant
	// white space.
	Raw string
	// Refusal is UnknownOperation, InvalidArguments or InvalidTTL.
	Refusal Refusal
	// At is the operation's instant, if MovesClock; otherwise 0.
	At int64
	// MovesClock is false if the shape, the name or the instant is at fault.
	MovesClock bool
}

// Operation implements Event.
func (Acquire) Operation() string { return "acquire" }

// Operation implements Event.
func (Renew) Operation() string { return "renew" }

// Operation implements Event.
func (Release) Operation() string { return "release" }

// Operation implements Event.
func (Write) Operation() string { return "write" }

// Operation implements Event.
func (Read) Operation() string { return "read" }

// Operation implements Event.
func (Inspect) Operation() string { return "inspect" }

// Operation implements Event.
func (Status) Operation() string { return "status" }

// Operation implements Event.
func (Repeat) Operation() string { return "repeat" }

// Operation implements Event.
func (Invalid) Operation() string { return "invalid" }

// Instant implements Event.
func (e Acquire) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Renew) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Release) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Write) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Read) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Inspect) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Status) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Repeat) Instant() (int64, bool) { return e.At, true }

// Instant implements Event.
func (e Invalid) Instant() (int64, bool) { return e.At, e.MovesClock }

func (Acquire) event() {}
func (Renew) event()   {}
func (Release) event() {}
func (Write) event()   {}
func (Read) event()    {}
func (Inspect) event() {}
func (Status) event()  {}
func (Repeat) event()  {}
func (Invalid) event() {}
