package fsm

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
)

// State is the whole state of the service after some events: an immutable
// value. It may be copied, kept and read by any number of goroutines, and any
// number of them may Apply events to it at once. Obtain one from New, Apply
// or Machine.State; the zero State is not valid.
//
// Its invariants, which Check verifies (the numbers are those of Violation):
//
//  1. No lease has lapsed: every expires_at lies after the clock, and no
//     further than the longest ttl. A request's ttl is in range.
//  2. A lock is held by one exclusive lease or by shared leases only. Edition
//     1 knows no shared leases and requests.
//  3. The head of a queue is incompatible with the holders.
//  4. Tokens of a lock's leases are different and at most its counter, turns
//     are different and at most their number, and queues and holders are in
//     the order of their turns.
//  5. A client holds a lock at most once, waits for at most one lock, and does
//     not wait for a lock that it holds; in editions 1 and 2 it holds or awaits
//     one lock at most.
//  6. Clients that hold or wait are registered; ages are different and at most
//     the number of registrations.
//  7. The wait-for graph has no cycle.
//  8. Every index agrees with the rows that it indexes.
//  9. The fingerprint is the sum over the rows.
//  10. A stored value implies a high-water mark of at least 1.
type State struct{ tables }

// tables is what a State and a Machine are made of. All rows live in
// persistent containers, so assigning tables is a fork in O(1).
type tables struct {
	rules    events.Rules
	clock    int64 // meaningless until started
	started  bool
	sequence uint64 // of the last event; not part of the fingerprint
	turns    uint64 // grants and enqueueings so far, which they are ordered by
	ages     int64  // registrations so far (R15)
	sum      sum    // over all rows

	clients table[client, *client]
	locks   table[lock, *lock]
	lapses  persist.Schedule // when the first lease of each lock ends
}

// client is the row of a name that registered at least once.
type client struct {
	label
	age    int64  // 0 while unregistered, after an abort (R19)
	ticket ticket // its place in the queue of the lock it waits for
	waits  uint32 // that lock's number, or 0
	first  hold   // its first lease; free if lock is 0
	more   persist.Tree[lockNumber, tokenNumber]
}

// hold says that a client holds a lock under a token.
type hold struct {
	lock  uint32
	token int64
}

// lock is the row of a name that was granted, queued for or written to.
type lock struct {
	label
	counter int64 // tokens issued (R5)
	mark    int64 // highest token that the store accepted (R6)
	// A lock's only holder stands in first. Holders that join it stand in the
	// crowd, and stay there when first leaves; first is filled again only when
	// nobody holds the lock, so its token is always the lowest.
	first  lease
	crowd  *crowd // nil if empty
	queue  persist.Tree[ticket, waiter]
	values persist.Tree[storeKey, string]
}

// crowd is the shared holders of a lock beside the first.
type crowd struct {
	owner   *persist.Owner
	byToken persist.Tree[tokenNumber, lease]
	byEnd   persist.Tree[end, tokenNumber]
}

// lease is one grant in force; it is free if client is 0.
type lease struct {
	client  uint32
	mode    events.Mode
	token   int64
	expires int64
	turn    uint64 // at which it was granted; orders leases that end together
}

// waiter is one request in a queue.
type waiter struct {
	client uint32
	mode   events.Mode
	ttl    int64
}

type (
	lockNumber  uint32
	tokenNumber int64
	ticket      uint64 // the turn at which a request was queued
	storeKey    string
	end         persist.Due
)

// Less implements persist.Key.
func (a end) Less(b end) bool { return persist.Due(a).Before(persist.Due(b)) }

// Less implements persist.Key.
func (a lockNumber) Less(b lockNumber) bool { return a < b }

// Less implements persist.Key.
func (a tokenNumber) Less(b tokenNumber) bool { return a < b }

// Less implements persist.Key.
func (a ticket) Less(b ticket) bool { return a < b }

// Less implements persist.Key.
func (a storeKey) Less(b storeKey) bool { return a < b }

// New returns the state before the first event of a history under the given
// rules. It has no clock yet: the first event may carry any instant.
func New(rules events.Rules) (State, error) {
	if err := rules.Validate(); err != nil {
		return State{}, err
	}
	return State{tables{rules: rules}}, nil
}

// Apply returns the state after an event, and its result. It reads nothing
// but its arguments and does not change s in any way that could be seen. The
// result is the caller's to keep.
//
// It costs a copy of the tree paths that the event touches. Who applies many
// events in a row uses a Machine.
func Apply(s State, e events.Event) (State, events.Result) {
	m := NewMachine(s)
	result := m.Apply(e)
	return State{m.tables}, result
}

// At returns the state as of the instant ts: every lease that ends by then has
// been retired and handed over, each at its own instant (R1, R3). It is the
// state that an operation at ts would find. How often and at which instants
// one looks makes no difference. For a ts before the clock, or beyond the
// largest instant (R24), it returns s.
func (s State) At(ts int64) State {
	at, _ := s.Lapse(ts)
	return at
}

// Lapse is At together with what happened on the way. The effects carry the
// sequence of the event to come.
func (s State) Lapse(ts int64) (State, []events.Effect) {
	if s.started && ts <= s.clock || ts > s.rules.MaxInstant() {
		return s, nil
	}
	m := NewMachine(s)
	m.sequence++
	m.advance(ts)
	m.sequence--
	return State{m.tables}, m.effects
}
