package naive

import (
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// Dump is all that a model remembers between two operations, as plain values.
// Two models with equal rules, deviations and dumps have equal futures: what
// only a deviation looks at is there if that deviation is on.
type Dump struct {
	Started       bool
	Clock         int64
	Sequence      uint64
	Registrations int64

	Leases   []Lease   // in the order of their grants
	Requests []Request // oldest first

	// Numbers and texts by name, sorted by Lock and then Key. Deviations also
	// keep some under names of "".
	Tokens []Number // by lock: the last fencing token given (R5)
	Marks  []Number // by lock: the highest token accepted (R6)
	Ages   []Number // by client (R15)
	Values []Text   // by lock and key

	// What only deviations look back at.
	FirstEnds []Number // by lock: when the first of its present readers ended
	PastAges  []Number // by client: of those that were aborted
}

// Lease is a lease in force. TTL, its length as granted, is only for deviations.
type Lease struct {
	Lock, Client     string
	Mode             events.Mode
	Token, ExpiresAt int64
	TTL              int64
}

// Request is a request that waits. At, when it was made, and Token, one set
// aside for it, are only for deviations; the former is else the clock.
type Request struct {
	Lock, Client string
	Mode         events.Mode
	TTL          int64
	At, Token    int64
}

// Number is a number kept under a name. Key is only used by deviations.
type Number struct {
	Name, Key string
	Number    int64
}

// Text is a stored value.
type Text struct{ Lock, Key, Text string }

// Dump writes all that the model remembers into d, whose memory is used again.
func (m *Model) Dump(d *Dump) {
	d.Started, d.Clock, d.Sequence, d.Registrations = m.started, m.clock, m.sequence, m.registrations
	d.Leases, d.Requests = d.Leases[:0], d.Requests[:0]
	for _, l := range m.leases.all {
		row := Lease{l.lock, l.client, l.mode, l.token, l.expiresAt, 0}
		if m.wrong[renewRepeatsTTL] || m.wrong[handOverWithHoldersTTL] {
			row.TTL = l.ttl
		}
		d.Leases = append(d.Leases, row)
	}
	for _, r := range m.queue.all {
		row := Request{r.lock, r.client, r.mode, r.ttl, m.clock, r.token}
		if m.wrong[leaseFromRequest] {
			row.At = r.at
		}
		d.Requests = append(d.Requests, row)
	}
	d.Tokens = numbers(d.Tokens[:0], m.tokens)
	d.Ages = numbers(d.Ages[:0], m.ages)
	d.FirstEnds, d.PastAges = d.FirstEnds[:0], d.PastAges[:0]
	if m.wrong[writerStartsWithFirstReader] {
		d.FirstEnds = numbers(d.FirstEnds, m.past.firstEnd)
	}
	if m.wrong[victimReturnsWithItsAge] {
		d.PastAges = numbers(d.PastAges, m.past.ages)
	}
	d.Marks = d.Marks[:0]
	for at, mark := range m.marks {
		d.Marks = append(d.Marks, Number{at.lock, at.key, mark})
	}
	slices.SortFunc(d.Marks, byName)
	d.Values = d.Values[:0]
	for at, text := range m.values {
		d.Values = append(d.Values, Text{at.lock, at.key, text})
	}
	slices.SortFunc(d.Values, func(a, b Text) int {
		return byName(Number{Name: a.Lock, Key: a.Key}, Number{Name: b.Lock, Key: b.Key})
	})
}

func numbers(list []Number, of map[string]int64) []Number {
	for name, number := range of {
		list = append(list, Number{Name: name, Number: number})
	}
	slices.SortFunc(list, byName)
	return list
}

func byName(a, b Number) int {
	if a.Name != b.Name {
		return strings.Compare(a.Name, b.Name)
	}
	return strings.Compare(a.Key, b.Key)
}
