package projection

import (
	"cmp"
	"math/big"
	"math/bits"
)

// Total is a sum of ticks. It has 128 bits: a few hundred waiters need less
// than an hour to wait longer than 64 bits of nanoseconds can say. The zero
// value is no time.
type Total struct{ high, low uint64 }

// Add adds some ticks.
func (t *Total) Add(ticks uint64) {
	var carry uint64
	t.low, carry = bits.Add64(t.low, ticks, 0)
	t.high += carry
}

// Compare is below, at or above 0 as t is less than, equal to or more than the
// other.
func (t Total) Compare(other Total) int {
	return cmp.Or(cmp.Compare(t.high, other.high), cmp.Compare(t.low, other.low))
}

// Ticks is the sum; ok is false if it does not fit into 64 bits.
func (t Total) Ticks() (sum uint64, ok bool) { return t.low, t.high == 0 }

// String is the sum as a decimal number.
func (t Total) String() string {
	n := new(big.Int).SetUint64(t.high)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(t.low)).String()
}
