package coordinator

import (
	"slices"
	"sync"
	"time"
)

// ManualClock is a clock for tests that stands still until it is moved. Any
// number of goroutines may use it.
type ManualClock struct {
	mu     sync.Mutex
	now    time.Time
	alarms []*manualAlarm // by instant; of the same instant, in the order of their setting
}

type manualAlarm struct {
	at   time.Time
	ring func()
}

// NewManualClock returns a clock that shows start.
func NewManualClock(start time.Time) *ManualClock { return &ManualClock{now: start} }

// Now implements Clock.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on, as Set does; a negative duration moves it back.
func (c *ManualClock) Advance(d time.Duration) { c.Set(c.Now().Add(d)) }

// Set moves the clock. The alarms that are due by then ring one after another,
// each with the clock at its own instant, before Set returns. Moving back rings
// nothing.
func (c *ManualClock) Set(target time.Time) {
	for {
		c.mu.Lock()
		if len(c.alarms) == 0 || c.alarms[0].at.After(target) {
			c.now = target
			c.mu.Unlock()
			return
		}
		due := c.alarms[0]
		c.alarms = slices.Delete(c.alarms, 0, 1)
		if due.at.After(c.now) {
			c.now = due.at
		}
		c.mu.Unlock()
		due.ring()
	}
}

// AlarmAt implements AlarmClock. An alarm for an instant that the clock has
// reached rings at once, in a goroutine of its own.
func (c *ManualClock) AlarmAt(instant time.Time, ring func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !instant.After(c.now) {
		go ring()
		return func() bool { return false }
	}
	a := &manualAlarm{instant, ring}
	at, _ := slices.BinarySearchFunc(c.alarms, a, func(b, a *manualAlarm) int {
		if b.at.After(a.at) {
			return 1
		}
		return -1
	})
	c.alarms = slices.Insert(c.alarms, at, a)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.alarms, a)
		if i < 0 {
			return false
		}
		c.alarms = slices.Delete(c.alarms, i, i+1)
		return true
	}
}

// Alarms is the number of alarms that are set.
func (c *ManualClock) Alarms() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.alarms)
}
