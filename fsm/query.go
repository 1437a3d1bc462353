package fsm

import "github.com/leasekeeper/leasekeeper/events"

// All queries answer as of the clock of the state; State.At moves it. None
// changes anything.

// Rules returns what the history is judged by.
func (s State) Rules() events.Rules { return s.rules }

// Sequence is the number of events applied: the sequence of the last one.
func (s State) Sequence() uint64 { return s.sequence }

// Clock is the instant of the state in ticks; started is false before the
// first event that had one.
func (s State) Clock() (ts int64, started bool) { return s.clock, s.started }

// Fingerprint returns the fingerprint of the content in O(1): it is kept up to
// date as rows change. The sequence of the last event is not part of it, so
// looking at a state does not change it unless the clock moves.
func (s State) Fingerprint() Fingerprint { return s.fingerprint() }

// Fingerprint returns the fingerprint of the current state in O(1).
func (m *Machine) Fingerprint() Fingerprint { return m.fingerprint() }

// Sequence is the number of events applied so far.
func (m *Machine) Sequence() uint64 { return m.sequence }

// Clock is the instant of the current state, as State.Clock.
func (m *Machine) Clock() (ts int64, started bool) { return m.clock, m.started }

// Holders returns a lock's leases by token (R21). O(their number).
func (s State) Holders(lock string) []events.Holder { return s.holders(lock) }

// Queue returns the requests that wait for a lock, oldest first (R21).
// O(their number).
func (s State) Queue(lock string) []events.Waiter { return s.queue(lock) }

// Client returns a client's age, its leases and what it waits for (R22).
func (s State) Client(name string) events.ClientView { return s.status(name) }

// Value returns the last value that the store accepted for a key under a
// lock (R6).
func (s State) Value(lock, key string) (text string, ok bool) { return s.value(lock, key) }

// Mark returns the highest token that the store has accepted for a lock, 0 if
// none (R6).
func (s State) Mark(lock string) int64 {
	if number := s.locks.number(lock); number != 0 {
		return s.locks.at(number).mark
	}
	return 0
}

// Issued returns how many tokens a lock has given out, which is the highest of
// them; 0 if nobody ever held it (R5).
func (s State) Issued(lock string) int64 {
	if number := s.locks.number(lock); number != 0 {
		return s.locks.at(number).counter
	}
	return 0
}

// NextExpiry is the instant at which the next lease ends if nothing renews or
// releases it; ok is false if nobody holds anything. O(log locks).
func (s State) NextExpiry() (ts int64, ok bool) {
	_, next, ok := s.lapses.First()
	return next.At, ok
}

// WaitsFor lists the clients that a client waits for (R16): the holders of the
// lock it waits for, by token, then those ahead of it in the queue, oldest
// first. It is empty for a client that waits for nothing.
func (s State) WaitsFor(name string) []string {
	number := s.clients.number(name)
	if number == 0 || s.clients.at(number).waits == 0 {
		return nil
	}
	c := s.clients.at(number)
	l := s.locks.at(c.waits)
	var blockers []string
	for h := range l.leases() {
		blockers = append(blockers, s.clients.name(h.client))
	}
	for turn, w := range l.queue.All() {
		if turn == c.ticket {
			break
		}
		blockers = append(blockers, s.clients.name(w.client))
	}
	return blockers
}
