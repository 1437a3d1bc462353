package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

func TestNewRefusesUnknownRules(t *testing.T) {
	_, err := fsm.New(events.Rules{})
	require.Error(t, err)
	_, err = fsm.New(events.Rules{Edition: 4, Unit: events.Second})
	require.Error(t, err)
	_, err = fsm.New(events.Rules{Edition: 3, Unit: 2})
	require.Error(t, err)
}

// Events that no Parse would make are refused like others, and change nothing.
func TestEventsMadeByHand(t *testing.T) {
	for what, event := range map[string]events.Event{
		"nothing":                    nil,
		"a pointer":                  &events.Inspect{At: 9, Lock: "L"},
		"an impossible refusal":      events.Invalid{Refusal: events.StaleToken, At: 9, MovesClock: true},
		"no refusal at all":          events.Invalid{At: 9, MovesClock: true},
		"no mode":                    events.Acquire{At: 5, Client: "a", Lock: "L", TTL: 5},
		"no client":                  events.Acquire{At: 5, Lock: "L", TTL: 5, Mode: events.Shared},
		"a name that is not Unicode": events.Inspect{At: 5, Lock: "\xff"},
		"a token of zero":            events.Write{At: 5, Lock: "L", Key: "k", Value: "v"},
		"after the last instant":     events.Inspect{At: events.Current.MaxInstant() + 1, Lock: "L"},
		"an empty template":          events.Repeat{At: 5, Count: 1},
		"a nested repeat":            events.Repeat{At: 5, Count: 1, Template: `["repeat",1,0,["inspect","L"]]`},
	} {
		t.Run(what, func(t *testing.T) {
			s := furnished(t)
			next, result := fsm.Apply(s, event)
			require.Equal(t, events.InvalidArguments, result.Answer)
			require.Len(t, result.Effects, 1)
			require.Equal(t, events.EffectRefused, result.Effects[0].Kind)
			require.EqualValues(t, 5, result.Effects[0].Instant)
			require.Equal(t, s.Sequence()+1, next.Sequence())
			require.Empty(t, fsm.Diff(s, next))
		})
	}
}

// A Machine goes on while States that were forked from it stay.
func TestForksStay(t *testing.T) {
	m := fsm.NewMachine(after(t, events.Current))
	var forks []fsm.State
	var prints []fsm.Fingerprint
	for i := range int64(500) {
		m.Apply(events.Acquire{At: i, Client: string(rune('a' + i%20)), Lock: string(rune('A' + i%7)), TTL: 30, Mode: events.Mode(1 + i%2)})
		forks = append(forks, m.State())
		prints = append(prints, m.Fingerprint())
		clock, started := m.Clock()
		require.True(t, started)
		require.Equal(t, i, clock)
		require.EqualValues(t, i+1, m.Sequence())
	}
	for i, fork := range forks {
		require.NoError(t, fsm.Check(fork))
		require.Equal(t, prints[i], fork.Fingerprint())
		if i > 0 {
			require.NotEmpty(t, fsm.Diff(forks[i-1], fork))
		}
	}
}

// A result's effects are the caller's to keep if it comes from Apply, and are
// overwritten by the next event if it comes from a Machine.
func TestEffectsOfAMachineAreBorrowed(t *testing.T) {
	s := furnished(t)
	m := fsm.NewMachine(s)
	borrowed := m.Apply(events.Release{At: 6, Client: "dan", Lock: "R"})
	_, kept := fsm.Apply(s, events.Release{At: 6, Client: "dan", Lock: "R"})
	require.Equal(t, kept, borrowed)
	m.Apply(events.Release{At: 7, Client: "eve", Lock: "R"})
	require.NotEqual(t, kept, borrowed)
	require.Equal(t, "t=6 released R dan token 1 (release)", kept.Effects[0].String())
}
