package fsm

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// inspect shows a lock: holders by token, queue oldest first (R21).
func (t *tables) inspect(lockName string) events.LockView {
	view := events.LockView{}
	number := t.locks.number(lockName)
	if number == 0 {
		return view
	}
	l := t.locks.at(number)
	if n := l.holders(); n > 0 {
		view.Holders = make([]events.Holder, 0, n)
	}
	for h := range l.leases() {
		view.Holders = append(view.Holders, events.Holder{
			Client: t.clients.name(h.client), Mode: h.mode, Token: h.token, ExpiresAt: h.expires,
		})
	}
	if n := l.queue.Len(); n > 0 {
		view.Queue = make([]events.Waiter, 0, n)
	}
	for _, w := range l.queue.All() {
		view.Queue = append(view.Queue, events.Waiter{Client: t.clients.name(w.client), Mode: w.mode})
	}
	return view
}

// status shows a client: its age, its leases by lock name, and what it waits
// for (R22).
func (t *tables) status(clientName string) events.ClientView {
	number := t.clients.number(clientName)
	if number == 0 {
		return events.ClientView{}
	}
	c := t.clients.at(number)
	view := events.ClientView{Age: c.age}
	for h := range c.held() {
		l := t.locks.at(h.lock)
		lease := l.lease(h.token)
		view.Holds = append(view.Holds, events.Hold{
			Lock: l.name, Mode: lease.mode, Token: lease.token, ExpiresAt: lease.expires,
		})
	}
	slices.SortFunc(view.Holds, func(a, b events.Hold) int { return cmp.Compare(a.Lock, b.Lock) })
	if c.waits != 0 {
		view.Waiting = t.locks.name(c.waits)
	}
	return view
}
