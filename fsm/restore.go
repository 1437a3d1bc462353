package fsm

import (
	"errors"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// ErrRestore is what every error of a Restorer matches.
var ErrRestore = errors.New("fsm: rows do not make up a state")

// Restorer builds a State from the rows of another one: what Whole, Clients and
// Locks yield. It trusts nothing: rows that could not
// stand in a state are refused, and Finish checks every invariant. It is not
// safe for concurrent use.
type Restorer struct {
	m *Machine
}

// Whole is what a state has beside its rows.
type Whole struct {
	Rules    events.Rules
	Sequence uint64
	Clock    int64
	Started  bool
	Counters Counters
}

// Whole returns what the state has beside its rows.
func (s State) Whole() Whole {
	return Whole{s.rules, s.sequence, s.clock, s.started, s.Counters()}
}

// NewRestorer begins a state.
func NewRestorer(w Whole) (*Restorer, error) {
	s, err := New(w.Rules)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRestore, err)
	}
	if w.Sequence > maxCount || w.Counters.Turns > maxCount || w.Counters.Ages > maxCount {
		return nil, refused("counters beyond any that a service could reach")
	}
	if !w.Started && (w.Clock != 0 || w.Counters != Counters{}) || w.Clock > w.Rules.MaxInstant() || w.Counters.Ages < 0 {
		return nil, refused("clock %d (started: %v) with %d registrations", w.Clock, w.Started, w.Counters.Ages)
	}
	m := NewMachine(s)
	m.sequence, m.clock, m.started = w.Sequence, w.Clock, w.Started
	m.turns, m.ages = w.Counters.Turns, w.Counters.Ages
	return &Restorer{m}, nil
}

// maxCount bounds what a state counts up. Nobody reaches it by events, and
// whoever starts below it will not overflow.
const maxCount = 1 << 62

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRestore}, args...)...)
}

// Client adds a registered client. All clients come before the first lock.
func (r *Restorer) Client(row ClientRow) error {
	m := r.m
	if !m.started || !events.IsText(row.Name) || row.Age < 1 || m.clients.number(row.Name) != 0 {
		return refused("client %q of age %d", row.Name, row.Age)
	}
	c := m.clients.edit(m.owner, m.clients.add(m.owner, row.Name))
	c.age = row.Age
	m.sum.add(ageRow(c))
	return nil
}

// Lock adds a lock with its leases, its queue and its stored values.
func (r *Restorer) Lock(row LockRow) error {
	m := r.m
	if !events.IsText(row.Name) || row.Counter < 0 || row.Counter > maxCount || row.Mark < 0 || m.locks.number(row.Name) != 0 {
		return refused("lock %q with counter %d and mark %d", row.Name, row.Counter, row.Mark)
	}
	if !m.started || row.Counter == 0 && row.Mark == 0 {
		return refused("lock %q, which nobody has used", row.Name)
	}
	number := m.locks.add(m.owner, row.Name)
	l := m.locks.edit(m.owner, number)
	if l.counter = row.Counter; l.counter > 0 {
		m.sum.add(counterRow(l))
	}
	if l.mark = row.Mark; l.mark > 0 {
		m.sum.add(markRow(l))
	}
	for _, h := range row.Leases {
		if err := r.lease(number, l, h); err != nil {
			return err
		}
	}
	for _, w := range row.Queue {
		if err := r.request(number, l, w); err != nil {
			return err
		}
	}
	for _, v := range row.Values {
		if _, there := l.values.Get(storeKey(v.Key)); there || !events.IsText(v.Key) || !events.IsText(v.Value) {
			return refused("key %q of lock %q", v.Key, l.name)
		}
		l.values.Put(m.owner, storeKey(v.Key), v.Value)
		m.sum.add(valueRow(l, v.Key, v.Value))
	}
	return nil
}

func (r *Restorer) lease(number uint32, l *lock, h Lease) error {
	m := r.m
	who := m.clients.number(h.Client)
	if who == 0 || h.Turn == 0 || h.Token < 1 || h.Token <= l.first.token || l.lease(h.Token).client != 0 {
		return refused("lease of %q on %q under token %d", h.Client, l.name, h.Token)
	}
	c := m.clients.edit(m.owner, who)
	if c.token(number) != 0 {
		return refused("%q holds %q twice", h.Client, l.name)
	}
	m.insertLease(number, l, c, &lease{who, h.Mode, h.Token, h.ExpiresAt, h.Turn})
	return nil
}

func (r *Restorer) request(number uint32, l *lock, w Request) error {
	m := r.m
	who := m.clients.number(w.Client)
	if who == 0 || w.Turn == 0 || m.clients.at(who).waits != 0 {
		return refused("request of %q for %q", w.Client, l.name)
	}
	if _, taken := l.queue.Get(ticket(w.Turn)); taken {
		return refused("two requests for %q in turn %d", l.name, w.Turn)
	}
	m.insertRequest(number, l, m.clients.edit(m.owner, who), ticket(w.Turn), waiter{who, w.Mode, w.TTL})
	return nil
}

// Finish returns the state if it keeps every invariant. The Restorer must not
// be used afterwards.
func (r *Restorer) Finish() (State, error) {
	s := r.m.State()
	if err := Check(s); err != nil {
		return State{}, fmt.Errorf("%w: %w", ErrRestore, err)
	}
	return s, nil
}
