package fsm

import (
	"fmt"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
	"github.com/stretchr/testify/require"
)

// sound returns a machine at instant 10 in which everything is in use, and the
// names of what is in it:
//
//	excl    held by amy (first client, first lock), awaited by bob
//	shared  read by cat, dan and gil, awaited by eve
//	idle    held once, and written to under the tokens 1 and 2
//
// amy also holds more. fay is registered and has nothing.
func sound(t *testing.T) *Machine {
	s, err := New(events.Current)
	require.NoError(t, err)
	m := NewMachine(s)
	for _, e := range []events.Event{
		events.Acquire{At: 0, Client: "amy", Lock: "excl", TTL: 100, Mode: events.Exclusive},
		events.Acquire{At: 0, Client: "cat", Lock: "shared", TTL: 100, Mode: events.Shared},
		events.Acquire{At: 0, Client: "dan", Lock: "shared", TTL: 90, Mode: events.Shared},
		events.Acquire{At: 0, Client: "gil", Lock: "shared", TTL: 95, Mode: events.Shared},
		events.Acquire{At: 1, Client: "bob", Lock: "excl", TTL: 5, Mode: events.Exclusive},
		events.Acquire{At: 1, Client: "eve", Lock: "shared", TTL: 5, Mode: events.Exclusive},
		events.Acquire{At: 2, Client: "fay", Lock: "idle", TTL: 1, Mode: events.Exclusive},
		events.Acquire{At: 3, Client: "amy", Lock: "more", TTL: 100, Mode: events.Exclusive},
		events.Write{At: 4, Lock: "idle", Key: "k", Value: "v", Token: 1},
		events.Write{At: 10, Lock: "idle", Key: "l", Value: "w", Token: 2},
	} {
		_, refused := m.Apply(e).Answer.(events.Refusal)
		require.False(t, refused)
	}
	require.NoError(t, Check(m.State()))
	return m
}

func (m *Machine) lockNamed(name string) *lock { return m.locks.edit(m.owner, m.locks.number(name)) }
func (m *Machine) clientNamed(name string) *client {
	return m.clients.edit(m.owner, m.clients.number(name))
}

