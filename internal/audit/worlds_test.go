package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// After a renew that came too late (R2), what a view shows follows from it; the
// next renew that comes too late is the same fault again, and what follows from
// that is a consequence of both.
func TestConsequencesAreToldFromTheSameFaultAgain(t *testing.T) {
	log := logOf(t, `
		["acquire", 0, "a", "L", 30]
		["renew", 30, "a", "L", 30]
		["inspect", 40, "L"]
		["acquire", 41, "b", "M", 10]
		["renew", 51, "b", "M", 10]
		["inspect", 52, "M"]
		["inspect", 53, "L"]`, "renew-at-expiry")
	r := examined(t, events.Current, log)
	require.True(t, r.Explains)
	require.Equal(t, "renew-at-expiry", r.Cause[0].Name)
	require.Equal(t, map[int]audit.Kind{3: audit.Follows, 5: audit.Again, 6: audit.Follows, 7: audit.Follows}, kinds(r))
	require.Equal(t, map[audit.Kind]int{audit.Follows: 3, audit.Again: 1}, r.Counts)
	require.Equal(t, uint64(7), r.Separated)
}

// A wrong answer that the mistake does not explain is a deviation of its own,
// and no pair of known ones explains it either.
func TestADeviationOfItsOwnIsNew(t *testing.T) {
	log := logOf(t, `
		["acquire", 0, "a", "L", 30]
		["acquire", 1, "b", "L", 30]
		["acquire", 1, "c", "L", 30]
		["read", 2, "L", "k"] => "never written"
		["acquire", 3, "d", "L", 30]
		["acquire", 3, "a", "N", 30]
		["acquire", 3, "e", "N", 30]`, "position-from-zero")
	r := examined(t, events.Current, log)
	require.False(t, r.Explains)
	require.Equal(t, "position-from-zero", r.Cause[0].Name)
	require.Equal(t, []string{"R4"}, r.Broken)
	require.Equal(t, map[int]audit.Kind{3: audit.Again, 4: audit.New, 5: audit.Again, 7: audit.Again}, kinds(r))
	require.Equal(t, map[int]audit.Threat{4: audit.WrongValue}, threats(r))
}

// Where no cause is known, nobody can say what followed from what.
func TestWithoutACauseNothingIsSeparated(t *testing.T) {
	log := logOf(t, `
		["acquire", 0, "a", "L", 30] => {"x": "what is this?"}
		["inspect", 1, "L"] => 17`)
	r := examined(t, events.Current, log)
	require.Empty(t, r.Cause)
	require.Equal(t, map[int]audit.Kind{2: audit.Unknown}, kinds(r))
	require.Equal(t, uint64(1), r.Separated)
}

// A service that is cured before its first operation answers by the rules; one
// that is cured in the middle of its life goes on from what it was left with.
func TestEveryMistakeCanBeCured(t *testing.T) {
	profiles := history.Profiles()
	for i, deviation := range naive.Deviations() {
		rules := history.DrawRules(uint64(i))
		h := history.Generate(rules, profiles[len(profiles)-1], uint64(i), 150)
		right, err := naive.New(rules)
		require.NoError(t, err)
		mistaken, err := naive.New(rules, deviation.Name)
		require.NoError(t, err)
		var first, later naive.Workspace
		cured, changed := first.Corrected(mistaken), later.Corrected(mistaken)
		for at, e := range h.Events {
			require.Equal(t, right.Apply(e), cured.Apply(e), "%s, event %d", deviation.Name, at+1)
			mistaken.Apply(e)
			require.NotNil(t, changed.Apply(e).Answer)
			if at%(1+i%40) == 0 {
				changed = later.Corrected(mistaken)
			}
		}
	}
}
