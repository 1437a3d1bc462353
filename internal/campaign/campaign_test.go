package campaign_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/campaign"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
)

func options(t *testing.T, workers int, deviations ...string) campaign.Options {
	profile, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	return campaign.Options{
		Seed: 100, Histories: 2000, Operations: 50, Profile: profile, Workers: workers,
		Open: campaign.Model(deviations...),
	}
}

// However many workers there are, the fault that is found is the first one, and
// the next campaign begins behind it: no seed is passed over.
func TestTheFirstFaultIsFound(t *testing.T) {
	var first campaign.Outcome
	for _, workers := range []int{1, 2, 7} {
		outcome, err := campaign.Run(t.Context(), options(t, workers, "first-holder-edge-only"))
		require.NoError(t, err)
		require.Len(t, outcome.Faults, 1)
		require.Equal(t, outcome.Faults[0].Seed+1, outcome.Next)
		if workers == 1 {
			first = outcome
			require.Equal(t, outcome.Next-100, outcome.Histories)
		}
		require.Equal(t, first.Faults, outcome.Faults, "%d workers", workers)
	}
}

// Different faults are told apart by class, in the order in which they come.
func TestFaultsOfDifferentClasses(t *testing.T) {
	o := options(t, 3, "queue-lifo")
	o.Faults = 4
	outcome, err := campaign.Run(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, outcome.Faults, 4)
	classes := map[history.Class]bool{}
	for i, fault := range outcome.Faults {
		classes[fault.Class] = true
		require.True(t, i == 0 || outcome.Faults[i-1].Seed < fault.Seed)
	}
	require.Len(t, classes, 4)
}

// Without a fault, as many histories are tried as were wanted, and a corpus
// before them.
func TestNothingIsFound(t *testing.T) {
	o := options(t, 3)
	o.Open, o.Histories = campaign.Itself, 60
	o.Corpus = []campaign.Entry{{Name: "kept", History: history.History{
		Rules: events.Current, Events: []events.Event{events.Inspect{Lock: "L"}},
	}}}
	outcome, err := campaign.Run(t.Context(), o)
	require.NoError(t, err)
	require.Empty(t, outcome.Faults)
	require.EqualValues(t, 61, outcome.Histories)
	require.EqualValues(t, 3001, outcome.Operations)
	require.EqualValues(t, 160, outcome.Next)
}

// A corpus goes first, and its faults carry its names.
func TestTheCorpusGoesFirst(t *testing.T) {
	o := options(t, 2, "tokens-from-zero")
	o.Corpus = []campaign.Entry{{Name: "first grant", History: history.History{
		Rules: events.Current, Events: []events.Event{events.Acquire{Client: "a", Lock: "L", TTL: 1, Mode: events.Exclusive}},
	}}}
	outcome, err := campaign.Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, "first grant", outcome.Faults[0].Entry)
	require.EqualValues(t, 100, outcome.Next)
}

// A campaign that is interrupted tells what it has found by then.
func TestAnInterruptedCampaign(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := options(t, 2, "queue-lifo")
	o.Faults = 1 << 30
	o.Histories = 1 << 40
	seen := 0
	o.Progress = func(c campaign.Count) {
		if seen++; c.Histories > 50 {
			cancel()
		}
	}
	outcome, err := campaign.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, outcome.Faults)
	require.Positive(t, seen)
}

// A fault is made as simple as it gets, told and explained; what came after the
// wrong answer is left out even if there is no time for more.
func TestAFaultIsUnderstood(t *testing.T) {
	o := options(t, 1, "renew-ignores-expiry")
	outcome, err := campaign.Run(t.Context(), o)
	require.NoError(t, err)
	subject, err := o.Open(t.Context())
	require.NoError(t, err)
	fault := outcome.Faults[0]

	understood, err := campaign.Understand(t.Context(), subject, fault, campaign.Effort{Shrink: time.Minute, Explain: time.Minute, Coarse: true})
	require.NoError(t, err)
	require.False(t, understood.Unfinished)
	require.Len(t, understood.History.Events, 2)
	require.Contains(t, understood.Story, "required: error: not holder")
	require.Equal(t, []string{"R2"}, understood.Explanation.Rules)

	hasty, err := campaign.Understand(t.Context(), subject, fault, campaign.Effort{Shrink: -1, Explain: time.Minute})
	require.NoError(t, err)
	require.True(t, hasty.Unfinished)
	require.Len(t, hasty.History.Events, fault.Verdict.(conformance.WrongAnswer).Sequence)
}
