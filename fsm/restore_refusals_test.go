package fsm_test

import (
	"math"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

const (
	prefix = "fsm: rows do not make up a state: "
	most   = 1 << 62 // of what a state counts up
)

// A Restorer says at once which row it does not take, and why. Every limit is
// tried from both sides: refused is "" where the row is taken.

func TestRestorerOfTheWhole(t *testing.T) {
	last := events.Current.MaxInstant()
	for _, test := range []struct {
		whole   fsm.Whole
		refused string
	}{
		{fsm.Whole{Rules: events.Rules{Edition: 4, Unit: events.Second}}, "events: no such edition of the rules: 4"},
		{fsm.Whole{}, ""},
		{fsm.Whole{Sequence: most}, ""},
		{fsm.Whole{Sequence: most + 1}, "counters beyond any that a service could reach"},
		{fsm.Whole{Started: true, Counters: fsm.Counters{Turns: most, Ages: most}}, ""},
		{fsm.Whole{Started: true, Counters: fsm.Counters{Turns: most + 1}}, "counters beyond any that a service could reach"},
		{fsm.Whole{Started: true, Counters: fsm.Counters{Ages: most + 1}}, "counters beyond any that a service could reach"},
		{fsm.Whole{Clock: 1}, "clock 1 (started: false) with 0 registrations"},
		{fsm.Whole{Clock: -1}, "clock -1 (started: false) with 0 registrations"},
		{fsm.Whole{Counters: fsm.Counters{Ages: 1}}, "clock 0 (started: false) with 1 registrations"},
		{fsm.Whole{Counters: fsm.Counters{Turns: 1}}, "clock 0 (started: false) with 0 registrations"},
		{fsm.Whole{Started: true, Clock: math.MinInt64}, ""},
		{fsm.Whole{Started: true, Clock: last}, ""}, // R24
		{fsm.Whole{Started: true, Clock: last + 1}, "clock 9223372036854689408 (started: true) with 0 registrations"},
		{fsm.Whole{Started: true, Counters: fsm.Counters{Ages: -1}}, "clock 0 (started: true) with -1 registrations"},
	} {
		if test.whole.Rules == (events.Rules{}) {
			test.whole.Rules = events.Current
		}
		r, err := fsm.NewRestorer(test.whole)
		if test.refused == "" {
			require.NoError(t, err)
			s, err := r.Finish()
			require.NoError(t, err)
			require.Equal(t, test.whole, s.Whole())
			continue
		}
		require.ErrorIs(t, err, fsm.ErrRestore)
		require.ErrorContains(t, err, prefix)
		require.ErrorContains(t, err, test.refused)
		require.Nil(t, r)
	}
}

// restorer has taken the clients amy, bob and cat, and lock M, for which cat
// waits.
func restorer(t *testing.T) *fsm.Restorer {
	r, err := fsm.NewRestorer(fsm.Whole{Rules: events.Current, Started: true, Counters: fsm.Counters{Turns: 9, Ages: 9}})
	require.NoError(t, err)
	for i, name := range []string{"amy", "bob", "cat"} {
		require.NoError(t, r.Client(fsm.ClientRow{Name: name, Age: int64(i) + 1}))
	}
	require.NoError(t, r.Lock(fsm.LockRow{
		Name: "M", Counter: 1,
		Leases: []fsm.Lease{{Client: "amy", Mode: events.Exclusive, Token: 1, ExpiresAt: 9, Turn: 8}},
		Queue:  []fsm.Request{{Client: "cat", Mode: events.Exclusive, TTL: 9, Turn: 9}},
	}))
	return r
}

// asleep is a restorer of a state without a clock.
func asleep(t *testing.T) *fsm.Restorer {
	r, err := fsm.NewRestorer(fsm.Whole{Rules: events.Current})
	require.NoError(t, err)
	return r
}

func requireRefused(t *testing.T, refused string, err error) {
	if refused == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, fsm.ErrRestore)
	require.EqualError(t, err, prefix+refused)
}

func TestRestorerOfClients(t *testing.T) {
	for _, test := range []struct {
		row     fsm.ClientRow
		refused string
	}{
		{fsm.ClientRow{Name: "dan", Age: 1}, ""}, // Finish finds out that there are two
		{fsm.ClientRow{Name: "dan", Age: 0}, `client "dan" of age 0`},
		{fsm.ClientRow{Name: "dan", Age: -1}, `client "dan" of age -1`},
		{fsm.ClientRow{Name: "", Age: 4}, `client "" of age 4`},
		{fsm.ClientRow{Name: "\xff", Age: 4}, `client "\xff" of age 4`},
		{fsm.ClientRow{Name: "amy", Age: 4}, `client "amy" of age 4`},
	} {
		requireRefused(t, test.refused, restorer(t).Client(test.row))
	}
	requireRefused(t, `client "dan" of age 1`, asleep(t).Client(fsm.ClientRow{Name: "dan", Age: 1}))
}

