package diagnose_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

var quick = diagnose.Options{SkipTelling: true}

func diagnosis(t testing.TB, rules events.Rules, log []diagnose.Entry, options diagnose.Options) *diagnose.Diagnosis {
	d, err := diagnose.Diagnose(t.Context(), rules, log, options)
	require.NoError(t, err)
	return d
}

func names(candidates []diagnose.Candidate) (all [][]string) {
	for _, c := range candidates {
		all = append(all, c.Names())
	}
	return all
}

// Whatever the mistake is, it is found in the answers to a story in which it
// shows, and what is said of all other deviations is true.
func TestEveryDeviationIsFoundInItsStory(t *testing.T) {
	for _, s := range stories(t) {
		t.Run(s.deviation, func(t *testing.T) {
			log := answered(t, s.rules, s.events, s.deviation)
			d := diagnosis(t, s.rules, log, quick)
			require.Equal(t, len(log)-1, d.First.Index)
			require.Contains(t, names(d.Singles), []string{s.deviation})
			requireTrue(t, log, d)
		})
	}
}

// The same in histories that were not made up to show it. A history in which
// the deviation does not show is answered as the rules require.
func TestEveryDeviationIsFoundInDrawnHistories(t *testing.T) {
	profiles := history.Profiles()
	found := 0
	for i, deviation := range naive.Deviations() {
		for seed := range uint64(3) {
			rules := history.DrawRules(seed + uint64(i))
			h := history.Generate(rules, profiles[(i+int(seed))%len(profiles)], seed, 120)
			log := answered(t, rules, h.Events, deviation.Name)
			d := diagnosis(t, rules, log, quick)
			if d.Wrong == 0 {
				require.Nil(t, mismatchOf(t, rules, log), "seed %d", seed)
				continue
			}
			found++
			require.Contains(t, names(d.Singles), []string{deviation.Name}, "seed %d", seed)
			requireTrue(t, log, d)
		}
	}
	require.Greater(t, found, 100)
}

// Two mistakes at once: all pairs are found that give the answers, and no other,
// as trying every one of them tells.
func TestPairsAreFound(t *testing.T) {
	all := naive.Deviations()
	r := rand.New(rand.NewPCG(1, 2))
	profiles := history.Profiles()
	for found := 0; found < 4; {
		rules := history.DrawRules(r.Uint64())
		h := history.Generate(rules, profiles[r.IntN(len(profiles))], r.Uint64(), 40)
		a, b := all[r.IntN(len(all))].Name, all[r.IntN(len(all))].Name
		log := answered(t, rules, h.Events, a, b)
		d := diagnosis(t, rules, log, quick)
		if a == b || d.Wrong == 0 || len(d.Singles) > 0 {
			continue
		}
		found++
		pair := []string{min(a, b), max(a, b)}
		require.Contains(t, names(d.Pairs), pair)
		require.Equal(t, diagnose.PairCount(), d.PairsTried)
		require.Equal(t, pairsByTrying(t, rules, log), names(d.Pairs), "%v", pair)
		requireTrue(t, log, d)
	}
}

func pairsByTrying(t *testing.T, rules events.Rules, log []diagnose.Entry) (pairs [][]string) {
	all := naive.Deviations()
	for i, a := range all {
		for _, b := range all[i+1:] {
			if mismatchOf(t, rules, log, a.Name, b.Name) == nil {
				pairs = append(pairs, []string{a.Name, b.Name})
			}
		}
	}
	return pairs
}

// Three mistakes are more than anybody looks for. What is said of parts is
// true.
func TestPartsAreCounted(t *testing.T) {
	list := []events.Event{
		parsed(t, events.Current, `["acquire",0,"a","L",10]`),
		parsed(t, events.Current, `["acquire",1,"b","L",10]`),
		parsed(t, events.Current, `["renew",10,"a","L",5]`),
		parsed(t, events.Current, `["release",11,"c","L"]`),
	}
	log := answered(t, events.Current, list, "renew-at-expiry", "position-from-zero", "release-of-nothing-accepted")
	d := diagnosis(t, events.Current, log, diagnose.Options{})
	require.Equal(t, 3, d.Wrong)
	require.Empty(t, d.Singles)
	require.Empty(t, d.Pairs)
	requireTrue(t, log, d)
	require.NotEmpty(t, d.Partial)
	for _, p := range d.Partial {
		require.Equal(t, 4, p.Examined)
		require.Equal(t, d.RuledOut[p.Deviation.Name].Index, p.Prefix)
		given := 0
		for i, e := range answered(t, events.Current, list, p.Deviation.Name) {
			if string(e.Recorded) == string(log[i].Recorded) {
				given++
			}
		}
		require.Equal(t, 4-given, p.Unexplained, p.Deviation.Name)
		require.Less(t, p.Unexplained, d.Wrong)
	}
	require.True(t, slices.ContainsFunc(d.Partial, func(p diagnose.Partial) bool { return p.Deviation.Name == "position-from-zero" }))
}

// A context that is done ends the search, and the diagnosis says so.
func TestAnEndedContext(t *testing.T) {
	s := stories(t)[0]
	log := answered(t, s.rules, s.events, s.deviation)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := diagnose.Diagnose(ctx, s.rules, log, diagnose.Options{})
	require.NoError(t, err)
	require.False(t, d.Complete)
	require.Equal(t, len(log), d.Operations)
	require.Zero(t, d.Examined)

	// It may also come to its end on the way.
	ctx, cancel = context.WithCancel(t.Context())
	long := slices.Repeat(log[:1], 50_000) // of which all but the first are refused
	long[len(long)-1].Recorded = []byte(`"never"`)
	d, err = diagnose.Diagnose(ctx, s.rules, long, diagnose.Options{Progress: func(int64) { cancel() }})
	require.NoError(t, err)
	require.False(t, d.Complete)
}
