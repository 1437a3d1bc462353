package explain

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// Options say how far an explanation goes. The zero value is good for most uses.
type Options struct {
	// Most is how many items of a long list are told; what is left out is
	// counted. The default is 10.
	Most int
	// Budget is how many events may be replayed to look further back than the
	// nearest snapshot. The default is DefaultBudget; below 0 there is no bound.
	Budget int64
}

// DefaultBudget is how many events are replayed to look further back: about half
// a second's work.
const DefaultBudget = 250_000

const (
	defaultMost = 10
	unbounded   = 1 << 62
)

func (o Options) most() int {
	if o.Most < 1 {
		return defaultMost
	}
	return o.Most
}

func (o Options) budget() int64 {
	switch {
	case o.Budget == 0:
		return DefaultBudget
	case o.Budget < 0:
		return unbounded
	}
	return o.Budget
}

// account gathers the facts about a scene.
type account struct {
	*scene
	most  int
	facts []Fact
}

// add tells a fact, unless it has been told.
func (a *account) add(kind Kind, f Fact) {
	told := tell(kind, f)
	if !slices.ContainsFunc(a.facts, func(f Fact) bool { return f.Text == told.Text }) {
		a.facts = append(a.facts, told)
	}
}

// more counts what is left out of a list of so many, from the given one on.
func (a *account) more(left int, what string) {
	if left > 0 {
		a.add("more", Fact{Count: int64(left), Detail: what})
	}
}

// finish is the account, or what kept it from looking at all that it wanted to.
func (a *account) finish() (*Account, error) {
	if a.err != nil {
		return nil, fmt.Errorf("explain: looking back: %w", a.err)
	}
	return &Account{Facts: a.facts}, nil
}

// origin notes where a fact goes back to: an effect, or what is too far back.
func (a *account) origin(f Fact, e *events.Effect) Fact {
	if e == nil {
		f.BeforeEvent = a.from() + 1
		return f
	}
	f.Event, f.Instant = e.Sequence, &e.Instant
	return f
}

// birth is the grant of a lease that is or was in force, and what made way for
// it. It is nil if that is too far back.
func (a *account) birth(lock, client string, token int64) *career {
	c, ok := find(a.past, func(t *trail) (*career, bool) {
		c := t.tokens[grantNumber{lock, token}]
		if c == nil {
			c = t.leases[place{lock, client}]
		}
		if c == nil {
			c = t.over[place{lock, client}]
		}
		return c, c != nil && c.began != nil && c.began.Token == token
	})
	if !ok {
		return nil
	}
	return c
}

// held is the fact that somebody holds a lock.
func (a *account) held(lock string, h events.Holder) Fact {
	f := Fact{Lock: lock, Client: h.Client, Mode: h.Mode.String(), Token: h.Token, Ends: &h.ExpiresAt}
	c := a.birth(lock, h.Client, h.Token)
	if c == nil {
		return a.origin(f, nil)
	}
	f = a.origin(f, c.began)
	f.Cause = c.began.Cause.String()
	if c.freed != nil {
		f.Other = c.freed.Client
	}
	return f
}

// holders tells who holds a lock, but for one client.
func (a *account) holders(lock string, but string) (n int) {
	list := a.state.Holders(lock)
	for _, h := range list {
		if h.Client == but {
			continue
		}
		if n++; n <= a.most {
			a.add("held", a.held(lock, h))
		}
	}
	a.more(n-a.most, "holders")
	return n
}

// waits is the fact that somebody waits for a lock.
func (a *account) waits(lock string, w events.Waiter, position int) Fact {
	return a.origin(Fact{Lock: lock, Client: w.Client, Mode: w.Mode.String(), Position: position}, a.joined(lock, w.Client))
}

// joined is when a client's request joined a queue in which it stands, or stood
// last.
func (a *account) joined(lock, client string) *events.Effect {
	e, ok := find(a.past, func(t *trail) (events.Effect, bool) {
		e, ok := t.waits[client]
		return e, ok && e.Lock == lock
	})
	if !ok {
		return nil
	}
	return &e
}

// queue tells who waits for a lock, up to a number of requests.
func (a *account) queue(lock string, until int) {
	for i, w := range a.state.Queue(lock)[:until] {
		if i == a.most {
			break
		}
		a.add("waits", a.waits(lock, w, i+1))
	}
	a.more(until-a.most, "requests in the queue")
}

// gone is the last lease of a client on a lock that is over, with its birth.
func (a *account) gone(lock, client string) (c *career, began *events.Effect) {
	c, ok := find(a.past, func(t *trail) (*career, bool) {
		c := t.over[place{lock, client}]
		return c, c != nil
	})
	if !ok {
		return nil, nil
	}
	return c, a.began(c)
}

// began is the grant of a lease that is over.
func (a *account) began(c *career) *events.Effect {
	if c.began != nil {
		return c.began
	}
	if b := a.birth(c.ended.Lock, c.ended.Client, c.ended.Token); b != nil {
		return b.began
	}
	return nil
}

// over tells of a lease that is over, and who got the lock when it ended.
func (a *account) over(c *career, began *events.Effect) {
	e := c.ended
	f := a.origin(Fact{
		Lock: e.Lock, Client: e.Client, Mode: e.Mode.String(), Token: e.Token,
		Cause: e.Cause.String(), Ends: &e.Instant, OldEnd: &e.ExpiresAt, EndEvent: e.Sequence,
	}, began)
	a.add("over", f)
	a.grants(e, c.next)
}

// grants tells who got a lock because of what ended, or that nobody did.
func (a *account) grants(ended *events.Effect, next []events.Effect) {
	for i, g := range next {
		if i == a.most {
			break
		}
		a.add("handed over", a.origin(Fact{
			Lock: g.Lock, Client: g.Client, Mode: g.Mode.String(), Token: g.Token, Ends: &g.ExpiresAt,
			Cause: g.Cause.String(), Other: ended.Client,
		}, &g))
	}
	a.more(len(next)-a.most, "grants at that instant")
}

// registration is the fact of a client's age.
func (a *account) registration(client string, age int64) Fact {
	e, _ := find(a.past, func(t *trail) (*events.Effect, bool) {
		e := t.ages[client]
		return e, e != nil
	})
	return a.origin(Fact{Client: client, Age: age}, e)
}
