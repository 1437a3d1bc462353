package fsm_test

import (
	"math"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// rowsOf is a state taken apart.
type rowsOf struct {
	whole   fsm.Whole
	clients []fsm.ClientRow
	locks   []fsm.LockRow
}

func takeApart(s fsm.State) rowsOf {
	return rowsOf{s.Whole(), slices.Collect(s.Clients()), slices.Collect(s.Locks())}
}

func (r rowsOf) putTogether() (fsm.State, error) {
	restorer, err := fsm.NewRestorer(r.whole)
	if err != nil {
		return fsm.State{}, err
	}
	for _, c := range r.clients {
		if err := restorer.Client(c); err != nil {
			return fsm.State{}, err
		}
	}
	for _, l := range r.locks {
		if err := restorer.Lock(l); err != nil {
			return fsm.State{}, err
		}
	}
	return restorer.Finish()
}

// lock returns the row of a lock by name, for changing.
func (r rowsOf) lock(name string) *fsm.LockRow {
	i := slices.IndexFunc(r.locks, func(l fsm.LockRow) bool { return l.Name == name })
	return &r.locks[i]
}

// furnished is a state with rows of every kind: amy holds L, awaited by bob and
// cat; dan and eve read R; S was written to; fay was there once.
func furnished(t *testing.T) fsm.State {
	return after(t, events.Current,
		events.Acquire{At: 0, Client: "fay", Lock: "S", TTL: 1, Mode: events.Exclusive},
		events.Acquire{At: 1, Client: "amy", Lock: "L", TTL: 90, Mode: events.Exclusive},
		events.Acquire{At: 2, Client: "bob", Lock: "L", TTL: 20, Mode: events.Shared},
		events.Acquire{At: 2, Client: "cat", Lock: "L", TTL: 20, Mode: events.Exclusive},
		events.Acquire{At: 3, Client: "dan", Lock: "R", TTL: 60, Mode: events.Shared},
		events.Acquire{At: 3, Client: "eve", Lock: "R", TTL: 50, Mode: events.Shared},
		events.Acquire{At: 4, Client: "eve", Lock: "Q", TTL: 50, Mode: events.Exclusive},
		events.Write{At: 5, Lock: "S", Key: "k", Value: "v", Token: 1},
	)
}

// A state that was taken apart and put together again is the same state, with
// the same future.
func TestRestoredStatesAreTheSame(t *testing.T) {
	s := furnished(t)
	restored, err := takeApart(s).putTogether()
	require.NoError(t, err)
	require.Empty(t, fsm.Diff(s, restored))
	require.Equal(t, s.Fingerprint(), restored.Fingerprint())
	require.Equal(t, s.Whole(), restored.Whole())
	for ts := int64(5); ts < 150; ts += 5 {
		want, lapsed := s.Lapse(ts)
		got, again := restored.Lapse(ts)
		require.Equal(t, lapsed, again)
		require.Equal(t, want.Fingerprint(), got.Fingerprint())
	}
	empty, err := takeApart(after(t, events.Current)).putTogether()
	require.NoError(t, err)
	require.Equal(t, after(t, events.Current).Fingerprint(), empty.Fingerprint())
}

// Edition 1 has no readers, and nobody who waits to be one (R29).
func TestRestorerRefusesAReaderToBeInEdition1(t *testing.T) {
	rows := takeApart(after(t, events.Rules{Edition: events.Edition2, Unit: events.Second},
		events.Acquire{Client: "amy", Lock: "L", TTL: 5, Mode: events.Exclusive},
		events.Acquire{Client: "bob", Lock: "L", TTL: 5, Mode: events.Shared},
	))
	_, err := rows.putTogether()
	require.NoError(t, err)
	rows.whole.Rules.Edition = events.Edition1
	_, err = rows.putTogether()
	require.ErrorIs(t, err, fsm.ErrRestore)
}

// Rows that cannot stand in a state do not make one.
func TestRestorerRefusesWhatCannotStand(t *testing.T) {
	for what, spoil := range map[string]func(*rowsOf){
		"an edition that does not exist":   func(r *rowsOf) { r.whole.Rules.Edition = 4 },
		"readers in edition 1":             func(r *rowsOf) { r.whole.Rules.Edition = 1 },
		"two locks of a client, edition 2": func(r *rowsOf) { r.whole.Rules.Edition = 2 },
		"a clock unit that does not exist": func(r *rowsOf) { r.whole.Rules.Unit = 60 },
		"a clock that has not started":     func(r *rowsOf) { r.whole.Started = false },
		"a clock beyond the last instant":  func(r *rowsOf) { r.whole.Clock = math.MaxInt64 },
		"a clock beyond the leases":        func(r *rowsOf) { r.whole.Clock = 60 },
		"fewer turns than leases":          func(r *rowsOf) { r.whole.Counters.Turns = 2 },
		"fewer registrations than ages":    func(r *rowsOf) { r.whole.Counters.Ages = 2 },
		"less than no registrations":       func(r *rowsOf) { r.whole.Counters.Ages = -1 },

		"turns beyond any history":         func(r *rowsOf) { r.whole.Counters.Turns = math.MaxUint64 },
		"registrations beyond any history": func(r *rowsOf) { r.whole.Counters.Ages = math.MaxInt64 },

		"a client without a name":   func(r *rowsOf) { r.clients[0].Name = "" },
		"a client's name not UTF-8": func(r *rowsOf) { r.clients[0].Name = "\xff" },
		"a client without an age":   func(r *rowsOf) { r.clients[0].Age = 0 },
		"a client twice":            func(r *rowsOf) { r.clients = append(r.clients, fsm.ClientRow{Name: "amy", Age: 5}) },
		"two clients of one age":    func(r *rowsOf) { r.clients[0].Age = r.clients[1].Age },
		"a client missing":          func(r *rowsOf) { r.clients = r.clients[1:] },

		"a lock without a name":       func(r *rowsOf) { r.lock("L").Name = "" },
		"a lock's name not UTF-8":     func(r *rowsOf) { r.lock("L").Name = "\xff" },
		"a lock twice":                func(r *rowsOf) { r.locks = append(r.locks, fsm.LockRow{Name: "S", Counter: 1}) },
		"a lock that nobody has used": func(r *rowsOf) { r.locks = append(r.locks, fsm.LockRow{Name: "idle"}) },
		"a counter about to overflow": func(r *rowsOf) { r.lock("L").Counter = math.MaxInt64 },
		"a counter below zero":        func(r *rowsOf) { r.lock("S").Counter = -1 },
		"a mark below zero":           func(r *rowsOf) { r.lock("S").Mark = -1 },
		"a mark without a value":      func(r *rowsOf) { r.lock("L").Mark = 1 },
		"a value without a mark":      func(r *rowsOf) { r.lock("S").Mark = 0 },

		"a holder who is not registered":   func(r *rowsOf) { r.lock("L").Leases[0].Client = "gus" },
		"a lease in no mode":               func(r *rowsOf) { r.lock("L").Leases[0].Mode = 0 },
		"a lease that is over":             func(r *rowsOf) { r.lock("L").Leases[0].ExpiresAt = 5 },
		"a lease of more than a day":       func(r *rowsOf) { r.lock("L").Leases[0].ExpiresAt = 86406 },
		"a lease without a token":          func(r *rowsOf) { r.lock("L").Leases[0].Token = 0 },
		"a token that was not issued":      func(r *rowsOf) { r.lock("L").Leases[0].Token = 2 },
		"a lease of a turn to come":        func(r *rowsOf) { r.lock("L").Leases[0].Turn = 99 },
		"leases of one turn":               func(r *rowsOf) { r.lock("Q").Leases[0].Turn = 1 + r.lock("R").Leases[0].Turn },
		"a lease and a waiter of one turn": func(r *rowsOf) { r.lock("L").Queue[0].Turn = r.lock("R").Leases[0].Turn },
		"a writer beside a reader":         func(r *rowsOf) { r.lock("R").Leases[0].Mode = events.Exclusive },
		"two leases of one token":          func(r *rowsOf) { r.lock("R").Leases[1].Token = 1 },
		"two leases of one client":         func(r *rowsOf) { r.lock("R").Leases[1].Client = "dan" },
		"leases in the wrong order":        func(r *rowsOf) { slices.Reverse(r.lock("R").Leases) },
		"turns in the wrong order": func(r *rowsOf) {
			leases := r.lock("R").Leases
			leases[0].Turn, leases[1].Turn = leases[1].Turn, leases[0].Turn
		},

		"a waiter who is not registered":   func(r *rowsOf) { r.lock("L").Queue[0].Client = "gus" },
		"a waiter who holds the lock":      func(r *rowsOf) { r.lock("L").Queue[0].Client = "amy" },
		"a waiter who waits elsewhere":     func(r *rowsOf) { r.lock("Q").Queue = r.lock("L").Queue },
		"a waiter in no mode":              func(r *rowsOf) { r.lock("L").Queue[0].Mode = 3 },
		"a waiter for no time":             func(r *rowsOf) { r.lock("L").Queue[0].TTL = 0 },
		"a waiter for more than a day":     func(r *rowsOf) { r.lock("L").Queue[0].TTL = 86401 },
		"a waiter of a turn to come":       func(r *rowsOf) { r.lock("L").Queue[1].Turn = 99 },
		"two waiters of one turn":          func(r *rowsOf) { r.lock("L").Queue[0].Turn = r.lock("L").Queue[1].Turn },
		"a waiter for a lock that is free": func(r *rowsOf) { r.lock("L").Leases = nil },
		"a waiter whom nothing hinders":    func(r *rowsOf) { r.lock("L").Leases[0].Mode = events.Shared },
		"two who wait for each other": func(r *rowsOf) {
			r.lock("Q").Queue = []fsm.Request{{Client: "amy", Mode: events.Exclusive, TTL: 5, Turn: 8}}
			r.lock("L").Queue[0].Client = "eve"
			r.whole.Counters.Turns = 8
		},

		"a value without a key": func(r *rowsOf) { r.lock("S").Values[0].Key = "" },
		"an empty value":        func(r *rowsOf) { r.lock("S").Values[0].Value = "" },
		"a value not UTF-8":     func(r *rowsOf) { r.lock("S").Values[0].Value = "\xff" },
		"two values of one key": func(r *rowsOf) { r.lock("S").Values = append(r.lock("S").Values, r.lock("S").Values...) },
	} {
		t.Run(what, func(t *testing.T) {
			rows := takeApart(furnished(t))
			spoil(&rows)
			restored, err := rows.putTogether()
			require.ErrorIs(t, err, fsm.ErrRestore)
			require.Zero(t, restored)
		})
	}
}
