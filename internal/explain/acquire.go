package explain

import (
	"github.com/leasekeeper/leasekeeper/events"
)

// acquire explains an acquire that was not refused.
func (a *account) acquire(e events.Acquire) {
	found := a.deadlocked(e.Client)
	a.happen()
	a.lapses(e.Lock)
	if a.before.Client(e.Client).Age == 0 && a.state.Client(e.Client).Age != 0 {
		a.add("registered", a.registration(e.Client, a.state.Client(e.Client).Age))
	}
	if found != nil {
		a.deadlock(e, found)
	}
	switch answer := a.result.Answer.(type) {
	case events.Granted:
		a.granted(e, answer)
	case events.Queued:
		a.queued(e, answer)
	case events.Deadlock:
		a.add("deadlock", Fact{Lock: e.Lock, Client: e.Client, Event: a.result.Sequence})
	}
}

// granted explains a lease that an acquire got.
func (a *account) granted(e events.Acquire, answer events.Granted) {
	f := Fact{
		Lock: e.Lock, Client: e.Client, Mode: e.Mode.String(), Token: answer.Token, Ends: &answer.ExpiresAt, TTL: e.TTL,
		Event: a.result.Sequence, Instant: &e.At,
	}
	if len(answer.Victims) > 0 {
		a.add("granted after aborts", f)
	} else {
		a.add("granted", f)
		if a.holders(e.Lock, e.Client) == 0 {
			a.add("was free", Fact{Lock: e.Lock})
			a.lastLease(e.Lock)
		}
	}
	a.add("token", Fact{Lock: e.Lock, Token: answer.Token, Count: answer.Token - 1})
}

// lastLease tells of the lease on a lock that ended last.
func (a *account) lastLease(lock string) {
	c, ok := find(a.past, func(t *trail) (*career, bool) {
		c := t.last[lock]
		return c, c != nil
	})
	if ok && !(c.ended.Sequence == a.result.Sequence && c.ended.Kind == events.EffectExpired) { // which has been told
		a.over(c, a.began(c))
	}
}

// queued explains a request that has to wait.
func (a *account) queued(e events.Acquire, answer events.Queued) {
	a.add("queued", Fact{
		Lock: e.Lock, Client: e.Client, Mode: e.Mode.String(), Position: answer.Position, TTL: e.TTL,
		Event: a.result.Sequence, Instant: &e.At,
	})
	a.obstacle(e.Lock, e.Client, e.Mode, answer.Position)
	a.holders(e.Lock, "")
	a.queue(e.Lock, answer.Position-1)
}

// obstacle tells why a request is not granted where it stands in the queue.
func (a *account) obstacle(lock, client string, mode events.Mode, position int) {
	holders := a.state.Holders(lock)
	f := Fact{Lock: lock, Client: client, Mode: mode.String(), Position: position, Count: int64(len(holders))}
	switch {
	case mode == events.Exclusive:
		a.add("exclusive waits", f)
	case len(holders) > 0 && holders[0].Mode == events.Exclusive:
		a.add("shared waits", f)
	default:
		f.Other = a.state.Queue(lock)[0].Client
		a.add("no overtaking", f)
	}
}

// busy explains why a client may not ask for a lock now.
func (a *account) busy(e events.Acquire) {
	view := a.state.Client(e.Client)
	f := Fact{Client: e.Client, Lock: e.Lock, Rules: a.clientRule()}
	if view.Waiting != "" {
		f.Detail = view.Waiting
		a.add("busy waiting", f)
		a.waiting(e.Client, view.Waiting)
		return
	}
	for _, h := range view.Holds {
		if h.Lock == e.Lock || a.state.Rules().Edition < events.Edition3 {
			f.Detail = h.Lock
			a.add("busy holding", f)
			a.add("held", a.held(h.Lock, events.Holder{Client: e.Client, Mode: h.Mode, Token: h.Token, ExpiresAt: h.ExpiresAt}))
			return
		}
	}
}

// clientRule is the rule that says how many locks a client may have.
func (a *account) clientRule() []string {
	if a.state.Rules().Edition < events.Edition3 {
		return []string{"R8"}
	}
	return []string{"R14"}
}

// waiting tells for what and behind whom a client waits.
func (a *account) waiting(client, lock string) {
	queue := a.state.Queue(lock)
	for i, w := range queue {
		if w.Client != client {
			continue
		}
		a.add("waits", a.waits(lock, w, i+1))
		a.obstacle(lock, client, w.Mode, i+1)
		a.holders(lock, "")
		a.queue(lock, i)
		return
	}
}
