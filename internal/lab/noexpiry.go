package lab

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

var noExpiry = Experiment{
	Name:     "no-expiry",
	Question: "What if a lock is held until its holder gives it back?",
	Story: `Ten clients want one lock, a second apart. Each works for a second and gives the
lock back. Client 3 crashes while it holds the lock. The rules know no lease without
an end; the longest, a day, stands in for one. After an hour somebody looks.`,
	Lesson: `Nobody ever held the lock together with somebody else, and yet all work stopped:
from outside, a holder that is dead and one that is slow look the same. A lease is
the way out. It does not find out which of the two it is; it stops waiting.`,
	Rules:      []string{"R2", "R3", "R4", "R7"},
	HasHistory: true,
	run:        runNoExpiry,
}

const (
	day  = 86_400_000 // ticks of a millisecond
	hour = 3_600_000
)

// turns is a case of the experiment: ten clients take turns at a lock.
type turns struct {
	name    string
	ttl     int64
	crashes int // the client that never comes back, -1 for none
}

// taken is what became of them.
type taken struct {
	completed, waiting int
	last               int64 // when the last of them gave the lock back
}

func runNoExpiry(b *bench) (*Outcome, error) {
	fresh, err := b.stages(events.Millisecond)
	if err != nil {
		return nil, err
	}
	record := &Recording{Name: "a crashed holder and a lock without expiry", Rules: rulesIn(events.Millisecond)}
	s := fresh()
	s.record = record
	out := &Outcome{History: record, Table: Table{Columns: []Column{
		{Key: "case", Title: "case", Left: true},
		{Key: "ttl_s", Title: "lease", Unit: "s"},
		{Key: "completed", Title: "completed"},
		{Key: "waiting", Title: "waiting after 1 h"},
		{Key: "last_s", Title: "last at", Unit: "s", Digits: 0},
		{Key: "verdict", Title: "verdict", Left: true},
	}}}
	var c claims
	for i, test := range []struct {
		turns
		expected taken
	}{
		{turns{name: "all-fine", ttl: day, crashes: -1}, taken{completed: 10}},
		{turns{name: "crash", ttl: day, crashes: 3}, taken{completed: 3, waiting: 6}},
		{turns{name: "crash-leased", ttl: 10_000, crashes: 3}, taken{completed: 9}},
	} {
		r := test.play(s, int64(i)*2*hour)
		out.Table.Rows = append(out.Table.Rows, []any{
			test.name, int(test.ttl / 1000), r.completed, r.waiting, float64(r.last) / 1000, wedgedOr(r.waiting > 0),
		})
		c.equal(test.name+": clients that complete their work", test.expected.completed, r.completed)
		c.equal(test.name+": clients that still wait after an hour", test.expected.waiting, r.waiting)
	}
	out.Claims = c
	return out, nil
}

func wedgedOr(wedged bool) string {
	if wedged {
		return "WEDGED"
	}
	return "goes on"
}

// play lets the clients come, one a second, and waits for an hour. Whoever is
// granted the lock works for a second and gives it back.
func (t turns) play(s *stage, base int64) (r taken) {
	const clients, second = 10, 1000
	var plan agenda
	lock := "job/" + t.name
	name := func(client int) string { return fmt.Sprintf("%s-%d", t.name, client) }
	s.granted = func(g events.Effect) {
		if g.Client == name(t.crashes) {
			plan.put(g.ExpiresAt, func(at int64) { s.look(at, "", lock) }) // those who wait look again
			return
		}
		plan.put(g.Instant+second, func(at int64) {
			if s.release(at, g.Client, lock) {
				r.completed, r.last = r.completed+1, at-base
			}
		})
	}
	for i := range clients {
		plan.put(base+int64(i)*second, func(at int64) { s.acquire(at, name(i), lock, t.ttl) })
	}
	plan.runUntil(base + hour)
	_, _, r.waiting = s.look(base+hour, "", lock)
	s.granted = nil
	return r
}
