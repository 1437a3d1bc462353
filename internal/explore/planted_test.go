package explore

import (
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fault that is planted in naive is found, in the shortest history that there
// is: in an answer, in an effect that no answer tells, or in a state before that
// shows at all.
func TestPlantedFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		deviation string
		kind      Kind
		history   []string
	}{
		{"usable-at-expiry", Answers, []string{
			`["acquire",0,"a","L",1]`,
			`["acquire",1,"a","L",1]`,
		}},
		{"shared-overtakes", Answers, []string{
			`["acquire",0,"a","L",1,"shared"]`,
			`["acquire",0,"b","L",1]`,
			`["acquire",0,"c","L",1,"shared"]`,
		}},
		{"release-without-hand-over", Effects, []string{
			`["acquire",0,"a","L",1]`,
			`["acquire",0,"b","L",1]`,
			`["release",0,"a","L"]`,
		}},
		{"chain-stops-after-one", Answers, []string{
			`["acquire",0,"a","L",1]`,
			`["acquire",0,"b","L",1]`,
			`["inspect",2,"L"]`,
		}},
		{"age-at-grant", States, []string{
			`["acquire",0,"a","L",1]`,
			`["acquire",0,"b","L",1]`,
		}},
		{"rejected-token-recorded", States, []string{
			`["acquire",0,"a","L",1]`,
			`["write",0,"L","k","v",2]`,
			`["write",0,"L","k","w",1]`,
		}},
		{"oldest-victim", Answers, []string{
			`["acquire",0,"a","L",2]`,
			`["acquire",0,"b","M",2]`,
			`["acquire",0,"a","M",2]`,
			`["acquire",0,"b","L",2]`,
		}},
		{"queue-edges-missing", Answers, []string{
			`["acquire",0,"a","L",2]`,
			`["acquire",0,"b","M",2]`,
			`["acquire",0,"a","M",2]`,
			`["acquire",0,"c","L",2]`,
			`["acquire",0,"b","L",2]`,
		}},
		{"victim-returns-with-its-age", States, []string{
			`["acquire",0,"a","L",2]`,
			`["acquire",0,"b","M",2]`,
			`["acquire",0,"a","M",2]`,
			`["acquire",0,"b","L",2]`,
			`["acquire",0,"b","L",2]`,
		}},
	} {
		t.Run(c.deviation, func(t *testing.T) {
			s := scope(events.Current, 3, 2, c.deviation == "rejected-token-recorded")
			s.Depth = 6
			if len(c.history) > 3 {
				s.TTLs, s.Steps, s.Looks = []int64{2}, []int64{0}, nil
			}
			r, err := Explore(t.Context(), s, Options{Deviations: []string{c.deviation}})
			require.NoError(t, err)
			require.NotNil(t, r.Failure)
			require.Equal(t, c.history, lines(r.Failure.History))
			require.Equal(t, c.kind, r.Failure.Kind)
			require.Equal(t, len(c.history)-1, r.Depth)
			require.False(t, r.Complete)
		})
	}
}

// A failure reads as a story.
func TestFailuresAreTold(t *testing.T) {
	s := scope(events.Current, 1, 1, false)
	s.Depth = 3
	r, err := Explore(t.Context(), s, Options{Deviations: []string{"renew-at-expiry"}})
	require.NoError(t, err)
	require.Equal(t, `answers after 2 operations
  ["acquire",0,"a","L",1]
  ["renew",1,"a","L",1]
required: ["renewed",2]
got:      "error: not holder"`, r.Failure.String())
}

// beyond lists the deviations that no move can show: they are about texts,
// numbers and names that no move has, or about repeat.
var beyond = []string{
	"age-at-refused-acquire", "booleans-are-integers", "busy-before-validation", "fractions-are-integers",
	"holder-before-range", "instant-before-name", "invalid-operation-leaves-clock", "modulus-ignored", "names-fold-case",
	"offset-after-modulus", "range-before-type", "repeat-counts-from-one", "repeat-step-ignored", "repeat-stops-at-refusal",
	"status-holds-by-utf16", "surrogates-replaced", "tally-lists-as-other", "tally-without-aborted", "tally-without-other",
	"tokens-through-float", "ttl-clamped", "unknown-operation-moves-clock",
}

// Every other deviation is found: the moves leave no rule out.
func TestMovesLeaveNothingOut(t *testing.T) {
	if !*all {
		t.Skip("takes some minutes; run with -all")
	}
	for _, d := range naive.Deviations() {
		scopes := narrowScopes(rulesFor(d.Name))
		hidden := slices.Contains(beyond, d.Name)
		if hidden {
			scopes = scopes[:3] // the others have no other operations
		}
		found := slices.ContainsFunc(scopes, func(s Scope) bool {
			r, err := Explore(t.Context(), s, Options{Deviations: []string{d.Name}})
			require.NoError(t, err)
			return r.Failure != nil
		})
		assert.Equal(t, !hidden, found, d.Name)
	}
}

// narrowScopes are each about some of the rules.
func narrowScopes(rules events.Rules) []Scope {
	limits := Scope{
		Rules: rules, Clients: 2, Locks: 1, TTLs: []int64{0, 1, rules.MaxTTL(), rules.MaxTTL() + 1},
		Steps: []int64{0, 1, -1}, Modes: bothModes, Depth: 2,
	}
	times := scope(rules, 3, 1, false)
	times.Depth = 4
	store := Scope{
		Rules: rules, Clients: 1, Locks: 2, Keys: 2, TTLs: []int64{1}, Steps: []int64{0, 1},
		Modes: writers, Store: true, Depth: 4,
	}
	transactions := Scope{Rules: rules, Clients: 3, Locks: 2, TTLs: []int64{2, 3}, Steps: []int64{0}, Modes: bothModes, Depth: 5}
	fences := Scope{Rules: rules, Clients: 2, Locks: 2, Keys: 1, TTLs: []int64{2}, Steps: []int64{0}, Modes: writers, Store: true, Depth: 6}
	crowds := Scope{Rules: rules, Clients: 4, Locks: 1, TTLs: []int64{2}, Steps: []int64{0}, Modes: bothModes, Depth: 6}
	crossings := Scope{Rules: rules, Clients: 3, Locks: 3, TTLs: []int64{2}, Steps: []int64{0}, Modes: writers, Depth: 6}
	return []Scope{limits, times, store, transactions, fences, crowds, crossings}
}