func TestRestorerOfLocks(t *testing.T) {
	for _, test := range []struct {
		row     fsm.LockRow
		refused string
	}{
		{fsm.LockRow{Name: "L", Counter: 1}, ""},
		{fsm.LockRow{Name: "L", Counter: most}, ""},
		{fsm.LockRow{Name: "L", Mark: 1}, ""}, // Finish finds out that nothing is stored
		{fsm.LockRow{Name: "L", Mark: math.MaxInt64}, ""},
		{fsm.LockRow{Name: "L"}, `lock "L", which nobody has used`},
		{fsm.LockRow{Name: "L", Counter: most + 1}, `lock "L" with counter 4611686018427387905 and mark 0`},
		{fsm.LockRow{Name: "L", Counter: -1, Mark: 1}, `lock "L" with counter -1 and mark 1`},
		{fsm.LockRow{Name: "L", Counter: 1, Mark: -1}, `lock "L" with counter 1 and mark -1`},
		{fsm.LockRow{Name: "", Counter: 1}, `lock "" with counter 1 and mark 0`},
		{fsm.LockRow{Name: "\xff", Counter: 1}, `lock "\xff" with counter 1 and mark 0`},
		{fsm.LockRow{Name: "M", Counter: 1}, `lock "M" with counter 1 and mark 0`},
	} {
		requireRefused(t, test.refused, restorer(t).Lock(test.row))
	}
	requireRefused(t, `lock "L", which nobody has used`, asleep(t).Lock(fsm.LockRow{Name: "L", Counter: 1}))
}

// readers is lock L with leases of amy, bob and cat under tokens 1, 2 and 3,
// which may be changed.
func readers(change func([]fsm.Lease)) fsm.LockRow {
	row := fsm.LockRow{Name: "L", Counter: 9}
	for i, name := range []string{"amy", "bob", "cat"} {
		row.Leases = append(row.Leases, fsm.Lease{
			Client: name, Mode: events.Shared, Token: int64(i) + 1, ExpiresAt: 9, Turn: uint64(i) + 1,
		})
	}
	change(row.Leases)
	return row
}

func TestRestorerOfLeases(t *testing.T) {
	for _, test := range []struct {
		change  func([]fsm.Lease)
		refused string
	}{
		{func(h []fsm.Lease) {}, ""},
		{func(h []fsm.Lease) { h[0].Client = "dan" }, `lease of "dan" on "L" under token 1`},
		{func(h []fsm.Lease) { h[0].Turn = 0 }, `lease of "amy" on "L" under token 1`},
		{func(h []fsm.Lease) { h[0].Token = 0 }, `lease of "amy" on "L" under token 0`},
		{func(h []fsm.Lease) { h[1].Token = 1 }, `lease of "bob" on "L" under token 1`},
		{func(h []fsm.Lease) { h[0].Token = 3; h[1].Token = 2 }, `lease of "bob" on "L" under token 2`},
		{func(h []fsm.Lease) { h[2].Token = 2 }, `lease of "cat" on "L" under token 2`},
		{func(h []fsm.Lease) { h[2].Client = "amy" }, `"amy" holds "L" twice`},
		{func(h []fsm.Lease) { h[2].Client = "bob" }, `"bob" holds "L" twice`},
	} {
		requireRefused(t, test.refused, restorer(t).Lock(readers(test.change)))
	}
}

func TestRestorerOfRequestsAndValues(t *testing.T) {
	request := func(client string, turn uint64) fsm.Request {
		return fsm.Request{Client: client, Mode: events.Exclusive, TTL: 9, Turn: turn}
	}
	for _, test := range []struct {
		queue   []fsm.Request
		refused string
	}{
		{[]fsm.Request{request("bob", 1)}, ""},
		{[]fsm.Request{request("amy", 1), request("bob", 2)}, ""},
		{[]fsm.Request{request("dan", 1)}, `request of "dan" for "L"`},
		{[]fsm.Request{request("bob", 0)}, `request of "bob" for "L"`},
		{[]fsm.Request{request("cat", 1)}, `request of "cat" for "L"`},
		{[]fsm.Request{request("amy", 1), request("bob", 1)}, `two requests for "L" in turn 1`},
	} {
		requireRefused(t, test.refused, restorer(t).Lock(fsm.LockRow{Name: "L", Counter: 1, Queue: test.queue}))
	}
	for _, test := range []struct {
		values  []fsm.Stored
		refused string
	}{
		{[]fsm.Stored{{Key: "k", Value: "v"}, {Key: "l", Value: "v"}}, ""},
		{[]fsm.Stored{{Key: "k", Value: "v"}, {Key: "k", Value: "w"}}, `key "k" of lock "L"`},
		{[]fsm.Stored{{Key: "", Value: "v"}}, `key "" of lock "L"`},
		{[]fsm.Stored{{Key: "\xff", Value: "v"}}, `key "\xff" of lock "L"`},
		{[]fsm.Stored{{Key: "k", Value: ""}}, `key "k" of lock "L"`},
		{[]fsm.Stored{{Key: "k", Value: "\xff"}}, `key "k" of lock "L"`},
	} {
		requireRefused(t, test.refused, restorer(t).Lock(fsm.LockRow{Name: "L", Mark: 1, Values: test.values}))
	}
}

// What Finish finds is told as the invariant that is broken.
func TestRestorerNamesTheInvariant(t *testing.T) {
	r := restorer(t)
	require.NoError(t, r.Client(fsm.ClientRow{Name: "dan", Age: 1}))
	_, err := r.Finish()
	requireRefused(t, "fsm: invariant 6 is broken: two clients have age 1", err)
	var violation *fsm.Violation
	require.ErrorAs(t, err, &violation)
	require.Equal(t, 6, violation.Invariant)
}
