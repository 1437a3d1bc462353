package explain

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// holding is a client's lease on a lock as it is now.
func (a *account) holding(client, lock string) (h events.Holder, ok bool) {
	holders := a.state.Holders(lock)
	if i := slices.IndexFunc(holders, func(h events.Holder) bool { return h.Client == client }); i >= 0 {
		return holders[i], true
	}
	return h, false
}

// renewed explains a renewal: its new end against the old one. A lease that is
// renewed did not begin with the same event, unless a lapse handed it over.
func (a *account) renewed(e events.Renew) {
	h, _ := a.holding(e.Client, e.Lock)
	f := Fact{
		Lock: e.Lock, Client: e.Client, Token: h.Token, Ends: &h.ExpiresAt, TTL: e.TTL,
		Event: a.result.Sequence, Instant: &e.At,
	}
	for _, old := range a.before.At(e.At).Holders(e.Lock) {
		if old.Token == h.Token {
			f.OldEnd = &old.ExpiresAt
		}
	}
	a.add("renewed", f)
	a.add("held", a.held(e.Lock, h))
}

// notHolder explains why a client has no valid lease on a lock, and, for a
// release, does not wait for it.
func (a *account) notHolder(client, lock string) {
	f := Fact{Client: client, Lock: lock, Event: a.result.Sequence}
	c, began := a.gone(lock, client)
	if c == nil || c.ended.Sequence != a.result.Sequence { // else that lapse is told below
		a.lapses(lock)
	}
	if a.state.Client(client).Waiting == lock {
		a.add("waits only", f)
		a.waiting(client, lock)
		return
	}
	switch {
	case c != nil:
		a.add("holds no longer", f)
		a.over(c, began)
	case a.whole():
		a.add("never held", f)
	default:
		f.BeforeEvent, f.Event = a.from()+1, 0
		a.add("not held lately", f)
	}
	if a.holders(lock, "") == 0 {
		a.add("free", Fact{Lock: lock})
	}
}

// release explains how a lease was ended, or a request taken back.
func (a *account) release(e events.Release) {
	var joined *events.Effect
	if a.result.Answer == events.Withdrawn {
		joined = a.joined(e.Lock, e.Client)
	}
	a.happen()
	a.lapses(e.Lock)
	at := slices.IndexFunc(a.result.Effects, func(f events.Effect) bool { return f.Cause == events.CauseRelease })
	ended, next := a.result.Effects[at], grantsAfter(a.result.Effects[at+1:])
	f := Fact{Lock: e.Lock, Client: e.Client, Mode: ended.Mode.String()}
	if ended.Kind == events.EffectWithdrawn {
		f = a.origin(f, joined)
		f.Ends, f.EndEvent = &e.At, a.result.Sequence
		a.add("withdrawn", f)
	} else {
		c, began := a.gone(e.Lock, e.Client)
		f = a.origin(f, began)
		f.Token, f.Ends, f.OldEnd, f.EndEvent = c.ended.Token, &e.At, &ended.ExpiresAt, a.result.Sequence
		a.add("released", f)
	}
	a.grants(&ended, next)
	if len(next) == 0 {
		a.ungranted(e.Lock)
	}
}

// ungranted tells why nobody got a lock although its holders or its queue have
// changed.
func (a *account) ungranted(lock string) {
	queue := a.state.Queue(lock)
	if len(queue) == 0 {
		a.add("nobody waits", Fact{Lock: lock})
		return
	}
	a.head(lock, queue[0])
	a.holders(lock, "")
}

// head tells why the head of a queue is not granted, and so nobody behind it.
func (a *account) head(lock string, w events.Waiter) {
	f := Fact{Lock: lock, Client: w.Client, Mode: w.Mode.String(), Detail: a.state.Holders(lock)[0].Mode.String()}
	a.add("head waits", f)
}
