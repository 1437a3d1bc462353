package projection

import (
	"maps"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Careers tells the lives of clients: their registrations, and in each their
// leases and waits; and what they were refused. Refused operations that name no
// client, such as writes, belong to nobody's career.
type Careers struct {
	cursor
	began   Moment
	wanted  map[string]bool
	ages    ages
	clients map[string]*career
	sink    CareersSink
}

// career is what is going on with a registered client.
type career struct {
	Registration
	leases map[string]*Lease // by lock: one on each at most (R14)
	wait   *Wait             // nil if it waits for nothing
}

// NewCareers are the careers of the named clients, or of all if none is named,
// from a state on. O(n log n) for n clients and locks of the state.
func NewCareers(state fsm.State, clients []string, sink CareersSink) *Careers {
	c := &Careers{
		cursor: cursor{state.Sequence()}, began: earlierThan(state), wanted: set(clients),
		ages: agesAt(state), clients: map[string]*career{}, sink: sink,
	}
	for row := range state.Clients() {
		c.register(row.Name, c.began)
	}
	for row := range state.Locks() {
		for _, h := range row.Leases {
			c.hold(&Lease{Lock: row.Name, Client: h.Client, Mode: h.Mode, Token: h.Token, Began: c.began, ExpiresAt: h.ExpiresAt})
		}
		for i, r := range row.Queue {
			c.await(&Wait{Lock: row.Name, Client: r.Client, Mode: r.Mode, Began: c.began, Position: i + 1})
		}
	}
	return c
}

// Apply implements Projection. O(1) an effect.
func (c *Careers) Apply(s *Step) {
	c.next(s)
	for i := range s.Result.Effects {
		e := &s.Result.Effects[i]
		at := momentOf(e, i)
		if c.ages.registers(e) {
			c.register(e.Client, at)
		}
		if e.Kind == events.EffectAborted {
			c.ages.aborted(e.Client)
		}
		if e.Client == "" || c.wanted != nil && !c.wanted[e.Client] {
			continue
		}
		if e.Kind == events.EffectRefused {
			c.refuse(s.Event, e, at)
			continue
		}
		of := c.clients[e.Client]
		fits(of != nil, e)
		c.effect(of, e, at)
		if of.Ended.Happened() && of.wait == nil && len(of.leases) == 0 {
			c.leave(of)
		}
	}
}

func (c *Careers) effect(of *career, e *events.Effect, at Moment) {
	switch e.Kind {
	case events.EffectGranted:
		if e.Cause != events.CauseFree {
			c.endWait(of, e, at, WasGranted)
		}
		c.hold(&Lease{Lock: e.Lock, Client: of.Client, Mode: e.Mode, Token: e.Token, Began: at, Why: e.Cause, ExpiresAt: e.ExpiresAt})
	case events.EffectQueued:
		c.await(&Wait{Lock: e.Lock, Client: of.Client, Mode: e.Mode, Began: at, Position: e.Position})
	case events.EffectRenewed:
		l := of.leases[e.Lock]
		fits(l != nil && l.Token == e.Token, e)
		l.ExpiresAt = e.ExpiresAt
		l.Renewals++
	case events.EffectReleased, events.EffectExpired:
		c.endLease(of, e, at)
	case events.EffectWithdrawn:
		ending := WasWithdrawn
		if e.Cause == events.CauseAbort {
			ending = WasAborted
		}
		c.endWait(of, e, at, ending)
	case events.EffectAborted:
		of.Ended = at // what the abort ends follows
	}
}

func (c *Careers) register(client string, at Moment) {
	if c.wanted == nil || c.wanted[client] {
		c.clients[client] = &career{Registration: Registration{Client: client, Age: c.ages.of[client], Began: at}}
	}
}

func (c *Careers) hold(l *Lease) {
	of := c.clients[l.Client]
	if of == nil {
		return
	}
	if of.leases == nil {
		of.leases = map[string]*Lease{}
	}
	of.leases[l.Lock] = l
	of.Granted++
}

func (c *Careers) await(w *Wait) {
	if of := c.clients[w.Client]; of != nil {
		of.wait = w
		of.Waited++
	}
}

func (c *Careers) endLease(of *career, e *events.Effect, at Moment) {
	l := of.leases[e.Lock]
	fits(l != nil && l.Token == e.Token, e)
	delete(of.leases, e.Lock)
	l.Ended, l.How = at, e.Cause
	if c.sink.Lease != nil {
		c.sink.Lease(of.Age, *l)
	}
}

func (c *Careers) endWait(of *career, e *events.Effect, at Moment, ending Ending) {
	w := of.wait
	fits(w != nil && w.Lock == e.Lock, e)
	of.wait = nil
	w.Ended, w.Ending, w.Token = at, ending, e.Token
	if c.sink.Wait != nil {
		c.sink.Wait(of.Age, *w)
	}
}

// leave ends a registration when all is over that the abort had to end.
func (c *Careers) leave(of *career) {
	delete(c.clients, of.Client)
	if c.sink.Registration != nil {
		c.sink.Registration(of.Registration)
	}
}

func (c *Careers) refuse(event events.Event, e *events.Effect, at Moment) {
	if c.sink.Refusal != nil {
		c.sink.Refusal(Refusal{event.Operation(), e.Client, e.Lock, e.Key, e.Token, at, e.Refusal})
	}
}

// View is what a status would show of a client now (R22); the zero view for one
// that is not registered or not wanted.
func (c *Careers) View(client string) events.ClientView {
	of := c.clients[client]
	if of == nil {
		return events.ClientView{}
	}
	v := events.ClientView{Age: of.Age}
	for _, lock := range slices.Sorted(maps.Keys(of.leases)) {
		l := of.leases[lock]
		v.Holds = append(v.Holds, events.Hold{Lock: lock, Mode: l.Mode, Token: l.Token, ExpiresAt: l.ExpiresAt})
	}
	if of.wait != nil {
		v.Waiting = of.wait.Lock
	}
	return v
}
