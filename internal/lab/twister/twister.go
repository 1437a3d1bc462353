// Package twister draws the random numbers that Python's module random draws from
// the same seed, so that an experiment can be repeated in either language.
//
// The generator is the Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998),
// seeded as CPython seeds it with an integer. Random is the same to the bit;
// Expovariate is the same up to the last bit of a logarithm.
package twister

import (
	"math"

	"gonum.org/v1/gonum/mathext/prng"
)

// Python is a generator in the state that random.Random(seed) begins with. It is
// not safe for concurrent use.
type Python struct{ bits *prng.MT19937 }

// New returns a generator for a seed. CPython takes an integer apart into words of
// 32 bits, the lowest first, and drops those above the highest that is not 0.
func New(seed uint64) *Python {
	key := []uint32{uint32(seed)}
	if high := uint32(seed >> 32); high != 0 {
		key = append(key, high)
	}
	bits := prng.NewMT19937()
	bits.SeedFromKeys(key)
	return &Python{bits}
}

// Random is random.random(): at least 0, below 1, a multiple of 2^-53.
func (p *Python) Random() float64 {
	high, low := p.bits.Uint32()>>5, p.bits.Uint32()>>6 // 27 and 26 bits
	return (float64(high)*(1<<26) + float64(low)) / (1 << 53)
}

// Expovariate is random.expovariate(1 / mean): exponentially distributed, with
// the mean given by its inverse, the rate, as there.
func (p *Python) Expovariate(rate float64) float64 {
	return -math.Log(1-p.Random()) / rate
}
