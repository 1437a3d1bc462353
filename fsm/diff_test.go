package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

func after(t *testing.T, rules events.Rules, history ...events.Event) fsm.State {
	s, err := fsm.New(rules)
	require.NoError(t, err)
	for _, e := range history {
		s, _ = fsm.Apply(s, e)
	}
	return s
}

// begun is a history with a row of every kind.
var begun = []events.Event{
	events.Acquire{At: 0, Client: "amy", Lock: "L", TTL: 30, Mode: events.Exclusive},
	events.Acquire{At: 1, Client: "bob", Lock: "L", TTL: 20, Mode: events.Shared},
	events.Write{At: 2, Lock: "L", Key: "k", Value: "v", Token: 1},
}

// What one more event changes is what Diff names, row by row.
func TestDiffNamesWhatAnEventChanged(t *testing.T) {
	for _, test := range []struct {
		what  string
		event events.Event
		rows  []string
	}{
		{
			"nothing", events.Inspect{At: 2, Lock: "L"},
			nil,
		}, {
			"time passes", events.Inspect{At: 3, Lock: "L"},
			[]string{`clock: 2 | 3`},
		}, {
			"a renewal", events.Renew{At: 2, Client: "amy", Lock: "L", TTL: 50},
			[]string{`lease of lock "L" number 1: "amy" exclusive until 30, turn 1 | "amy" exclusive until 52, turn 1`},
		}, {
			"a grant to a new client", events.Acquire{At: 2, Client: "cat", Lock: "a\nb", TTL: 5, Mode: events.Shared},
			[]string{
				`registrations: 2 | 3`,
				`turns: 2 | 3`,
				`age of client "cat": nothing | 3`,
				`counter of lock "a\nb": nothing | 1`,
				`lease of lock "a\nb" number 1: nothing | "cat" shared until 7, turn 3`,
			},
		}, {
			"a new waiter", events.Acquire{At: 2, Client: "cat", Lock: "L", TTL: 5, Mode: events.Exclusive},
			[]string{
				`registrations: 2 | 3`,
				`turns: 2 | 3`,
				`age of client "cat": nothing | 3`,
				`waiter of lock "L" number 2: nothing | "cat" exclusive for 5, turn 3`,
			},
		}, {
			"a withdrawal", events.Release{At: 2, Client: "bob", Lock: "L"},
			[]string{`waiter of lock "L" number 1: "bob" shared for 20, turn 2 | nothing`},
		}, {
			"a hand-over", events.Release{At: 2, Client: "amy", Lock: "L"},
			[]string{
				`turns: 2 | 3`,
				`counter of lock "L": 1 | 2`,
				`lease of lock "L" number 1: "amy" exclusive until 30, turn 1 | nothing`,
				`lease of lock "L" number 2: nothing | "bob" shared until 22, turn 3`,
				`waiter of lock "L" number 1: "bob" shared for 20, turn 2 | nothing`,
			},
		}, {
			"a value replaced", events.Write{At: 2, Lock: "L", Key: "k", Value: "w", Token: 1},
			[]string{`value of lock "L" key "k": "v" | "w"`},
		}, {
			"a value under a higher token", events.Write{At: 2, Lock: "L", Key: "l", Value: "w", Token: 9},
			[]string{
				`mark of lock "L": 1 | 9`,
				`value of lock "L" key "l": nothing | "w"`,
			},
		}, {
			"a lock that was only written to", events.Write{At: 2, Lock: "K", Key: "k", Value: "v", Token: 4},
			[]string{
				`mark of lock "K": nothing | 4`,
				`value of lock "K" key "k": nothing | "v"`,
			},
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			a := after(t, events.Current, begun...)
			b, _ := fsm.Apply(a, test.event)
			var rows []string
			for _, d := range fsm.Diff(a, b) {
				rows = append(rows, d.String())
			}
			require.Equal(t, test.rows, rows)
			require.Equal(t, rows == nil, a.Fingerprint() == b.Fingerprint())

			forth, back := fsm.Diff(a, b), fsm.Diff(b, a)
			require.Len(t, back, len(forth))
			for i, d := range forth {
				require.Equal(t, fsm.Difference{Row: d.Row, A: d.B, B: d.A}, back[i])
			}
		})
	}
}

// An abort shows as an age that is gone (R19).
func TestDiffNamesAnAbort(t *testing.T) {
	a := after(t, events.Current,
		events.Acquire{Client: "amy", Lock: "L", TTL: 30, Mode: events.Exclusive},
		events.Acquire{Client: "bob", Lock: "M", TTL: 30, Mode: events.Exclusive},
		events.Acquire{Client: "bob", Lock: "L", TTL: 30, Mode: events.Exclusive},
	)
	b, _ := fsm.Apply(a, events.Acquire{Client: "amy", Lock: "M", TTL: 30, Mode: events.Exclusive})
	require.Contains(t, fsm.Diff(a, b), fsm.Difference{Row: `age of client "bob"`, A: "2"})
}

// Two states without a single row in common, and two that differ as a whole.
func TestDiffOfStatesThatShareNothing(t *testing.T) {
	fresh := after(t, events.Rules{Edition: 2, Unit: events.Millisecond})
	require.Empty(t, fsm.Diff(fresh, fresh))
	require.Equal(t, []fsm.Difference{
		{"clock", "", "0"},
		{"rules", "edition 2, 1000 ticks a second", "edition 3, 1 ticks a second"},
	}, fsm.Diff(fresh, after(t, events.Current, events.Inspect{Lock: "L"})))

	one := after(t, events.Current, events.Write{Lock: "A", Key: "k", Value: "v", Token: 1})
	two := after(t, events.Current, events.Write{Lock: "B", Key: "k", Value: "v", Token: 1})
	require.Equal(t, []fsm.Difference{
		{`mark of lock "A"`, "1", ""}, {`value of lock "A" key "k"`, `"v"`, ""},
		{`mark of lock "B"`, "", "1"}, {`value of lock "B" key "k"`, "", `"v"`},
	}, fsm.Diff(one, two))
	require.NotEqual(t, one.Fingerprint(), two.Fingerprint())
}

// The sequence of the last event is no content: to look is no change.
func TestDiffLeavesTheSequenceOut(t *testing.T) {
	a := after(t, events.Current, begun...)
	b, _ := fsm.Apply(a, events.Read{At: 2, Lock: "L", Key: "k"})
	require.Equal(t, a.Sequence()+1, b.Sequence())
	require.Empty(t, fsm.Diff(a, b))
	require.Equal(t, a.Fingerprint(), b.Fingerprint())
}
