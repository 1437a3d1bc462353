package explain

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Place says where in a history a question is asked: after an event, 0 being
// before the first; or else at an instant; or else at the end.
type Place struct {
	After *uint64
	At    *int64
}

// Lock is a lock that somebody holds, or waits for.
type Lock struct {
	Name    string    `json:"lock"`
	Holders []Fact    `json:"holders,omitempty"` // of the kind held, by token
	Waiters []Waiting `json:"waiters,omitempty"` // oldest first
}

// Waiting is a request that waits.
type Waiting struct {
	Fact // of the kind waits
	// Waited is how long it has waited so far, in ticks; nil if it is not known
	// since when.
	Waited *uint64 `json:"waited,omitempty"`
	// Behind is the client that stands directly ahead in the queue, or, at the
	// head of the queue, those who hold the lock, by token. They wait for all
	// whom it waits for beside them (R16).
	Behind []string `json:"behind"`
}

// Tables are the answers to who holds and who waits at a place.
type Tables struct {
	State fsm.State `json:"-"`
	// Instant is the clock, nil if there is none yet; After the last event.
	Instant *int64 `json:"instant,omitempty"`
	After   uint64 `json:"after_event"`
	Locks   []Lock `json:"locks"` // by name
}

// Standing tells who held the named lock and who waited for it, of all locks if
// it is "". Each row says since when, as far as Options allow to look back.
// O(n log n) for all locks of the state.
func Standing(source Source, lock string, where Place, options Options) (*Tables, error) {
	s, err := goTo(source, where, options, focus{lock: lock, all: lock == ""})
	if err != nil {
		return nil, err
	}
	a := &account{scene: s, most: options.most()}
	t := &Tables{State: s.state, After: s.state.Sequence(), Locks: []Lock{}}
	if a.begun {
		t.Instant = &a.clock
	}
	if lock != "" {
		t.Locks = append(t.Locks, a.standing(lock, s.state.Holders(lock), s.state.Queue(lock)))
	} else {
		for row := range s.state.Locks() {
			if len(row.Leases) > 0 {
				t.Locks = append(t.Locks, a.standing(row.Name, s.state.Holders(row.Name), s.state.Queue(row.Name)))
			}
		}
	}
	_, err = a.finish()
	return t, err
}

// standing are the rows of one lock.
func (a *account) standing(lock string, holders []events.Holder, queue []events.Waiter) Lock {
	l := Lock{Name: lock}
	for _, h := range holders {
		l.Holders = append(l.Holders, tell("held", a.held(lock, h)))
	}
	for i, w := range queue {
		row := Waiting{Fact: tell("waits", a.waits(lock, w, i+1))}
		if row.Instant != nil {
			waited := uint64(a.clock) - uint64(*row.Instant) // may be longer than an int64 can say
			row.Waited = &waited
		}
		if i > 0 {
			row.Behind = []string{queue[i-1].Client}
		} else {
			for _, h := range holders {
				row.Behind = append(row.Behind, h.Client)
			}
		}
		l.Waiters = append(l.Waiters, row)
	}
	return l
}

// goTo goes to a place.
func goTo(source Source, where Place, options Options, f focus) (*scene, error) {
	if where.At != nil {
		return atInstant(source, *where.At, options.budget(), f)
	}
	last := source.Last()
	if where.After != nil {
		last = *where.After
	}
	p, state, err := begin(source, f, options.budget(), func(s Start) bool { return s.Sequence <= last })
	if err != nil {
		return nil, err
	}
	if last > state.Sequence() {
		if state, err = source.Replay(state, last, nil, p.now().step); err != nil {
			return nil, err
		}
	}
	s := &scene{past: p, before: state, state: state}
	s.clock, s.begun = state.Clock()
	return s, nil
}
