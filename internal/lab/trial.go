package lab

import "github.com/leasekeeper/leasekeeper/events"

// design is how operations are protected.
type design struct {
	name    string
	ttl     int64
	fenced  bool  // the resource compares tokens
	checks  bool  // the client asks whether it holds the lock, and then writes
	gap     int64 // between the two
	counted bool  // the gap takes time of the lease as well
	dead    int64 // who stalls for longer than this never comes back; 0: nobody
}

// A lock, the client that holds it first, and the one that came right after it.
const (
	lock   = "exports/daily"
	holder = "holder"
	heir   = "next"
)

// ended is how one operation ended.
type ended struct {
	lost    bool  // the heir's write was taken, and overwritten by the older one
	refused bool  // the resource refused the holder's write
	wedged  bool  // the heir still waits at the end
	waited  int64 // from the heir's request to its grant, in ticks
}

// patience is how long the heir of a dead holder is watched.
const patience = 3600 * second

// trial is one operation on a service of its own.
type trial struct {
	design
	*stage
	held       grant
	target     resource
	heirServed bool // it has held the lock
	heirWrote  bool // and its write was taken
	ended
}

// try carries out one operation: two clients want a lock at the same instant; the
// first one works, stalls, writes and gives the lock back; the second one writes
// as soon as it holds the lock.
func (d design) try(s *stage, o operation) ended {
	t := trial{design: d, stage: s, target: resource{name: lock, fenced: d.fenced}}
	if !d.fenced {
		t.target.name = "plain"
	}
	t.granted = func(g events.Effect) {
		if g.Client == heir {
			t.waited = g.Instant
		}
	}
	t.held, _ = t.acquire(0, holder, lock, d.ttl)
	t.acquire(0, heir, lock, d.ttl)
	end := t.work(o)
	if !t.wedged && !t.heirLooks(end) && t.held.ends > end {
		end = t.held.ends
		t.heirLooks(end)
	}
	last := t.read(end, t.target)
	t.lost = t.heirWrote && last == holder
	return t.ended
}

// work is what the holder does, and what the heir does meanwhile. It returns the
// instant at which the holder has ended.
func (t *trial) work(o operation) int64 {
	check, write := t.instants(o)
	if t.dead > 0 && o.stall > t.dead {
		_, holds, waiting := t.look(patience, heir, lock)
		t.wedged = !holds && waiting > 0
		return patience
	}
	sure := true
	if t.checks {
		t.heirLooksBy(check)
		_, sure, _ = t.look(check, holder, lock)
	}
	t.heirLooksBy(write)
	if sure {
		t.refused = !t.write(write, t.target, holder, t.held.token)
	}
	if !o.crashes {
		t.release(write, holder, lock)
	}
	return write
}

// instants are when the holder checks and when it writes. The stall begins
// somewhere in the work or in the gap behind the check.
func (t *trial) instants(o operation) (check, write int64) {
	gap := int64(0)
	if t.counted {
		gap = t.gap
	}
	if t.checks && o.where*float64(o.work+t.gap) > float64(o.work) {
		return o.work, o.work + o.stall + gap
	}
	return o.work + o.stall, o.work + o.stall + gap
}

// heirLooksBy lets the heir look when the holder's lease ends, if that is over by
// an instant.
func (t *trial) heirLooksBy(instant int64) {
	if t.held.ends <= instant {
		t.heirLooks(t.held.ends)
	}
}

// heirLooks lets the heir write, once, if it holds the lock by now. It is false
// for an heir that still waits.
func (t *trial) heirLooks(at int64) bool {
	if t.heirServed {
		return true
	}
	g, holds, _ := t.look(at, heir, lock)
	if t.heirServed = holds; holds {
		t.heirWrote = t.write(at, t.target, heir, g.token)
	}
	return holds
}

// trials carries out all operations of a load under a design, each on a fresh
// service, and hands out how they ended. The first that spoils is true of is
// carried out once more, to be written down.
func (b *bench) trials(d design, l load, spoils func(ended) bool, each func(operation, ended)) (*Recording, error) {
	fresh, err := b.stages(events.Microsecond)
	if err != nil {
		return nil, err
	}
	var spoilt *Recording
	for i, o := range l.draw(b.Seed, b.Operations) {
		e := d.try(fresh(), o)
		if each(o, e); spoilt == nil && spoils(e) {
			spoilt = d.recorded(fresh(), o, i, b.Seed)
		}
	}
	return spoilt, nil
}
