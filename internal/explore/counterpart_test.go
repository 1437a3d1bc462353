package explore

import (
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// counterpart turns what is said of one state into what must then be said of
// another one of the same class: other clients and locks, other instants, other
// ages and tokens, in the same relations.
type counterpart struct {
	from, to       snapshot
	clients, locks [max(MaxClients, MaxLocks)]uint8
	shift          int64
}

func newCounterpart(scope Scope, from, to fsm.State) *counterpart {
	var c counterpart
	var r reader
	r.state(&c.from, from)
	r.state(&c.to, to)
	a, b := newCanon(scope), newCanon(scope)
	a.key(&c.from)
	b.key(&c.to)
	c.clients = matching(a.clientAt, b.clientAt)
	c.locks = matching(a.lockAt, b.lockAt)
	c.shift = c.to.clock - c.from.clock
	return &c
}

// matching pairs what has the same place; what shares one is paired in order.
func matching(a, b [4]uint8) (to [4]uint8) {
	taken := [4]bool{}
	for i := range a {
		for j := range b {
			if a[i] == b[j] && !taken[j] {
				to[i], taken[j] = uint8(j), true
				break
			}
		}
	}
	return to
}

func (c *counterpart) move(m move) move {
	m.client, m.lock = c.clients[m.client], c.locks[m.lock]
	return m
}

func (c *counterpart) client(name string) string {
	if name == "" {
		return ""
	}
	return clientNames[c.clients[number(clientNames[:], name)]]
}

func (c *counterpart) lock(name string) string {
	if name == "" {
		return ""
	}
	return lockNames[c.locks[number(lockNames[:], name)]]
}

// token is the token of a lease: one that is in force before the move, or one
// that the move takes from the counter.
func (c *counterpart) token(lock string, token int64) int64 {
	n := number(lockNames[:], lock)
	counter := c.from.locks[n].counter
	if token > counter {
		return token - counter + c.to.locks[c.locks[n]].counter
	}
	for i, l := range c.from.leases {
		if l.lock == n && l.token == token {
			return c.to.leases[i].token
		}
	}
	panic("a token that nobody has")
}

func (c *counterpart) age(client string, age int64) int64 {
	if age > c.from.registrations {
		return age - c.from.registrations + c.to.registrations
	}
	if age == 0 {
		return 0
	}
	return c.to.ages[c.clients[number(clientNames[:], client)]]
}

func (c *counterpart) answer(lock, client string, answer events.Answer) events.Answer {
	switch a := answer.(type) {
	case events.Granted:
		a.Token, a.ExpiresAt, a.Victims = c.token(lock, a.Token), a.ExpiresAt+c.shift, each(a.Victims, c.client)
		return a
	case events.Queued:
		a.Victims = each(a.Victims, c.client)
		return a
	case events.Deadlock:
		a.Victims = each(a.Victims, c.client)
		return a
	case events.Renewed:
		a.ExpiresAt += c.shift
		return a
	case events.LockView:
		a.Holders = each(a.Holders, func(h events.Holder) events.Holder {
			return events.Holder{Client: c.client(h.Client), Mode: h.Mode, Token: c.token(lock, h.Token), ExpiresAt: h.ExpiresAt + c.shift}
		})
		a.Queue = each(a.Queue, func(w events.Waiter) events.Waiter { return events.Waiter{Client: c.client(w.Client), Mode: w.Mode} })
		return a
	case events.ClientView:
		a.Age, a.Waiting = c.age(client, a.Age), c.lock(a.Waiting)
		a.Holds = each(a.Holds, func(h events.Hold) events.Hold {
			return events.Hold{Lock: c.lock(h.Lock), Mode: h.Mode, Token: c.token(h.Lock, h.Token), ExpiresAt: h.ExpiresAt + c.shift}
		})
		slices.SortFunc(a.Holds, func(a, b events.Hold) int { return strings.Compare(a.Lock, b.Lock) })
		return a
	case events.Value:
		a.Text = "" // which of two values it is was settled by what was there before
		return a
	}
	return answer
}

// effect leaves out the token of a write: it is that of the move.
func (c *counterpart) effect(e events.Effect) events.Effect {
	if e.Kind == events.EffectWritten || e.Kind == events.EffectRefused {
		e.Token = 0
	}
	if e.Token != 0 {
		e.Token = c.token(e.Lock, e.Token)
	}
	if e.ExpiresAt != 0 || e.Token != 0 {
		e.ExpiresAt += c.shift
	}
	e.Client, e.Lock, e.Instant, e.Sequence = c.client(e.Client), c.lock(e.Lock), e.Instant+c.shift, 0
	return e
}

func each[T any](list []T, change func(T) T) []T {
	var changed []T
	for _, item := range list {
		changed = append(changed, change(item))
	}
	return changed
}
