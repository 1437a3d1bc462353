package audit

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// named are the lock and the client that an event names, "" where it names none.
// Nobody knows those of a repeat before it runs: it may touch anything.
func named(e events.Event) (lock, client string, anything bool) {
	switch e := e.(type) {
	case events.Acquire:
		return e.Lock, e.Client, false
	case events.Renew:
		return e.Lock, e.Client, false
	case events.Release:
		return e.Lock, e.Client, false
	case events.Write:
		return e.Lock, "", false
	case events.Read:
		return e.Lock, "", false
	case events.Inspect:
		return e.Lock, "", false
	case events.Status:
		return "", e.Client, false
	case events.Repeat:
		return "", "", true
	}
	return "", "", false
}

// circle is a set of locks and clients.
type circle struct{ locks, clients map[string]bool }

// around is the circle of the event's own lock, or of its client.
func around(e events.Event) circle {
	lock, client, _ := named(e)
	c := circle{map[string]bool{}, map[string]bool{}}
	if lock != "" {
		c.locks[lock] = true
	} else if client != "" {
		c.clients[client] = true
	}
	return c
}

// touches tells whether an event has to do with the circle.
func (c circle) touches(e events.Event) bool {
	lock, client, anything := named(e)
	return anything || c.locks[lock] || c.clients[client]
}

// widen takes in the locks and clients of all events that touch the circle. It
// tells whether there were new ones.
func (c circle) widen(entries []diagnose.Entry) bool {
	locks, clients := map[string]bool{}, map[string]bool{}
	for i := range entries {
		if !c.touches(entries[i].Event) {
			continue
		}
		lock, client, _ := named(entries[i].Event)
		if lock != "" && !c.locks[lock] {
			locks[lock] = true
		}
		if client != "" && !c.clients[client] {
			clients[client] = true
		}
	}
	for lock := range locks {
		c.locks[lock] = true
	}
	for client := range clients {
		c.clients[client] = true
	}
	return len(locks)+len(clients) > 0
}

// within are the indices of the entries that touch the circle.
func (c circle) within(entries []diagnose.Entry) (indices []int) {
	for i := range entries {
		if c.touches(entries[i].Event) {
			indices = append(indices, i)
		}
	}
	return indices
}
