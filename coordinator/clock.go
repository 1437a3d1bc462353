package coordinator

import (
	"math"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// Clock tells the time. Now is called while the coordinator is locked: it must
// return soon, must not call the coordinator, and may be called from any
// goroutine.
//
// A clock should not go back. If it does, the coordinator goes on from its last
// reading and counts (Coordinator.ClockWentBack). Readings before the year 1678
// or after April 2262 do not fit into nanoseconds and are treated alike.
type Clock interface {
	Now() time.Time
}

// AlarmClock is a Clock that can also ring. A coordinator whose clock cannot
// sets timers of the system instead, and looks at the clock when they ring.
type AlarmClock interface {
	Clock
	// AlarmAt calls ring, once, when Now has reached the instant; if it has
	// already, soon. It must not call ring before it returns. Stop prevents the
	// call and tells whether it did; it does not wait for one that has begun.
	AlarmAt(instant time.Time, ring func()) (stop func() bool)
}

// systemClock counts monotonic time from the wall time at its start: setting
// the system's clock does not touch it.
type systemClock struct{ start time.Time }

func newSystemClock() systemClock { return systemClock{time.Now()} }

// Now implements Clock.
func (c systemClock) Now() time.Time { return c.start.Add(time.Since(c.start)) }

// AlarmAt implements AlarmClock.
func (c systemClock) AlarmAt(instant time.Time, ring func()) (stop func() bool) {
	return time.AfterFunc(instant.Sub(c.Now()), ring).Stop
}

// timers gives a clock without alarms those of the system. As the two may
// differ, an alarm may ring early; it is then set again.
type timers struct{ Clock }

// leastTimer keeps a clock that stands still from being asked all the time.
const leastTimer = time.Millisecond

// AlarmAt implements AlarmClock.
func (c timers) AlarmAt(instant time.Time, ring func()) (stop func() bool) {
	return time.AfterFunc(max(instant.Sub(c.Now()), leastTimer), ring).Stop
}

// rules is what a coordinator's history is judged by: ticks are nanoseconds.
var rules = events.Rules{Edition: events.Edition3, Unit: events.Nanosecond}

// ticks is an instant in nanoseconds since 1970, if it is in range (R24).
func ticks(t time.Time) (ts int64, ok bool) {
	const second = int64(time.Second)
	if s := t.Unix(); s <= math.MinInt64/second || s >= math.MaxInt64/second {
		return 0, false
	}
	ts = t.UnixNano()
	return ts, ts <= rules.MaxInstant()
}

// instant is the time of a tick.
func instant(ts int64) time.Time { return time.Unix(0, ts).UTC() }

// now reads the clock and never goes back (R26). c.mu is held.
func (c *Coordinator) now() int64 {
	ts, ok := ticks(c.clock.Now())
	if !ok || ts < c.held {
		c.wentBack++
		return c.held
	}
	c.held = ts
	return ts
}

// ClockWentBack tells how often the clock was read at an instant before one
// that it had shown already, or out of range. Such a reading counts as the last
// good one: leases then last longer by the clock, and none overlap.
func (c *Coordinator) ClockWentBack() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wentBack
}
