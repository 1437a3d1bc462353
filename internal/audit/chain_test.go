package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// Only the events that matter are in the chain: the lease that ended (R2), the
// request that got the lock (R3), and the renew that came too late; not the other
// lock, not the store, not the third in the queue.
func TestTheChainIsWhatMatters(t *testing.T) {
	log := logOf(t, `
		["acquire", 0, "x", "other", 30]
		["acquire", 0, "a", "L", 30]
		["acquire", 5, "b", "L", 20]
		["acquire", 8, "c", "L", 15]
		["write", 20, "L", "k", "v", 1]
		["renew", 25, "x", "other", 30]
		["renew", 30, "a", "L", 30]`, "renew-at-expiry")
	r := examined(t, events.Current, log)
	require.Equal(t, uint64(7), r.Sequence)
	require.Equal(t, []int{2, 3, 7}, sequences(r))
	require.True(t, r.Minimal)
	require.Equal(t, []string{"R2"}, r.Broken)
	require.Equal(t, []string{
		"grants a the lock L, with token 1 until 30 (R2, R5); the lease ends at 30 (R2) and the lock passes to b with token 2 (R3)",
		"puts b into the queue of L, at position 1 (R4); b has it from 30 on, with token 2 until 50 (R3)",
		"is refused: not holder (R2)",
	}, []string{r.Chain[0].Why, r.Chain[1].Why, r.Chain[2].Why})
}

// A token counts all grants of its lock (R5), so all of them matter to it.
func TestEveryGrantMattersToAToken(t *testing.T) {
	log := logOf(t, `
		["acquire", 0, "a", "L", 5]
		["acquire", 1, "z", "M", 5]
		["acquire", 10, "b", "L", 5]
		["acquire", 20, "c", "L", 5] => ["granted",4,25]`)
	r := examined(t, events.Current, log)
	require.Equal(t, []int{1, 3, 4}, sequences(r))
	require.Equal(t, []string{"R5"}, r.Broken)
	require.Empty(t, r.Cause)
}

// The chain, replayed alone, requires an answer that the recorded one contradicts
// in the same way, and a service with the same mistake gives the wrong one again.
func TestTheChainAloneShowsTheSameDeviation(t *testing.T) {
	profiles := history.Profiles()
	shown := 0
	for i, deviation := range naive.Deviations() {
		rules := history.DrawRules(uint64(i))
		h := history.Generate(rules, profiles[i%len(profiles)], uint64(i), 100)
		log := answered(t, rules, h.Events, deviation.Name)
		r := examined(t, rules, log)
		if r == nil {
			continue
		}
		shown++
		t.Run(deviation.Name, func(t *testing.T) {
			require.True(t, r.Explains, "seed %d", i)
			require.True(t, r.Minimal)
			require.Zero(t, r.Counts[audit.New]+r.Counts[audit.Unknown], "one mistake explains all")
			require.Equal(t, uint64(len(log)), r.Separated)
			requireAlone(t, rules, log, r)
		})
	}
	require.Greater(t, shown, 40)
}

// requireAlone replays a chain by itself.
func requireAlone(t *testing.T, rules events.Rules, log []diagnose.Entry, r *audit.Report) {
	var alone []events.Event
	for i, l := range r.Chain {
		require.Equal(t, log[l.Sequence-1].Event, l.Event)
		require.True(t, i == 0 || r.Chain[i-1].Sequence < l.Sequence)
		require.NotEmpty(t, l.Why)
		alone = append(alone, l.Event)
	}
	require.Equal(t, r.Sequence, r.Chain[len(r.Chain)-1].Sequence)
	var names []string
	for _, d := range r.Cause {
		names = append(names, d.Name)
	}
	service := func(deviations ...string) history.Start {
		return func(rules events.Rules) (history.Service, error) { return naive.New(rules, deviations...) }
	}
	class := func(list []events.Event) history.Class {
		return history.DiffersAlike(service(), service(names...))(history.History{Rules: rules, Events: list})
	}
	var whole []events.Event
	for i := range log[:r.Sequence] {
		whole = append(whole, log[i].Event)
	}
	require.NotEmpty(t, class(alone))
	require.Equal(t, class(whole), class(alone))
}
