package leasekeeper_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// story is a history that was drawn, and what became of it: states[i] is the
// state before events[i], states[i+1] the one after it.
type story struct {
	world   arbitrary.World
	events  []events.Event
	results []events.Result
	states  []fsm.State
}

// tell draws a history in a world.
func tell(t *rapid.T, world arbitrary.World) story {
	s, err := fsm.New(world.Rules)
	require.NoError(t, err)
	h := story{world: world, states: []fsm.State{s}}
	for range rapid.IntRange(1, 120).Draw(t, "events") {
		event := world.Event(t, s)
		var result events.Result
		s, result = fsm.Apply(s, event)
		h.events = append(h.events, event)
		h.results = append(h.results, result)
		h.states = append(h.states, s)
	}
	return h
}

func (h story) last() fsm.State { return h.states[len(h.states)-1] }

// any draws one of the states.
func (h story) any(t *rapid.T) fsm.State { return rapid.SampledFrom(h.states).Draw(t, "state") }

// law checks a property of histories.
func law(t *testing.T, property func(*rapid.T, story)) {
	rapid.Check(t, func(t *rapid.T) {
		property(t, tell(t, arbitrary.Small(t, arbitrary.Rules().Draw(t, "rules"))))
	})
}

func requireEqualStates(t require.TestingT, want, got fsm.State) {
	require.Empty(t, fsm.Diff(want, got))
	require.Equal(t, want.Fingerprint(), got.Fingerprint())
}

// rebuild makes a state of the same rows that shares nothing with s.
func rebuild(t require.TestingT, s fsm.State) fsm.State {
	r, err := fsm.NewRestorer(s.Whole())
	require.NoError(t, err)
	for c := range s.Clients() {
		require.NoError(t, r.Client(c))
	}
	for l := range s.Locks() {
		require.NoError(t, r.Lock(l))
	}
	copied, err := r.Finish()
	require.NoError(t, err)
	return copied
}

// What the rules say, said twice: once fast, once slowly and obviously. Both
// give the same answers and the same effects, in every edition and unit.
func TestTheRulesAgreeWithTheirModel(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		model, err := naive.New(h.world.Rules)
		require.NoError(t, err)
		for i, event := range h.events {
			require.Equal(t, model.Apply(event), h.results[i], "%+v", event)
		}
	})
}

// The invariants hold after every event.
func TestInvariantsHold(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		for i, s := range h.states {
			require.NoError(t, fsm.Check(s))
			require.EqualValues(t, i, s.Sequence())
		}
	})
}

// A Machine is the same as many Applies, wherever States are forked off, and
// each of these stays as it was.
func TestMachineIsManyApplies(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		m := fsm.NewMachine(h.states[0])
		forks := map[int]fsm.State{}
		for i, event := range h.events {
			require.Equal(t, h.results[i], m.Apply(event))
			require.Equal(t, h.states[i+1].Fingerprint(), m.Fingerprint())
			if rapid.Bool().Draw(t, "fork") {
				forks[i+1] = m.State()
			}
		}
		for i, fork := range forks {
			requireEqualStates(t, h.states[i], fork)
			require.NoError(t, fsm.Check(fork))
		}
		requireEqualStates(t, h.last(), m.State())
	})
}

// Law 2: a State is never changed, however many goroutines apply to it at
// once, and all of them get the same results.
func TestLaw2StatesAreNeverChanged(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		s := h.any(t)
		before := rebuild(t, s)
		results := make([][]events.Result, 4)
		var group sync.WaitGroup
		for i := range results {
			group.Go(func() {
				for _, event := range h.events {
					next, result := fsm.Apply(s, event)
					_, again := fsm.Apply(next, event)
					results[i] = append(results[i], result, again)
				}
			})
		}
		group.Wait()
		for _, other := range results[1:] {
			require.Equal(t, results[0], other)
		}
		requireEqualStates(t, before, s)
		require.NoError(t, fsm.Check(s))
	})
}

// Law 4: how often somebody looks changes nothing (R1, R3).
func TestLaw4LookingChangesNothing(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		s := h.any(t)
		clock, _ := s.Clock()
		t1 := clock + rapid.Int64Range(0, 60).Draw(t, "first look")
		t2 := t1 + rapid.Int64Range(0, 60).Draw(t, "second look")
		requireEqualStates(t, s.At(t2), s.At(t1).At(t2))

		half, first := s.Lapse(t1)
		whole, all := s.Lapse(t2)
		_, second := half.Lapse(t2)
		require.Equal(t, all, append(slices.Clip(first), second...))
		require.NoError(t, fsm.Check(whole))
		require.Equal(t, s.Sequence(), whole.Sequence())
	})
}

// Law 4: a read changes the clock and nothing else; so does whatever is refused.
func TestLaw4ReadsAndRefusalsOnlyMoveTheClock(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		for i, event := range h.events {
			_, refused := h.results[i].Answer.(events.Refusal)
			switch event.(type) {
			case events.Read, events.Inspect, events.Status:
			default:
				if !refused {
					continue
				}
			}
			expected := h.states[i]
			if clock, started := h.states[i+1].Clock(); started {
				expected = expected.At(clock)
			}
			requireEqualStates(t, expected, h.states[i+1])
		}
	})
}

// Law 7: nobody waits in a circle, by the full graph of R16.
func TestLaw7NobodyWaitsInACircle(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		for _, s := range h.states {
			done := map[string]bool{}
			var visit func(client string, path []string)
			visit = func(client string, path []string) {
				require.NotContains(t, path, client)
				if !done[client] {
					for _, ahead := range s.WaitsFor(client) {
						visit(ahead, append(path, client))
					}
				}
				done[client] = true
			}
			for c := range s.Clients() {
				visit(c.Name, nil)
			}
		}
	})
}

// Law 9: equal content has equal fingerprints, however it came about, and
// other content has others.
func TestLaw9FingerprintsTellStatesApart(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		s, other := h.any(t), h.any(t)
		copied := rebuild(t, s)
		requireEqualStates(t, s, copied)
		require.Equal(t, len(fsm.Diff(s, other)) == 0, s.Fingerprint() == other.Fingerprint())

		// A copy has the same future.
		for _, event := range h.events {
			var want, got events.Result
			s, want = fsm.Apply(s, event)
			copied, got = fsm.Apply(copied, event)
			require.Equal(t, want, got)
			require.Equal(t, s.Fingerprint(), copied.Fingerprint())
		}
	})
}
