package snapshot

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Info is what a snapshot says of itself.
type Info struct {
	Version int // of the format
	// Whole is what the state has beside its rows: rules, the sequence of the
	// last event, clock and counters.
	fsm.Whole
	Fingerprint fsm.Fingerprint

	// What follows is known at the end of the stream; ReadHeader leaves it zero.

	Rows    Rows
	Digest  Digest
	Content int64 // length of the canonical bytes
	Size    int64 // length of the stream in bytes
}

// Rows counts the rows of a snapshot.
type Rows struct{ Clients, Locks, Leases, Requests, Values uint64 }

// Digest is a hash of a state's canonical bytes: XXH3-128, high half first.
// Unlike the fingerprint it covers the sequence of the last event.
type Digest [16]byte

// String is the digest in 32 hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

func (i *Info) appendHeader(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(i.Rules.Edition))
	b = binary.AppendUvarint(b, uint64(i.Rules.Unit))
	b = binary.AppendUvarint(b, i.Sequence)
	started := byte(0)
	if i.Started {
		started = 1
	}
	b = binary.AppendVarint(append(b, started), i.Clock)
	b = binary.AppendUvarint(b, i.Counters.Turns)
	b = binary.AppendUvarint(b, uint64(i.Counters.Ages))
	return append(b, i.Fingerprint[:]...)
}

func (i *Info) readHeader(d *decoder) {
	i.Rules.Edition = events.Edition(d.upTo(uint64(events.Edition3), "edition"))
	i.Rules.Unit = events.Unit(d.upTo(uint64(events.Nanosecond), "clock unit"))
	i.Sequence = d.uint()
	i.Started = d.upTo(1, "mark of a started clock") == 1
	i.Clock = d.int()
	i.Counters.Turns = d.uint()
	i.Counters.Ages = int64(d.upTo(maxInt, "number of registrations"))
	copy(i.Fingerprint[:], d.take(len(i.Fingerprint)))
}

func (i *Info) appendEnd(b []byte) []byte {
	for _, n := range i.Rows.list() {
		b = binary.AppendUvarint(b, *n)
	}
	b = binary.AppendUvarint(b, uint64(i.Content))
	return append(b, i.Digest[:]...)
}

func (i *Info) readEnd(d *decoder) {
	for _, n := range i.Rows.list() {
		*n = d.uint()
	}
	i.Content = int64(d.upTo(maxInt, "length"))
	copy(i.Digest[:], d.take(len(i.Digest)))
}

// list is the counts in the order in which the end holds them.
func (r *Rows) list() [5]*uint64 {
	return [5]*uint64{&r.Clients, &r.Locks, &r.Leases, &r.Requests, &r.Values}
}
