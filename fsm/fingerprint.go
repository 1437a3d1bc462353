package fsm

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Fingerprint identifies a state's content in 128 bits: two states whose
// clocks, counters, leases, queues, ages and stored values are equal have
// equal fingerprints, and others practically never. It guards against error,
// not against somebody who constructs a collision.
type Fingerprint [16]byte

// String is the fingerprint in 32 hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

func (t *tables) fingerprint() Fingerprint {
	started := uint64(0)
	if t.started {
		started = 1
	}
	var b [56]byte
	binary.LittleEndian.PutUint64(b[0:], t.sum.lo)
	binary.LittleEndian.PutUint64(b[8:], t.sum.hi)
	binary.LittleEndian.PutUint64(b[16:], uint64(t.clock))
	binary.LittleEndian.PutUint64(b[24:], started)
	binary.LittleEndian.PutUint64(b[32:], t.turns)
	binary.LittleEndian.PutUint64(b[40:], uint64(t.ages))
	binary.LittleEndian.PutUint64(b[48:], uint64(t.rules.Unit)<<8|uint64(t.rules.Edition))
	return xxh3.Hash128(b[:]).Bytes()
}

// sum adds up hashes of rows modulo 2^128, so that their order does not
// matter and a row that goes can be taken away again.
type sum struct{ lo, hi uint64 }

func (s *sum) add(h xxh3.Uint128) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, h.Lo, 0)
	s.hi, _ = bits.Add64(s.hi, h.Hi, carry)
}

func (s *sum) remove(h xxh3.Uint128) {
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, h.Lo, 0)
	s.hi, _ = bits.Sub64(s.hi, h.Hi, borrow)
}

// The kinds of rows that a fingerprint is made of.
const (
	kindLease = iota + 1
	kindWaiter
	kindCounter
	kindMark
	kindValue
	kindAge
)

// rowHash hashes one row: its kind, up to two names or texts, and up to four
// numbers. The layout has a fixed size, so different rows differ in it.
func rowHash(kind uint64, a, b xxh3.Uint128, n0, n1, n2, n3 uint64) xxh3.Uint128 {
	var row [72]byte
	binary.LittleEndian.PutUint64(row[0:], kind)
	binary.LittleEndian.PutUint64(row[8:], a.Lo)
	binary.LittleEndian.PutUint64(row[16:], a.Hi)
	binary.LittleEndian.PutUint64(row[24:], b.Lo)
	binary.LittleEndian.PutUint64(row[32:], b.Hi)
	binary.LittleEndian.PutUint64(row[40:], n0)
	binary.LittleEndian.PutUint64(row[48:], n1)
	binary.LittleEndian.PutUint64(row[56:], n2)
	binary.LittleEndian.PutUint64(row[64:], n3)
	return xxh3.Hash128(row[:])
}

func leaseRow(l *lock, c *client, h *lease) xxh3.Uint128 {
	return rowHash(kindLease, l.hash, c.hash, uint64(h.mode), uint64(h.token), uint64(h.expires), h.turn)
}

func waiterRow(l *lock, c *client, w *waiter) xxh3.Uint128 {
	return rowHash(kindWaiter, l.hash, c.hash, uint64(w.mode), uint64(w.ttl), uint64(c.ticket), 0)
}

func counterRow(l *lock) xxh3.Uint128 {
	return rowHash(kindCounter, l.hash, xxh3.Uint128{}, uint64(l.counter), 0, 0, 0)
}

func markRow(l *lock) xxh3.Uint128 {
	return rowHash(kindMark, l.hash, xxh3.Uint128{}, uint64(l.mark), 0, 0, 0)
}

func valueRow(l *lock, key, value string) xxh3.Uint128 {
	v := xxh3.HashString128(value)
	return rowHash(kindValue, l.hash, xxh3.HashString128(key), v.Lo, v.Hi, 0, 0)
}

func ageRow(c *client) xxh3.Uint128 {
	return rowHash(kindAge, c.hash, xxh3.Uint128{}, uint64(c.age), 0, 0, 0)
}
