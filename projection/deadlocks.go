package projection

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Deadlock is a request that closed a cycle of the wait-for graph, and what was
// done about it (R16 to R20).
type Deadlock struct {
	// At is when the request joined the queue.
	At        Moment
	Requester string
	// Lock is what it asked for.
	Lock string
	// Members are all clients that lay on a cycle through the requester, which
	// is one of them, as it stood before the first abort; the oldest first.
	Members []Member
	// Victims are the clients that were aborted, in that order. Each is a
	// member.
	Victims []Victim
	// Ending is what the aborts did for the request: WasGranted, WasAborted
	// with the requester itself, or StillWaiting.
	Ending Ending
}

// Victim is a client that was aborted to break a deadlock.
type Victim struct {
	Client string
	Age    int64
	At     Moment
	// Freed is what it had: first the request that it waited with, then its
	// leases by lock (R19).
	Freed []Freed
}

// Freed is what an abort took back, and for whom that made way.
type Freed struct {
	Lock  string
	Token int64 // of the lease; 0 for a request
	// Grants are the leases that began because of it, in order.
	Grants []events.Holder
}

// Deadlocks finds the deadlocks of a history. It follows the lock table by the
// effects and searches the wait-for graph only when somebody is aborted, which
// takes time linear in the clients that are reached.
type Deadlocks struct {
	open    *open[struct{}]
	ages    ages
	pass    func(Deadlock)
	count   uint64
	request *waiting  // the last that joined a queue
	going   *Deadlock // whose aborts are being told
}

// NewDeadlocks begins at a state. Each deadlock is passed to the sink, unless
// that is nil.
func NewDeadlocks(state fsm.State, sink func(Deadlock)) *Deadlocks {
	return &Deadlocks{
		open: openAt[struct{}](state, newFilter(Filter{}), nil), ages: agesAt(state), pass: sink,
	}
}

// Count is how many deadlocks there were so far.
func (d *Deadlocks) Count() uint64 { return d.count }

// Apply implements Projection.
func (d *Deadlocks) Apply(s *Step) {
	d.open.next(s)
	for i := range s.Result.Effects {
		e := &s.Result.Effects[i]
		d.ages.registers(e)
		if e.Cause != events.CauseAbort {
			d.end() // of what the aborts of an earlier run of a repeat did
		}
		d.effect(e, momentOf(e, i))
	}
	d.end()
	d.request = nil
}

func (d *Deadlocks) effect(e *events.Effect, at Moment) {
	switch e.Kind {
	case events.EffectQueued:
		_, d.request = d.open.queued(e, at)
	case events.EffectAborted:
		d.abort(e, at)
	case events.EffectGranted:
		d.open.granted(e, at)
		if e.Cause == events.CauseAbort {
			d.granted(e)
		}
	case events.EffectWithdrawn:
		d.open.withdrawn(e, at)
		if e.Cause == events.CauseAbort {
			d.freed(e)
		}
	case events.EffectReleased, events.EffectExpired:
		d.open.ended(e, at)
		if e.Cause == events.CauseAbort {
			d.freed(e)
		}
	case events.EffectRenewed:
		d.open.renewed(e)
	}
}

// abort begins the account of a victim; with the first one, that of a deadlock.
func (d *Deadlocks) abort(e *events.Effect, at Moment) {
	if d.going == nil {
		fits(d.request != nil && !d.request.Ended.Happened(), e)
		r := d.request
		d.going = &Deadlock{
			At: r.Began, Requester: r.Client, Lock: r.Lock, Members: d.open.members(d.open.cycle(r), &d.ages),
		}
	}
	if e.Client == d.going.Requester {
		d.going.Ending = WasAborted
	}
	d.going.Victims = append(d.going.Victims, Victim{Client: e.Client, Age: d.ages.aborted(e.Client), At: at})
}

// freed notes what the victim lost.
func (d *Deadlocks) freed(e *events.Effect) {
	fits(d.going != nil, e)
	v := &d.going.Victims[len(d.going.Victims)-1]
	v.Freed = append(v.Freed, Freed{Lock: e.Lock, Token: e.Token})
}

// granted notes for whom that made way.
func (d *Deadlocks) granted(e *events.Effect) {
	fits(d.going != nil, e)
	v := &d.going.Victims[len(d.going.Victims)-1]
	fits(len(v.Freed) > 0, e)
	f := &v.Freed[len(v.Freed)-1]
	f.Grants = append(f.Grants, events.Holder{Client: e.Client, Mode: e.Mode, Token: e.Token, ExpiresAt: e.ExpiresAt})
	if e.Client == d.going.Requester {
		d.going.Ending = WasGranted
	}
}

// end ends the account of a deadlock, if there is one.
func (d *Deadlocks) end() {
	if d.going == nil {
		return
	}
	d.count++
	if d.pass != nil {
		d.pass(*d.going)
	}
	d.going = nil
}
