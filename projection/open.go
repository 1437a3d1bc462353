package projection

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// open is what is going on: the leases in force and the requests that wait, as
// the effects tell. It knows nothing of the rules; effects that do not fit
// what came before are a panic.
//
// A projection may keep something of its own, X, with every lock.
type open[X any] struct {
	cursor
	began   Moment // of rows that were there at the beginning
	locks   map[string]*lock[X]
	waiting map[string]*waiting // by client, which waits for one lock at most (R14)
}

type lock[X any] struct {
	name       string
	leases     []*Lease // by token
	head, tail *waiting // the queue
	queued     int
	own        X
}

// waiting is a Wait in its queue.
type waiting struct {
	Wait
	ahead, behind *waiting
}

// openAt is what is going on in a state, for the locks that the filter passes.
// seed, if it is not nil, is called for each of them.
func openAt[X any](s fsm.State, f *filter, seed func(*lock[X], *fsm.LockRow)) *open[X] {
	o := &open[X]{
		cursor:  cursor{s.Sequence()},
		began:   earlierThan(s),
		locks:   map[string]*lock[X]{},
		waiting: map[string]*waiting{},
	}
	for row := range s.Locks() {
		if !f.lock(row.Name) {
			continue
		}
		l := o.lock(row.Name)
		for _, h := range row.Leases {
			l.leases = append(l.leases, &Lease{
				Lock: row.Name, Client: h.Client, Mode: h.Mode, Token: h.Token, Began: o.began, ExpiresAt: h.ExpiresAt,
			})
		}
		for _, r := range row.Queue {
			o.join(l, &waiting{Wait: Wait{Lock: row.Name, Client: r.Client, Mode: r.Mode, Began: o.began}})
		}
		if seed != nil {
			seed(l, &row)
		}
	}
	return o
}

// lock returns what is kept of a lock.
func (o *open[X]) lock(name string) *lock[X] {
	l := o.locks[name]
	if l == nil {
		l = &lock[X]{name: name}
		o.locks[name] = l
	}
	return l
}

// granted begins a lease. If its request had waited, it also ends that wait.
func (o *open[X]) granted(e *events.Effect, at Moment) (*lock[X], *Lease, *Wait) {
	l := o.lock(e.Lock)
	granted := &Lease{
		Lock: l.name, Client: e.Client, Mode: e.Mode, Token: e.Token, Began: at, Why: e.Cause, ExpiresAt: e.ExpiresAt,
	}
	l.leases = append(l.leases, granted) // a grant has the highest token (R5)
	if e.Cause == events.CauseFree {
		return l, granted, nil
	}
	fits(l.head != nil && l.head.Client == e.Client, e)
	w := o.leave(l, l.head, at, WasGranted)
	w.Token = e.Token
	return l, granted, w
}

// renewed gives a lease a new end, and returns the one that it had.
func (o *open[X]) renewed(e *events.Effect) (renewed *Lease, before int64) {
	l := o.lock(e.Lock)
	i, ok := l.find(e.Token)
	fits(ok, e)
	renewed = l.leases[i]
	before = renewed.ExpiresAt
	renewed.ExpiresAt = e.ExpiresAt
	renewed.Renewals++
	return renewed, before
}

// ended ends a lease that was released, aborted or has lapsed.
func (o *open[X]) ended(e *events.Effect, at Moment) (*lock[X], *Lease) {
	l := o.lock(e.Lock)
	i, ok := l.find(e.Token)
	fits(ok && l.leases[i].Client == e.Client, e)
	ended := l.leases[i]
	l.leases = slices.Delete(l.leases, i, i+1)
	ended.Ended, ended.How = at, e.Cause
	return l, ended
}

// queued begins a wait.
func (o *open[X]) queued(e *events.Effect, at Moment) (*lock[X], *waiting) {
	l := o.lock(e.Lock)
	w := &waiting{Wait: Wait{Lock: l.name, Client: e.Client, Mode: e.Mode, Began: at}}
	o.join(l, w)
	fits(w.Position == e.Position, e)
	return l, w
}

// withdrawn ends a wait without a grant.
func (o *open[X]) withdrawn(e *events.Effect, at Moment) (*lock[X], *Wait) {
	l, w := o.lock(e.Lock), o.waiting[e.Client]
	fits(w != nil && w.Lock == e.Lock, e)
	if e.Cause == events.CauseAbort {
		return l, o.leave(l, w, at, WasAborted)
	}
	return l, o.leave(l, w, at, WasWithdrawn)
}

func (o *open[X]) join(l *lock[X], w *waiting) {
	l.queued++
	w.Position = l.queued
	w.ahead = l.tail
	if l.tail == nil {
		l.head = w
	} else {
		l.tail.behind = w
	}
	l.tail = w
	o.waiting[w.Client] = w
}

func (o *open[X]) leave(l *lock[X], w *waiting, at Moment, ending Ending) *Wait {
	if w.ahead == nil {
		l.head = w.behind
	} else {
		w.ahead.behind = w.behind
	}
	if w.behind == nil {
		l.tail = w.ahead
	} else {
		w.behind.ahead = w.ahead
	}
	l.queued--
	delete(o.waiting, w.Client)
	w.Ended, w.Ending = at, ending
	return &w.Wait
}

// find returns the index of the lease in force that has the token.
func (l *lock[X]) find(token int64) (index int, ok bool) { return findLease(l.leases, token) }

// findLease returns the index of a token in leases that are sorted by it.
func findLease(leases []*Lease, token int64) (index int, ok bool) {
	return slices.BinarySearchFunc(leases, token, func(h *Lease, token int64) int {
		return cmp.Compare(h.Token, token)
	})
}

// holder is the client whose lease in force has the token, "" if there is none.
func (o *open[X]) holder(lock string, token int64) string {
	if l := o.locks[lock]; l != nil {
		if i, ok := l.find(token); ok {
			return l.leases[i].Client
		}
	}
	return ""
}

// fits panics if an effect does not fit what came before.
func fits(ok bool, e *events.Effect) {
	if !ok {
		panic(fmt.Sprintf("projection: event %d does not go on from the state that the projection began at: %s", e.Sequence, e))
	}
}
