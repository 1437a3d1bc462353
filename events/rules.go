package events

import (
	"fmt"
	"math"
)

// Edition numbers the editions of the rules (R29). Later editions add to
// earlier ones; a journal pins its edition in its first record.
type Edition uint8

// The editions of the rules.
const (
	Edition1 Edition = 1 // exclusive leases only, one lock a client, no status
	Edition2 Edition = 2 // shared and exclusive modes, one lock a client, no status
	Edition3 Edition = 3 // transactions over many locks, deadlock victims, status
)

// Unit is the length of one tick of the clock (R30). Its value is the number
// of ticks in a second.
type Unit int64

// The clock units.
const (
	Second      Unit = 1
	Millisecond Unit = 1e3
	Microsecond Unit = 1e6
	Nanosecond  Unit = 1e9
)

// maxTTLSeconds is the longest lease: a day (R2).
const maxTTLSeconds = 86400

// Bounds of the repeat operation (R27).
const (
	// MaxRepeat is the largest count of a repeat operation.
	MaxRepeat = 100000
	// MaxExpansion bounds the bytes of all strings that one repeat operation
	// makes up, over all its runs.
	MaxExpansion = 64 << 20
)

// Rules is what a history is judged by: an edition and a clock unit. The zero
// value is not valid; start from Current.
type Rules struct {
	Edition Edition
	Unit    Unit
}

// Current is the edition in force, counted in seconds.
var Current = Rules{Edition: Edition3, Unit: Second}

// Validate reports an edition or a clock unit that does not exist.
func (r Rules) Validate() error {
	if r.Edition < Edition1 || r.Edition > Edition3 {
		return fmt.Errorf("events: no such edition of the rules: %d (there are 1, 2 and 3)", r.Edition)
	}
	switch r.Unit {
	case Second, Millisecond, Microsecond, Nanosecond:
		return nil
	}
	return fmt.Errorf("events: no such clock unit: %d ticks a second (there are 1, 10^3, 10^6 and 10^9)", r.Unit)
}

// MaxTTL is the longest ttl in ticks: a day, whatever the unit (R2, R30). The
// shortest is one tick.
func (r Rules) MaxTTL() int64 { return maxTTLSeconds * int64(r.Unit) }

// MaxInstant is the latest instant that an operation may carry: the longest
// lease granted then still ends within 64 bits (R24).
func (r Rules) MaxInstant() int64 { return math.MaxInt64 - r.MaxTTL() }
