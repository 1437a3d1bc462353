package fsm_test

import (
	"math"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

func TestQueries(t *testing.T) {
	s := furnished(t)
	require.Equal(t, events.Current, s.Rules())
	require.EqualValues(t, 8, s.Sequence())
	clock, started := s.Clock()
	require.True(t, started)
	require.EqualValues(t, 5, clock)

	require.Equal(t, []events.Holder{
		{Client: "dan", Mode: events.Shared, Token: 1, ExpiresAt: 63},
		{Client: "eve", Mode: events.Shared, Token: 2, ExpiresAt: 53},
	}, s.Holders("R"))
	require.Equal(t, []events.Waiter{
		{Client: "bob", Mode: events.Shared}, {Client: "cat", Mode: events.Exclusive},
	}, s.Queue("L"))
	require.Equal(t, events.ClientView{Age: 6, Holds: []events.Hold{
		{Lock: "Q", Mode: events.Exclusive, Token: 1, ExpiresAt: 54},
		{Lock: "R", Mode: events.Shared, Token: 2, ExpiresAt: 53},
	}}, s.Client("eve"))
	require.Equal(t, events.ClientView{Age: 3, Waiting: "L"}, s.Client("bob"))

	text, ok := s.Value("S", "k")
	require.True(t, ok)
	require.Equal(t, "v", text)
	require.EqualValues(t, 1, s.Mark("S"))
	require.Zero(t, s.Mark("L"))
	require.EqualValues(t, 2, s.Issued("R"))
}

// R16: the holders by token, then those ahead, oldest first.
func TestWaitsFor(t *testing.T) {
	s := furnished(t)
	s, _ = fsm.Apply(s, events.Acquire{At: 5, Client: "fay", Lock: "R", TTL: 5, Mode: events.Exclusive})
	require.Equal(t, []string{"amy"}, s.WaitsFor("bob"))
	require.Equal(t, []string{"amy", "bob"}, s.WaitsFor("cat"))
	require.Equal(t, []string{"dan", "eve"}, s.WaitsFor("fay"))
	require.Empty(t, s.WaitsFor("amy"))
	require.Empty(t, s.WaitsFor("nobody"))
}

// To ask for what is not there makes nothing.
func TestQueriesOfTheUnknown(t *testing.T) {
	s := furnished(t)
	before := s.Fingerprint()
	require.Empty(t, s.Holders("M"))
	require.Empty(t, s.Queue("M"))
	require.Equal(t, events.ClientView{}, s.Client("gus"))
	require.Zero(t, s.Mark("M"))
	require.Zero(t, s.Issued("M"))
	_, ok := s.Value("M", "k")
	require.False(t, ok)
	_, ok = s.Value("S", "l")
	require.False(t, ok)
	require.Equal(t, before, s.Fingerprint())
	require.Len(t, before.String(), 32)
}

// NextExpiry says when the state will change by itself. Following it from
// lapse to lapse leads to the end of all leases, as one leap does (R1, R3).
func TestNextExpiry(t *testing.T) {
	s := furnished(t)
	var instants []int64
	at := s
	for range 7 {
		next, ok := at.NextExpiry()
		if !ok {
			break
		}
		require.Empty(t, fsm.Diff(at.At(next-1).At(next), at.At(next)))
		instants = append(instants, next)
		at = at.At(next)
	}
	require.Equal(t, []int64{53, 54, 63, 91, 111, 131}, instants)
	require.Empty(t, fsm.Diff(s.At(131), at))
}

// At leaves the past alone, and what lies after the last instant (R24).
func TestAtHasBounds(t *testing.T) {
	s := furnished(t)
	require.Equal(t, s, s.At(5))
	require.Equal(t, s, s.At(4))
	require.Equal(t, s, s.At(math.MinInt64))
	require.Equal(t, s, s.At(math.MaxInt64))
	last, _ := s.At(events.Current.MaxInstant()).Clock()
	require.Equal(t, events.Current.MaxInstant(), last)

	// Before the first event there is no past.
	fresh := after(t, events.Current)
	_, started := fresh.Clock()
	require.False(t, started)
	clock, started := fresh.At(-7).Clock()
	require.True(t, started)
	require.EqualValues(t, -7, clock)
}

// Lapse tells what happened on the way, under the number of the event to come.
func TestLapse(t *testing.T) {
	at, effects := furnished(t).Lapse(54)
	require.EqualValues(t, 8, at.Sequence())
	require.Equal(t, []events.Effect{
		{Kind: events.EffectExpired, Cause: events.CauseExpiry, Instant: 53, Sequence: 9,
			Lock: "R", Client: "eve", Mode: events.Shared, Token: 2, ExpiresAt: 53},
		{Kind: events.EffectExpired, Cause: events.CauseExpiry, Instant: 54, Sequence: 9,
			Lock: "Q", Client: "eve", Mode: events.Exclusive, Token: 1, ExpiresAt: 54},
	}, effects)
	next, result := fsm.Apply(furnished(t), events.Inspect{At: 54, Lock: "L"})
	require.Equal(t, effects, result.Effects)
	require.Empty(t, fsm.Diff(at, next))
}

// A look at the rows may end after the first.
func TestRowsMayBeLeft(t *testing.T) {
	s := furnished(t)
	for c := range s.Clients() {
		require.Equal(t, fsm.ClientRow{Name: "amy", Age: 2}, c)
		break
	}
	for l := range s.Locks() {
		require.Equal(t, "L", l.Name)
		break
	}
	require.Equal(t, fsm.Counters{Turns: 7, Ages: 6}, s.Counters())
}
