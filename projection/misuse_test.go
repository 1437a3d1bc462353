package projection_test

import (
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

// every makes one of each projection.
func every(s fsm.State) map[string]projection.Projection {
	return map[string]projection.Projection{
		"timeline":   projection.NewTimeline(s, projection.Filter{}, projection.TimelineSink{}),
		"careers":    projection.NewCareers(s, nil, projection.CareersSink{}),
		"fencing":    projection.NewFencing(s, projection.FencingOptions{}),
		"contention": projection.NewContention(s, projection.ContentionOptions{}),
		"deadlocks":  projection.NewDeadlocks(s, nil),
		"activity":   projection.NewActivity(s, 60, nil),
	}
}

func fresh(t testing.TB) fsm.State {
	s, err := fsm.New(events.Current)
	require.NoError(t, err)
	return s
}

// A step that is left out, or given twice, is noticed at once.
func TestStepsComeWithoutAGap(t *testing.T) {
	m := fsm.NewMachine(fresh(t))
	step := func() *projection.Step {
		e := events.Inspect{At: 1, Lock: "L"}
		return &projection.Step{Event: e, Result: m.Apply(e), Clock: 1, Started: true}
	}
	one, _, three := step(), step(), step()
	for name, p := range every(fresh(t)) {
		p.Apply(one)
		require.PanicsWithValue(t, "projection: the step of event 3, where that of event 2 comes next", func() { p.Apply(three) }, name)
	}
	for name, p := range every(fresh(t)) {
		p.Apply(one)
		require.Panics(t, func() { p.Apply(one) }, name)
	}
}

// Effects of another history do not fit, and are noticed where they would make
// a row wrong.
func TestStepsOfAnotherHistoryAreNoticed(t *testing.T) {
	at := func(e events.Effect) *projection.Step {
		e.Sequence, e.Lock, e.Client, e.Mode, e.Token = 1, "L", "a", events.Exclusive, 1
		return &projection.Step{Event: events.Inspect{}, Result: events.Result{Sequence: 1, Effects: []events.Effect{e}}}
	}
	for _, e := range []events.Effect{
		{Kind: events.EffectExpired, Cause: events.CauseExpiry},
		{Kind: events.EffectReleased, Cause: events.CauseRelease},
		{Kind: events.EffectRenewed},
		{Kind: events.EffectWithdrawn, Cause: events.CauseRelease},
		{Kind: events.EffectGranted, Cause: events.CauseExpiry},
	} {
		for name, p := range every(fresh(t)) {
			if name != "activity" { // which looks at answers alone
				require.PanicsWithValue(t, "projection: event 1 does not go on from the state that the projection began at: "+at(e).Result.Effects[0].String(),
					func() { p.Apply(at(e)) }, "%s: %s", name, e.Kind)
			}
		}
	}
}

func TestBucketsHaveAWidth(t *testing.T) {
	require.Panics(t, func() { projection.NewActivity(fresh(t), 0, nil) })
}

// Names that could do something to a terminal, or fill it, are drawn quoted or
// cut (R25 lets them stand in a history).
func TestNamesAreDrawnSafely(t *testing.T) {
	long := string(slices.Repeat([]byte("x"), 5000))
	c := projection.CollectTimeline(fresh(t), projection.Filter{})
	projection.Fold(fresh(t), slices.Values([]events.Event{
		events.Acquire{At: 0, Client: "\x1b[2J\u202eevil", Lock: "a\nb\tc", TTL: 5, Mode: events.Exclusive},
		events.Acquire{At: 0, Client: long, Lock: "a\nb\tc", TTL: 5, Mode: events.Exclusive},
		events.Write{At: 1, Lock: "a\nb\tc", Key: "k k", Value: "v", Token: 7},
	}), c)
	rows := c.Rows()
	require.Equal(t, `leases of "a\nb\tc"
  token  client               mode       began   why   ended     how  promised until  renewals
  1      "\x1b[2J\u202eevil"  exclusive  t=0 #1  free  in force  -    5               0
waits for "a\nb\tc"
  client                                                                              mode       began   position  ended  ending   token  ticks
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…(4936 more bytes)  exclusive  t=0 #2  1         -      waiting  -      -
writes under "a\nb\tc"
  token  key    at      answer    by
  7      "k k"  t=1 #3  accepted  not by a holder
`, rows.Describe())
}
