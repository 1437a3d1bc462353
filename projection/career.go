package projection

import "github.com/leasekeeper/leasekeeper/events"

// Registration is one life of a client: from its first acquire to its abort.
// A client that acquires again after an abort is registered anew, with a larger
// age (R15).
type Registration struct {
	Client string
	Age    int64
	Began  Moment
	Ended  Moment // of the abort; the zero Moment if there was none
	// Granted and Waited count its leases and its waits that began in the fold
	// or were there at its beginning.
	Granted, Waited int
}

// Refusal is an operation that was refused. Lock, Key and Token are set as far
// as the operation named them validly.
type Refusal struct {
	// Operation is the event's name: repeat, for a run of a repeat.
	Operation string
	Client    string
	Lock, Key string
	Token     int64
	At        Moment
	Reason    events.Refusal
}

// CareersSink takes the rows of Careers. A field that is nil lets its rows go.
// age is that of the registration that a row belongs to.
type CareersSink struct {
	Registration func(Registration) // when it ends
	Lease        func(age int64, l Lease)
	Wait         func(age int64, w Wait)
	Refusal      func(Refusal)
}