// damages are ways to break a state, each listed under the invariant that must
// be the first to be missed.
var damages = map[int]map[string]func(*Machine){
	1: {
		"a request without end":                  func(m *Machine) { waiting(m, func(w *waiter) { w.ttl = events.Current.MaxTTL() + 1 }) },
		"a request for no time":                  func(m *Machine) { waiting(m, func(w *waiter) { w.ttl = 0 }) },
		"the clock runs past the end of a lease": func(m *Machine) { m.clock = 100 },
	},
	2: {
		"a writer among readers": func(m *Machine) {
			l := m.lockNamed("shared")
			m.insertLease(m.locks.number("shared"), l, m.clientNamed("fay"),
				&lease{client: m.clients.number("fay"), mode: events.Exclusive, token: m.issue(l), expires: 50, turn: m.turns})
		},
		"readers in edition 1":       func(m *Machine) { m.rules.Edition = events.Edition1 },
		"a mode that does not exist": func(m *Machine) { m.lockNamed("excl").first.mode = 3 },
	},
	3: {
		"a waiter for a free lock": func(m *Machine) {
			m.enqueue(m.locks.number("idle"), m.clients.number("fay"), events.Exclusive, 5)
		},
		"a reader at the head behind readers": func(m *Machine) {
			m.dequeue(m.clients.number("eve"))
			m.enqueue(m.locks.number("shared"), m.clients.number("fay"), events.Shared, 5)
		},
	},
	4: {
		"a token that was never issued": func(m *Machine) { m.lockNamed("excl").counter = 0 },
		"a lease of a turn to come":     func(m *Machine) { m.turns = 2 },
		"a request of a turn to come":   func(m *Machine) { m.turns = 4; m.endLease(m.locks.number("more"), 1, events.CauseRelease) },
		"two of one turn": func(m *Machine) {
			h := m.lockNamed("excl").lease(1)
			m.lockNamed("more").first.turn = h.turn
			m.schedule(m.locks.number("more"), m.lockNamed("more"))
		},
		"a later token of an earlier turn": func(m *Machine) {
			l := m.lockNamed("shared")
			h := l.lease(2)
			h.turn = 1
			l.crowded(m.owner).byToken.Put(m.owner, 2, h)
		},
	},
	5: {
		"two locks of one client in edition 2":         func(m *Machine) { m.rules.Edition = events.Edition2 },
		"a holder that does not know":                  func(m *Machine) { m.clientNamed("amy").drop(m.owner, m.locks.number("excl")) },
		"a holder that knows another token":            func(m *Machine) { m.clientNamed("amy").first.token = 7 },
		"a client that believes to hold":               func(m *Machine) { m.clientNamed("fay").first = hold{1, 1} },
		"a waiter that does not know":                  func(m *Machine) { m.clientNamed("bob").waits = 0 },
		"a waiter that stands elsewhere":               func(m *Machine) { m.clientNamed("bob").ticket++ },
		"a client that believes to wait":               func(m *Machine) { m.clientNamed("fay").waits = 1 },
		"a client that waits for a lock that it holds": func(m *Machine) { m.enqueue(1, m.clients.number("amy"), events.Exclusive, 5) },
	},
	6: {
		"a holder without age":       func(m *Machine) { m.clientNamed("amy").age = 0 },
		"a waiter without age":       func(m *Machine) { m.clientNamed("bob").age = 0 },
		"two of one age":             func(m *Machine) { m.clientNamed("bob").age = m.clientNamed("amy").age },
		"an age to come":             func(m *Machine) { m.clientNamed("fay").age = m.ages + 1 },
		"an age below all":           func(m *Machine) { m.clientNamed("fay").age = -1 },
		"fewer registered than ages": func(m *Machine) { m.ages-- },
	},
	7: {
		"two that wait for each other": func(m *Machine) {
			m.enqueue(m.locks.number("shared"), m.clients.number("amy"), events.Exclusive, 5)
			m.enqueue(m.locks.number("excl"), m.clients.number("cat"), events.Exclusive, 5)
		},
	},
	8: {
		"a name that the index does not find": func(m *Machine) { m.clientNamed("fay").name = "gus" },
		"a name with the hash of another":     func(m *Machine) { m.lockNamed("idle").hash.Lo++ },
		"remains of a lease":                  func(m *Machine) { m.lockNamed("idle").first.token = 1 },
		"a lease that will never lapse":       func(m *Machine) { m.lapses.Clear(m.owner, 1) },
		"a lease that will lapse too early":   func(m *Machine) { m.lapses.Set(m.owner, 1, persist.Due{At: 50, Turn: 1}) },
		"a lapse of no lease":                 func(m *Machine) { m.lapses.Set(m.owner, m.locks.number("idle"), persist.Due{At: 50, Turn: 1}) },
		"a lapse of no lock":                  func(m *Machine) { m.lapses.Set(m.owner, 77, persist.Due{At: 50, Turn: 1}) },
		"a crowd of nobody":                   func(m *Machine) { m.lockNamed("excl").crowded(m.owner) },
		"a crowd with an end too many": func(m *Machine) {
			m.lockNamed("shared").crowded(m.owner).byEnd.Put(m.owner, end{At: 99, Turn: 77}, 2)
		},
		"a crowd with the wrong end, which is not the first": func(m *Machine) {
			ends := &m.lockNamed("shared").crowded(m.owner).byEnd
			var last end
			var token tokenNumber
			for last, token = range ends.All() {
			}
			ends.Delete(m.owner, last)
			ends.Put(m.owner, end{At: last.At + 1, Turn: last.Turn}, token)
		},
	},
	9: {
		"a sum of other rows":                  func(m *Machine) { m.sum.lo++ },
		"a lease that ends later than summed":  func(m *Machine) { m.lockNamed("idle").counter++ },
		"a value that was changed on the side": func(m *Machine) { m.lockNamed("idle").values.Put(m.owner, "k", "x") },
		"a mark that was changed on the side":  func(m *Machine) { m.lockNamed("idle").mark++ },
		"an age that was changed on the side":  func(m *Machine) { m.ages++; m.clientNamed("fay").age = m.ages },
	},
	10: {
		"a value without a mark": func(m *Machine) { m.lockNamed("idle").mark = 0 },
		"a mark without a value": func(m *Machine) { m.lockNamed("excl").mark = 1 },
	},
}

func waiting(m *Machine, change func(*waiter)) {
	l, place := m.lockNamed("excl"), m.clientNamed("bob").ticket
	w, _ := l.queue.Get(place)
	change(&w)
	l.queue.Put(m.owner, place, w)
}

func TestCheckFindsEveryBrokenInvariant(t *testing.T) {
	for invariant := 1; invariant <= 10; invariant++ {
		require.NotEmpty(t, damages[invariant])
		for what, damage := range damages[invariant] {
			t.Run(fmt.Sprintf("%d: %s", invariant, what), func(t *testing.T) {
				m := sound(t)
				healthy := m.State()
				damage(m)
				var violation *Violation
				require.ErrorAs(t, Check(m.State()), &violation)
				require.Equal(t, invariant, violation.Invariant, violation)
				require.ErrorContains(t, violation, fmt.Sprintf("fsm: invariant %d is broken: ", invariant))
				require.NoError(t, Check(healthy), "the state that it was forked from")
			})
		}
	}
}

func TestCheckAcceptsSoundStates(t *testing.T) {
	fresh, err := New(events.Current)
	require.NoError(t, err)
	require.NoError(t, Check(fresh))
	s := sound(t).State()
	for ts := int64(10); ts <= 120; ts++ {
		require.NoError(t, Check(s.At(ts)))
	}
}
