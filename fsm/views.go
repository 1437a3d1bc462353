package fsm

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// inspect shows a lock: holders by token, queue oldest first (R21).
func (t *tables) inspect(lockName string) events.LockView {
	return events.LockView{Holders: t.holders(lockName), Queue: t.queue(lockName)}
}

func (t *tables) holders(lockName string) []events.Holder {
	number := t.locks.number(lockName)
	if number == 0 || t.locks.at(number).holders() == 0 {
		return nil
	}
	l := t.locks.at(number)
	list := make([]events.Holder, 0, l.holders())
	for h := range l.leases() {
		list = append(list, events.Holder{
			Client: t.clients.name(h.client), Mode: h.mode, Token: h.token, ExpiresAt: h.expires,
		})
	}
	return list
}

func (t *tables) queue(lockName string) []events.Waiter {
	number := t.locks.number(lockName)
	if number == 0 || t.locks.at(number).queue.Len() == 0 {
		return nil
	}
	l := t.locks.at(number)
	list := make([]events.Waiter, 0, l.queue.Len())
	for _, w := range l.queue.All() {
		list = append(list, events.Waiter{Client: t.clients.name(w.client), Mode: w.mode})
	}
	return list
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
