package explain

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// focus is what is asked about: a lock, a client, or both. A trail follows what
// happens on the lock, and the client's registrations and aborts; if all is
// true, also what is going on elsewhere.
type focus struct {
	lock, client string
	all          bool
}

// on and of tell whether an effect is about the lock, or the client.
func (f *focus) on(e *events.Effect) bool { return e.Lock == f.lock && f.lock != "" }
func (f *focus) of(e *events.Effect) bool { return e.Client == f.client && f.client != "" }

// place is a lock and a client, or a lock and a key of the store.
type place struct{ lock, name string }

// grantNumber is a grant of a lock.
type grantNumber struct {
	lock  string
	token int64
}

// career is what a trail knows of one lease.
type career struct {
	began *events.Effect // nil if before the trail
	freed *events.Effect // what made way for it, nil if it was granted on the spot
	ended *events.Effect
	next  []events.Effect // the grants that its end brought
}

// trail follows the effects of a stretch of events: since when and because of
// what there is what there is. Its memory is bounded by the state, and for the
// locks and clients in focus it grows with what happened to them.
type trail struct {
	rules   events.Rules
	begin   fsm.State // after the event before the stretch
	focus   focus
	leases  map[place]*career // in force
	waits   map[string]events.Effect
	ages    map[string]*events.Effect // of registrations; nil if earlier
	aborts  map[string]events.Effect  // the last one of each client
	over    map[place]*career         // the last that ended, in focus
	tokens  map[grantNumber]*career   // of locks in focus
	last    map[string]*career        // the last lease of a lock in focus that ended
	lost    map[string]*career        // the last lease of a client in focus that ended
	marks   map[string]events.Effect  // the writes that raised the marks, in focus
	values  map[place]events.Effect   // the last writes, in focus
	clock   int64
	clockBy uint64           // the event that moved the clock there; 0 if earlier
	free    *events.Effect   // what the present event ended last
	ender   *career          // the lease that this was, if it was one in focus
	mark    map[string]int64 // of locks in focus
}

func newTrail(begin fsm.State, f focus) *trail {
	t := &trail{
		rules: begin.Rules(), begin: begin, focus: f,
		leases: map[place]*career{}, waits: map[string]events.Effect{}, ages: map[string]*events.Effect{},
		aborts: map[string]events.Effect{}, over: map[place]*career{}, tokens: map[grantNumber]*career{},
		last: map[string]*career{}, lost: map[string]*career{}, marks: map[string]events.Effect{}, values: map[place]events.Effect{},
		mark: map[string]int64{},
	}
	t.clock, _ = begin.Clock()
	if f.lock != "" {
		t.mark[f.lock] = begin.Mark(f.lock)
	}
	return t
}

// step follows an event.
func (t *trail) step(s *projection.Step) {
	if s.Started && (s.Clock != t.clock || t.clockBy == 0 && t.begin.Sequence() == 0) {
		t.clock, t.clockBy = s.Clock, s.Result.Sequence
	}
	t.effects(s.Result.Effects)
}

// effects follows what happened.
func (t *trail) effects(list []events.Effect) {
	t.free, t.ender = nil, nil
	for i := range list {
		t.effect(&list[i])
	}
}

func (t *trail) effect(e *events.Effect) {
	if !t.focus.all && !t.focus.on(e) && e.Kind != events.EffectAborted {
		if e.Kind == events.EffectQueued || e.Kind == events.EffectGranted && e.Cause == events.CauseFree {
			t.registers(e)
		}
		return
	}
	at := place{e.Lock, e.Client}
	switch e.Kind {
	case events.EffectGranted:
		t.granted(at, e)
	case events.EffectQueued:
		t.registers(e)
		t.waits[e.Client] = *e
	case events.EffectReleased, events.EffectExpired:
		t.ended(at, e)
	case events.EffectWithdrawn:
		delete(t.waits, e.Client)
		t.free, t.ender = kept(e), nil
	case events.EffectAborted:
		delete(t.ages, e.Client)
		t.aborts[e.Client] = *e
	case events.EffectWritten:
		t.written(e)
	}
}

// kept is a copy of an effect, which lives longer than its event.
func kept(e *events.Effect) *events.Effect {
	c := *e
	return &c
}

func (t *trail) granted(at place, e *events.Effect) {
	c := &career{began: kept(e)}
	if e.Cause == events.CauseFree {
		t.registers(e)
	} else {
		delete(t.waits, e.Client)
		c.freed = t.free
		if t.ender != nil {
			t.ender.next = append(t.ender.next, *e)
		}
	}
	t.leases[at] = c
	if t.focus.on(e) {
		t.tokens[grantNumber{e.Lock, e.Token}] = c
	}
}

// lease is what is known of a lease in force, which may be older than the trail.
func (t *trail) lease(at place, e *events.Effect) *career {
	c := t.leases[at]
	if c == nil {
		c = &career{}
		t.leases[at] = c
		if t.focus.on(e) {
			t.tokens[grantNumber{e.Lock, e.Token}] = c
		}
	}
	return c
}

func (t *trail) ended(at place, e *events.Effect) {
	c := t.lease(at, e)
	delete(t.leases, at)
	c.ended = kept(e)
	t.free, t.ender = c.ended, nil
	if t.focus.on(e) || t.focus.of(e) {
		t.over[at], t.ender = c, c
	}
	if t.focus.on(e) {
		t.last[e.Lock] = c
	}
	if t.focus.of(e) {
		t.lost[e.Client] = c
	}
}

// registers notes the registration of a client that has no age yet (R15).
func (t *trail) registers(e *events.Effect) {
	if !t.focus.all && !t.focus.of(e) {
		return
	}
	if _, known := t.ages[e.Client]; known {
		return
	}
	if _, aborted := t.aborts[e.Client]; !aborted && t.begin.Client(e.Client).Age != 0 {
		t.ages[e.Client] = nil
		return
	}
	t.ages[e.Client] = kept(e)
}

func (t *trail) written(e *events.Effect) {
	if !t.focus.on(e) {
		return
	}
	if e.Token > t.mark[e.Lock] {
		t.mark[e.Lock], t.marks[e.Lock] = e.Token, *e
	}
	t.values[place{e.Lock, e.Key}] = *e
}
