package lab

import (
	"iter"
	"math"

	"github.com/leasekeeper/leasekeeper/internal/lab/twister"
)

// operation is what chance decides about one operation: how long the holder
// works, how long it stalls, and where in its work the stall begins, from 0 to 1.
// Durations are in ticks of a microsecond.
type operation struct {
	work, stall int64
	where       float64
	crashes     bool // does not give the lock back
}

// load is the distributions that operations are drawn from. Times are in seconds.
type load struct {
	seldom    float64 // the share of long stalls
	longStall float64 // their mean
	crashing  float64 // the share of crashes; 0 for a load that draws where a stall begins
}

// The means that all loads share, in seconds.
const (
	meanWork  = 0.5
	meanStall = 0.05
)

// draw yields the operations that a seed gives, always in the same order of
// draws: work, kind of stall, stall, and then where it begins or who crashes.
func (l load) draw(seed uint64, n int) iter.Seq2[int, operation] {
	return func(yield func(int, operation) bool) {
		chance := twister.New(seed)
		for i := range n {
			o := operation{work: ticks(chance.Expovariate(1 / meanWork))}
			mean := meanStall
			if chance.Random() <= l.seldom {
				mean = l.longStall
			}
			o.stall = ticks(chance.Expovariate(1 / mean))
			if l.crashing > 0 {
				o.crashes = chance.Random() < l.crashing
			} else {
				o.where = chance.Random()
				chance.Random() // a number that no design has a use for
			}
			if !yield(i, o) {
				return
			}
		}
	}
}

// ticks are microseconds; second is how many a second has.
func ticks(seconds float64) int64 { return int64(math.Round(seconds * second)) }

const second = 1_000_000
