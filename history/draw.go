package history

import (
	"math/bits"
	"math/rand/v2"

	"github.com/leasekeeper/leasekeeper/events"
)

// dice is where every choice of a history comes from: random numbers, or bytes
// that somebody else has chosen. The numbers of a PCG and the arithmetic here
// are the same on every machine and will stay so; the methods of rand.Rand
// promise less.
type dice struct {
	random    rand.PCG
	bytes     []byte
	fromBytes bool
}

// seed starts over with the random numbers of a seed and a purpose.
func (d *dice) seed(seed uint64, purpose uint64) {
	*d = dice{}
	d.random.Seed(seed, purpose)
}

// Purposes keep the numbers for different things apart, so that none follows
// from another.
const (
	forHistory = 0x6c656173656b6565
	forRules   = 0x72756c65732e6d64
)

// below draws a number from 0 up to, not including, n, which is at least 1.
func (d *dice) below(n int) int { return int(d.below64(uint64(n))) }

// below64 is below for larger numbers. What is drawn from random numbers is
// even to within n in 2^64.
func (d *dice) below64(n uint64) uint64 {
	if d.fromBytes {
		return d.next(n) % n
	}
	high, _ := bits.Mul64(d.random.Uint64(), n)
	return high
}

// next reads as many bytes as a number below n takes. Where none are left it
// reads zeros.
func (d *dice) next(n uint64) (number uint64) {
	for top := n - 1; top > 0; top >>= 8 {
		if len(d.bytes) == 0 {
			return number
		}
		number = number<<8 | uint64(d.bytes[0])
		d.bytes = d.bytes[1:]
	}
	return number
}

// between draws a number from low to high.
func (d *dice) between(low, high int) int { return low + d.below(high-low+1) }

// oneIn is true one time in n, and not where all bytes are zero.
func (d *dice) oneIn(n int) bool { return d.below(n) == n-1 }

// percent is true so many times in a hundred, likewise.
func (d *dice) percent(share int) bool { return d.below(100) >= 100-share }

// oneOf draws an element of a list, which must not be empty.
func oneOf[T any](d *dice, list []T) T { return list[d.below(len(list))] }

// weighted draws an index, each as often as its weight says. The weights must
// have a sum above 0.
func (d *dice) weighted(weights []int) int {
	sum := 0
	for _, weight := range weights {
		sum += weight
	}
	drawn := d.below(sum)
	for i, weight := range weights {
		if drawn -= weight; drawn < 0 {
			return i
		}
	}
	panic("history: a weight is negative")
}

// DrawRules draws an edition and a clock unit from a seed, the same for ever:
// edition 3 six times in ten and seconds every other time.
func DrawRules(seed uint64) events.Rules {
	var d dice
	d.seed(seed, forRules)
	return d.rules()
}

func (d *dice) rules() events.Rules {
	editions := []events.Edition{events.Edition3, events.Edition2, events.Edition1}
	return events.Rules{
		Edition: editions[d.weighted([]int{60, 20, 20})],
		Unit:    events.Units[d.weighted([]int{50, 16, 17, 17})],
	}
}
