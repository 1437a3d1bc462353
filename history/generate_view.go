package history

import (
	"math"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// none is the number of no client and of no lock.
const none = -1

// view is what has come of a history so far, as its effects tell: what the next
// event is drawn for. Clients and locks are numbered; numbers beyond those of
// the plan belong to names that only the runs of a repeat have brought up.
//
// A view is as of the last event. It does not know what will have lapsed by
// the instant of the next: neither do those who send operations.
type view struct {
	clients []knownClient
	locks   []knownLock
	clock   int64
	before  int64 // the instant at which the clock stood before it last moved
	started bool

	clientNumbers, lockNumbers map[string]int
}

type knownClient struct {
	name    string
	waits   int   // for a lock, or none
	holds   []int // locks
	known   bool  // has a lease, or had one, or has asked for one
	aborted bool  // and has not come back yet
}

type knownLock struct {
	name    string
	holders []knownLease
	queue   []int // clients
	tokens  int64 // granted so far
	mark    int64 // the highest one that was written with
	keys    []string
}

type knownLease struct {
	client    int
	token     int64
	expiresAt int64
}

func (v *view) reset() {
	if v.clientNumbers == nil {
		v.clientNumbers, v.lockNumbers = map[string]int{}, map[string]int{}
	}
	clear(v.clientNumbers)
	clear(v.lockNumbers)
	v.clients, v.locks = v.clients[:0], v.locks[:0]
	v.clock, v.before, v.started = 0, 0, false
}

// client is the number of a client's name, a new one if need be.
func (v *view) client(name string) int {
	number, ok := v.clientNumbers[name]
	if !ok {
		number = len(v.clients)
		v.clientNumbers[name] = number
		v.clients = slices.Grow(v.clients, 1)[:number+1]
		c := &v.clients[number]
		*c = knownClient{name: name, waits: none, holds: c.holds[:0]}
	}
	return number
}

// lock is the number of a lock's name, a new one if need be.
func (v *view) lock(name string) int {
	number, ok := v.lockNumbers[name]
	if !ok {
		number = len(v.locks)
		v.lockNumbers[name] = number
		v.locks = slices.Grow(v.locks, 1)[:number+1]
		l := &v.locks[number]
		*l = knownLock{name: name, holders: l.holders[:0], queue: l.queue[:0], keys: l.keys[:0]}
	}
	return number
}

// look notes the time.
func (v *view) look(clock int64, started bool) {
	switch {
	case !v.started:
		v.before = clock
	case clock != v.clock:
		v.before = v.clock
	}
	v.clock, v.started = clock, started
}

// learn notes the effects of an event.
func (v *view) learn(effects []events.Effect) {
	for i := range effects {
		switch e := &effects[i]; e.Kind {
		case events.EffectGranted:
			v.granted(e)
		case events.EffectQueued:
			client, lock := v.client(e.Client), v.lock(e.Lock)
			v.locks[lock].queue = append(v.locks[lock].queue, client)
			c := &v.clients[client]
			c.waits, c.known, c.aborted = lock, true, false
		case events.EffectRenewed:
			holders := v.locks[v.lock(e.Lock)].holders
			if i := slices.IndexFunc(holders, func(h knownLease) bool { return h.token == e.Token }); i >= 0 {
				holders[i].expiresAt = e.ExpiresAt
			}
		case events.EffectReleased, events.EffectExpired:
			v.ended(e)
		case events.EffectWithdrawn:
			v.leaves(v.client(e.Client))
		case events.EffectAborted:
			c := &v.clients[v.client(e.Client)]
			c.known, c.aborted = false, true
		case events.EffectWritten:
			l := &v.locks[v.lock(e.Lock)]
			l.mark = e.Token
			if !slices.Contains(l.keys, e.Key) {
				l.keys = append(l.keys, e.Key)
			}
		}
	}
}

func (v *view) granted(e *events.Effect) {
	client, lock := v.client(e.Client), v.lock(e.Lock)
	v.leaves(client)
	c, l := &v.clients[client], &v.locks[lock]
	c.holds = append(c.holds, lock)
	c.known, c.aborted = true, false
	l.holders = append(l.holders, knownLease{client, e.Token, e.ExpiresAt})
	l.tokens = e.Token
}

func (v *view) ended(e *events.Effect) {
	client, lock := v.client(e.Client), v.lock(e.Lock)
	c, l := &v.clients[client], &v.locks[lock]
	c.holds = slices.DeleteFunc(c.holds, func(held int) bool { return held == lock })
	l.holders = slices.DeleteFunc(l.holders, func(h knownLease) bool { return h.token == e.Token })
}

// leaves takes a client out of the queue that it stands in, if it does.
func (v *view) leaves(client int) {
	c := &v.clients[client]
	if c.waits == none {
		return
	}
	l := &v.locks[c.waits]
	l.queue = slices.DeleteFunc(l.queue, func(waiter int) bool { return waiter == client })
	c.waits = none
}

// holds tells whether a client has a lease on a lock.
func (v *view) holds(client, lock int) bool { return slices.Contains(v.clients[client].holds, lock) }

// nextEnd is when the next lease ends.
func (v *view) nextEnd() (instant int64, ok bool) {
	instant = math.MaxInt64
	for i := range v.locks {
		for _, lease := range v.locks[i].holders {
			instant, ok = min(instant, lease.expiresAt), true
		}
	}
	return instant, ok
}
