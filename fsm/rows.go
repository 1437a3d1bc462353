package fsm

import (
	"cmp"
	"iter"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// LockRow is all that a state knows of one lock.
type LockRow struct {
	Name    string
	Counter int64     // tokens issued so far (R5)
	Mark    int64     // highest token the store accepted, 0 if none (R6)
	Leases  []Lease   // by token
	Queue   []Request // oldest first
	Values  []Stored  // by key
}

// Lease is a grant in force.
type Lease struct {
	Client    string
	Mode      events.Mode
	Token     int64
	ExpiresAt int64
	Turn      uint64 // its place in the order of all grants and enqueueings
}

// Request is a request that waits.
type Request struct {
	Client string
	Mode   events.Mode
	TTL    int64
	Turn   uint64 // its place in the order of all grants and enqueueings
}

// Stored is a value in the store.
type Stored struct{ Key, Value string }

// ClientRow is a registered client (R15).
type ClientRow struct {
	Name string
	Age  int64
}

// Counters are the numbers that a state counts up for ever.
type Counters struct {
	Turns uint64 // grants and enqueueings
	Ages  int64  // registrations
}

// Counters returns the state's counters.
func (s State) Counters() Counters { return Counters{s.turns, s.ages} }

// Locks yields all that was ever granted, queued for or written, by name in
// the order of its UTF-8 bytes. It sorts first: O(n log n) for n locks.
func (s State) Locks() iter.Seq[LockRow] {
	numbers := sortedNumbers(&s.locks)
	return func(yield func(LockRow) bool) {
		for _, number := range numbers {
			if !yield(s.lockRow(number)) {
				return
			}
		}
	}
}

// Clients yields the registered clients by name in the order of its UTF-8
// bytes. It sorts first: O(n log n) for n clients.
func (s State) Clients() iter.Seq[ClientRow] {
	numbers := sortedNumbers(&s.clients)
	return func(yield func(ClientRow) bool) {
		for _, number := range numbers {
			c := s.clients.at(number)
			if c.age != 0 && !yield(ClientRow{c.name, c.age}) {
				return
			}
		}
	}
}

func sortedNumbers[T any, P labelled[T]](t *table[T, P]) []uint32 {
	type named struct {
		name   string
		number uint32
	}
	// Sorting names that lie side by side is several times faster than looking
	// each one up in its row again and again.
	rows := make([]named, t.len())
	for i := range rows {
		number := uint32(i) + 1
		rows[i] = named{t.name(number), number}
	}
	slices.SortFunc(rows, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	numbers := make([]uint32, len(rows))
	for i, row := range rows {
		numbers[i] = row.number
	}
	return numbers
}

func (s State) lockRow(number uint32) LockRow {
	l := s.locks.at(number)
	row := LockRow{Name: l.name, Counter: l.counter, Mark: l.mark}
	for h := range l.leases() {
		row.Leases = append(row.Leases, Lease{s.clients.name(h.client), h.mode, h.token, h.expires, h.turn})
	}
	for turn, w := range l.queue.All() {
		row.Queue = append(row.Queue, Request{s.clients.name(w.client), w.mode, w.ttl, uint64(turn)})
	}
	for key, value := range l.values.All() {
		row.Values = append(row.Values, Stored{string(key), value})
	}
	return row
}
