package explain

import (
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// tale is a drawn history with everything that really happened.
type tale struct {
	world  arbitrary.World
	source *Memory
	states []fsm.State // after each event, the first before all
	done   [][]events.Effect
	events []events.Event
}

func drawTale(t *rapid.T) *tale {
	rules := arbitrary.Rules().Draw(t, "rules")
	source, err := NewMemory(rules)
	require.NoError(t, err)
	state, _ := source.State(0)
	s := &tale{world: arbitrary.Small(t, rules), source: source, states: []fsm.State{state}, done: [][]events.Effect{nil}}
	for range rapid.IntRange(1, 40).Draw(t, "events") {
		e := s.world.Event(t, state)
		var result events.Result
		state, result = fsm.Apply(state, e)
		source.Add(e, result.Answer.AppendJSON(nil))
		s.states, s.done, s.events = append(s.states, state), append(s.done, result.Effects), append(s.events, e)
	}
	return s
}

// every fact about a holder or a waiter must be so in the state, and every event
// that a fact goes back to must have done it.
func (s *tale) check(t *rapid.T, facts []Fact, state fsm.State, last uint64) {
	decided := false
	for _, f := range facts {
		require.NotEmpty(t, f.Text)
		require.Contains(t, forms, f.Kind)
		require.LessOrEqual(t, f.Event, last, "%s", f.Text)
		require.LessOrEqual(t, f.EndEvent, last, "%s", f.Text)
		require.Zero(t, f.BeforeEvent, "all events were looked at: %s", f.Text)
		decided = decided || len(f.Rules) > 0
		switch f.Kind {
		case "held":
			require.True(t, slices.ContainsFunc(state.Holders(f.Lock), func(h events.Holder) bool {
				return h.Client == f.Client && h.Token == f.Token && h.ExpiresAt == *f.Ends && h.Mode.String() == f.Mode
			}), "%s", f.Text)
			s.did(t, &f, func(e events.Effect) bool {
				return e.Kind == events.EffectGranted && e.Token == f.Token && e.Cause.String() == f.Cause
			})
		case "waits":
			queue := state.Queue(f.Lock)
			require.Less(t, f.Position-1, len(queue), "%s", f.Text)
			require.Equal(t, f.Client, queue[f.Position-1].Client, "%s", f.Text)
			s.did(t, &f, func(e events.Effect) bool { return e.Kind == events.EffectQueued })
		case "over":
			require.False(t, slices.ContainsFunc(state.Holders(f.Lock), func(h events.Holder) bool { return h.Token == f.Token }), "%s", f.Text)
			s.did(t, &f, func(e events.Effect) bool { return e.Kind == events.EffectGranted && e.Token == f.Token })
		case "handed over":
			s.did(t, &f, func(e events.Effect) bool {
				return e.Kind == events.EffectGranted && e.Token == f.Token && e.Cause != events.CauseFree
			})
		case "age":
			if view := state.Client(f.Client); view.Age != 0 && view.Age != f.Age {
				t.Fatalf("%s, but its age is %d", f.Text, view.Age)
			}
			s.did(t, &f, func(e events.Effect) bool {
				return e.Kind == events.EffectGranted && e.Cause == events.CauseFree || e.Kind == events.EffectQueued
			})
		case "mark":
			s.did(t, &f, func(e events.Effect) bool { return e.Kind == events.EffectWritten && e.Token == f.Mark })
		case "free":
			require.Empty(t, state.Holders(f.Lock), "%s", f.Text)
		case "never held":
			for _, effects := range s.done[:last+1] {
				for _, e := range effects {
					require.False(t, e.Kind == events.EffectGranted && e.Client == f.Client && e.Lock == f.Lock, "%s", f.Text)
				}
			}
		}
	}
	require.True(t, decided, "no rule in %v", facts)
}

// did holds a fact to the event that it goes back to. Without an event, no event
// had noticed yet.
func (s *tale) did(t *rapid.T, f *Fact, match func(events.Effect) bool) {
	if f.Event == 0 {
		return
	}
	require.True(t, slices.ContainsFunc(s.done[f.Event], func(e events.Effect) bool {
		return (f.Client == "" || e.Client == f.Client) && (e.Lock == f.Lock || f.Lock == "") && e.Instant == *f.Instant && match(e)
	}), "event %d did not do that: %s", f.Event, f.Text)
}

// Whatever happened, each answer has an explanation, and that says nothing which
// did not happen.
func TestExplanationsOfEventsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawTale(t)
		n := rapid.Uint64Range(1, s.source.Last()).Draw(t, "event")
		account, err := Event(s.source, n, Options{Most: rapid.IntRange(1, 100).Draw(t, "most")})
		require.NoError(t, err)
		require.False(t, account.Differs)
		s.check(t, account.Facts, s.states[n], n)
	})
}

func TestExplanationsOfInstantsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawTale(t)
		clock, _ := s.states[len(s.states)-1].Clock()
		ts := rapid.Int64Range(-25, clock+30).Draw(t, "instant")
		state := s.at(ts)
		lock := rapid.SampledFrom(s.world.Locks).Draw(t, "lock")
		account, err := LockAt(s.source, lock, Place{At: &ts}, Options{})
		require.NoError(t, err)
		s.check(t, account.Facts, state, s.source.Last())
		client := rapid.SampledFrom(s.world.Clients).Draw(t, "client")
		account, err = ClientAt(s.source, client, Place{At: &ts}, Options{})
		require.NoError(t, err)
		s.check(t, account.Facts, state, s.source.Last())
		checkTables(t, s, ts, state)
	})
}

// at is the state as of an instant, by applying everything up to it again.
func (s *tale) at(ts int64) fsm.State {
	state := s.states[0]
	horizon := leasekeeper.NewHorizon(s.world.Rules, ts)
	for _, e := range s.events {
		part, whole := horizon.Take(e)
		if part != nil {
			state, _ = fsm.Apply(state, part)
		}
		if !whole {
			break
		}
	}
	return state.At(ts)
}
