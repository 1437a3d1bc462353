package explore

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// reader takes snapshots. It keeps memory between them.
type reader struct {
	turns []uint64
	dump  naive.Dump
}

// state takes a snapshot of a state of fsm.
func (r *reader) state(s *snapshot, of fsm.State) {
	s.reset()
	s.clock, s.started = of.Clock()
	s.registrations = of.Counters().Ages
	for row := range of.Clients() {
		s.setAge(row.Name, row.Age)
	}
	r.turns = r.turns[:0]
	for row := range of.Locks() {
		s.addLock(row)
		name := number(lockNames[:], row.Name)
		for _, l := range row.Leases {
			r.addLease(s, l.Turn, lease{name, number(clientNames[:], l.Client), l.Mode, l.Token, l.ExpiresAt})
		}
		for _, q := range row.Queue {
			s.requests = append(s.requests, request{name, number(clientNames[:], q.Client), q.Mode, q.TTL})
		}
	}
}

// addLease enters a lease where its turn puts it.
func (r *reader) addLease(s *snapshot, turn uint64, l lease) {
	at := len(r.turns)
	for at > 0 && r.turns[at-1] > turn {
		at--
	}
	r.turns = slices.Insert(r.turns, at, turn)
	s.leases = slices.Insert(s.leases, at, l)
}

func (s *snapshot) addLock(row fsm.LockRow) {
	at := s.lock(row.Name)
	if at == nil {
		return
	}
	at.counter, at.mark = row.Counter, row.Mark
	for _, v := range row.Values {
		s.setValue(at, v.Key, v.Value)
	}
}

// lock is the entry of a lock by name, or nil if there should be no such lock.
func (s *snapshot) lock(name string) *lock {
	if n := number(lockNames[:], name); n != unknown {
		return &s.locks[n]
	}
	s.strangers++
	return nil
}

func (s *snapshot) setAge(client string, age int64) {
	if n := number(clientNames[:], client); n != unknown {
		s.ages[n] = age
		return
	}
	s.strangers++
}

func (s *snapshot) setValue(at *lock, key, text string) {
	k, v := number(keyNames[:], key), number(valueNames[:], text)
	if k == unknown || v == unknown {
		s.strangers++
		return
	}
	at.values[k] = v
}

// model takes a snapshot of a model.
func (r *reader) model(s *snapshot, of *naive.Model) {
	s.reset()
	of.Dump(&r.dump)
	d := &r.dump
	s.clock, s.started, s.registrations = d.Clock, d.Started, d.Registrations
	for _, age := range d.Ages {
		s.setAge(age.Name, age.Number)
	}
	for _, tokens := range d.Tokens {
		if at := s.lock(tokens.Name); at != nil {
			at.counter = tokens.Number
		}
	}
	for _, mark := range d.Marks {
		if at := s.lock(mark.Name); at != nil && mark.Key == "" {
			at.mark = mark.Number
		}
	}
	for _, v := range d.Values {
		if at := s.lock(v.Lock); at != nil {
			s.setValue(at, v.Key, v.Text)
		}
	}
	for _, l := range d.Leases {
		s.leases = append(s.leases, lease{
			number(lockNames[:], l.Lock), number(clientNames[:], l.Client), l.Mode, l.Token, l.ExpiresAt,
		})
	}
	for _, q := range d.Requests {
		s.requests = append(s.requests, request{
			number(lockNames[:], q.Lock), number(clientNames[:], q.Client), q.Mode, q.TTL,
		})
	}
	slices.SortStableFunc(s.requests, func(a, b request) int { return int(a.lock) - int(b.lock) })
}
