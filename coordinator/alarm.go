package coordinator

import (
	"context"

	"github.com/leasekeeper/leasekeeper/events"
)

// The schedule is a heap of the keys whose leases somebody is interested in the
// end of: waiters, watchers, whoever asked for Done. While it is not empty, one
// alarm is set for the first end. When it rings, an event is journaled, so that
// the lapse and the hand-over are durable before anybody is told.

// alarm is a call that the clock has been asked for.
type alarm struct {
	at   int64
	stop func() bool
}

// attend puts a key into the schedule, moves it there or takes it away. c.mu is
// held.
func (c *Coordinator) attend(k *key) {
	wanted := c.stopped == nil && k.last.phase == inForce &&
		(k.waiting > 0 || k.last.done != nil || len(k.watchers) > 0)
	switch {
	case wanted && k.position == 0:
		c.schedule = append(c.schedule, k)
		k.position = len(c.schedule)
		c.schedule.fix(k.position)
	case wanted:
		c.schedule.fix(k.position)
	case k.position != 0:
		c.schedule = c.schedule.remove(k.position)
		k.position = 0
	}
}

// setAlarm sees to it that an alarm is set not later than the first end. One
// that is too early stays: it costs less to ring in vain than to be set anew
// with every renewal. c.mu is held.
func (c *Coordinator) setAlarm() { c.setAlarmOf(c.alarms) }

func (c *Coordinator) setAlarmOf(clock AlarmClock) {
	if c.alarm != nil {
		if len(c.schedule) > 0 && c.alarm.at <= c.schedule[0].last.expires {
			return
		}
		c.alarm.stop()
		c.alarm = nil
	}
	if len(c.schedule) > 0 {
		a := &alarm{at: c.schedule[0].last.expires}
		c.alarm = a
		a.stop = clock.AlarmAt(instant(a.at), func() { c.ring(a) })
	}
}

// ring is called by the clock.
func (c *Coordinator) ring(a *alarm) {
	if cm, err := c.lapse(a); err == nil {
		_ = c.settle(context.Background(), cm) // who is concerned sees the stop
	}
}

// lapse lets the leases end that are due.
func (c *Coordinator) lapse(a *alarm) (*commit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.alarm != a || c.stopped != nil {
		return nil, c.stopped
	}
	c.alarm = nil
	now := c.now()
	switch {
	case now < a.at:
		// It rang too early, or shows an instant that does not count. It would
		// ring again at once and for ever; a timer gives it time.
		c.setAlarmOf(timers{c.clock})
		return nil, nil
	case len(c.schedule) == 0 || now < c.schedule[0].last.expires:
		c.setAlarm()
		return nil, nil
	}
	_, cm, err := c.apply(context.Background(), events.Inspect{At: now, Lock: c.schedule[0].name})
	return cm, err
}

// schedule is a binary heap by the end of the lease; of the same end, by name.
// Each key knows its position, counted from 1.
type schedule []*key

func (s schedule) before(i, j int) bool {
	a, b := s[i-1], s[j-1]
	if a.last.expires != b.last.expires {
		return a.last.expires < b.last.expires
	}
	return a.name < b.name
}

func (s schedule) swap(i, j int) {
	s[i-1], s[j-1] = s[j-1], s[i-1]
	s[i-1].position, s[j-1].position = i, j
}

// fix moves the key at a position to where it belongs.
func (s schedule) fix(i int) {
	for i > 1 && s.before(i, i/2) {
		s.swap(i, i/2)
		i /= 2
	}
	for {
		first := i
		for child := 2 * i; child <= min(2*i+1, len(s)); child++ {
			if s.before(child, first) {
				first = child
			}
		}
		if first == i {
			return
		}
		s.swap(i, first)
		i = first
	}
}

// remove takes the key at a position away.
func (s schedule) remove(i int) schedule {
	n := len(s)
	if i < n {
		s.swap(i, n)
	}
	s[n-1] = nil
	s = s[:n-1]
	if i < n {
		s.fix(i)
	}
	return s
}
