package explain

import "github.com/leasekeeper/leasekeeper/events"

// LockAt explains who held a lock at some place, who waited for it, and why
// nobody of those was granted it.
func LockAt(source Source, lock string, where Place, options Options) (*Account, error) {
	s, err := goTo(source, where, options, focus{lock: lock})
	if err != nil {
		return nil, err
	}
	a := &account{scene: s, most: options.most()}
	a.standingAt()
	a.lock(lock)
	return a.finish()
}

// ClientAt explains what a client held and waited for at some place, its age
// and its last abort.
func ClientAt(source Source, client string, where Place, options Options) (*Account, error) {
	s, err := goTo(source, where, options, focus{client: client, all: true})
	if err != nil {
		return nil, err
	}
	a := &account{scene: s, most: options.most()}
	a.standingAt()
	a.client(client)
	return a.finish()
}

// standingAt tells which place of the history is looked at.
func (a *account) standingAt() {
	f := Fact{Count: int64(a.state.Sequence()), Rules: []string{}}
	if a.begun {
		f.Instant = &a.clock
	}
	a.add("place", f)
}

// lock explains how a lock stands.
func (a *account) lock(lock string) {
	queue := a.state.Queue(lock)
	if a.holders(lock, "") == 0 {
		a.add("free", Fact{Lock: lock})
		if a.state.Issued(lock) == 0 {
			a.add("never used", Fact{Lock: lock})
		} else {
			a.lastLease(lock)
		}
	} else if len(queue) == 0 {
		a.add("nobody waits", Fact{Lock: lock})
	} else {
		a.head(lock, queue[0])
	}
	a.queue(lock, len(queue))
	if mark := a.state.Mark(lock); mark > 0 {
		a.add("mark", a.marked(lock, mark))
	}
}

// client explains how a client stands.
func (a *account) client(client string) {
	view := a.state.Client(client)
	abort := func(t *trail) (events.Effect, bool) {
		e, ok := t.aborts[client]
		return e, ok
	}
	if view.Age > 0 {
		a.add("age", a.registration(client, view.Age))
		if aborted, ok := find(a.past, abort); ok {
			a.add("aborted", a.origin(Fact{Client: client}, &aborted))
		}
	} else if aborted, ok := find(a.past, abort); ok {
		a.add("unregistered by abort", a.origin(Fact{Client: client}, &aborted))
	} else if a.whole() {
		a.add("unregistered", Fact{Client: client})
	} else {
		a.add("unregistered", a.origin(Fact{Client: client}, nil))
	}
	for i, h := range view.Holds {
		if i == a.most {
			break
		}
		a.add("held", a.held(h.Lock, events.Holder{Client: client, Mode: h.Mode, Token: h.Token, ExpiresAt: h.ExpiresAt}))
	}
	a.more(len(view.Holds)-a.most, "leases")
	if len(view.Holds) == 0 {
		a.add("holds nothing", Fact{Client: client})
		a.lastLost(client)
	}
	if view.Waiting == "" {
		a.add("waits for nothing", Fact{Client: client})
		return
	}
	a.waiting(client, view.Waiting)
}

// lastLost tells of the last lease of a client that is over, if that is not too far
// back.
func (a *account) lastLost(client string) {
	c, ok := find(a.past, func(t *trail) (*career, bool) {
		c := t.lost[client]
		return c, c != nil
	})
	if ok {
		a.over(c, a.began(c))
	}
}
