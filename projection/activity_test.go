package projection_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Every event is counted once, and every run of a repeat; refusals under the
// words that the answer has; buckets ascend and do not overlap (R27).
func TestActivityCountsEverythingOnce(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		width := rapid.Int64Range(1, 20).Draw(t, "width")
		var buckets []projection.Bucket
		activity := projection.NewActivity(h.states[0], width, func(b projection.Bucket) { buckets = append(buckets, b) })
		h.fold(0, activity)
		activity.Flush()
		type key struct {
			operation, answer string
			run               bool
		}
		want, got := map[key]uint64{}, map[key]uint64{}
		runs := uint64(0)
		for i, e := range h.events {
			_, result := fsm.Apply(h.states[i], e)
			refusals := 0
			for _, effect := range result.Effects {
				if effect.Kind == events.EffectRefused {
					refusals++
				}
			}
			if r, ok := result.Answer.(events.Refusal); ok {
				want[key{e.Operation(), r.String(), false}]++
			} else if tally, ok := result.Answer.(events.Tally); ok {
				want[key{"repeat", "tally", false}]++
				runs += uint64(tally.Ops)
			}
		}
		events := uint64(0)
		for _, c := range activity.Totals() {
			if k := (key{c.Operation, c.Answer, c.Run}); !c.Run && (strings.HasPrefix(c.Answer, "error") || c.Answer == "tally") {
				got[k] = c.Times
			}
			if c.Run {
				runs -= c.Times
			} else {
				events += c.Times
			}
		}
		require.Equal(t, want, got)
		require.Zero(t, runs)
		require.EqualValues(t, len(h.events), events)
		requireBuckets(t, buckets, activity.Totals(), width)
	})
}

func requireBuckets(t require.TestingT, buckets []projection.Bucket, totals []projection.ActivityCount, width int64) {
	sum := map[projection.ActivityCount]uint64{}
	for i, b := range buckets {
		require.NotEmpty(t, b.Counts)
		require.True(t, b.From%width == 0)
		if i > 0 {
			require.Greater(t, b.From, buckets[i-1].From)
		}
		for _, c := range b.Counts {
			times := c.Times
			c.Times = 0
			sum[c] += times
		}
	}
	for _, c := range totals {
		times := c.Times
		c.Times = 0
		require.Equal(t, times, sum[c])
		delete(sum, c)
	}
	require.Empty(t, sum)
}

// A plain operation counts in the bucket of its instant.
func TestActivityCountsAtTheClock(t *testing.T) {
	state, err := fsm.New(events.Current)
	require.NoError(t, err)
	var buckets []projection.Bucket
	activity := projection.NewActivity(state, 10, func(b projection.Bucket) { buckets = append(buckets, b) })
	acquire := func(at int64) events.Event {
		return events.Acquire{At: at, Client: "a", Lock: "L", TTL: 5, Mode: events.Exclusive}
	}
	invalid, err := events.Current.Parse([]byte(`["fly",3]`))
	require.NoError(t, err)
	projection.Fold(state, slices.Values([]events.Event{
		invalid, // comes before there is a clock, counts with what is next
		acquire(math.MinInt64 + 1), acquire(-1), acquire(0), acquire(9),
		acquire(4), // its clock went back: it counts when it came
		events.Repeat{At: 19, Count: 3, Step: 20, Template: `["read","L","k"]`},
		acquire(60),
	}), activity)
	activity.Flush()
	count := func(operation, answer string, times uint64, run bool) projection.ActivityCount {
		return projection.ActivityCount{Operation: operation, Answer: answer, Times: times, Run: run}
	}
	require.Equal(t, []projection.Bucket{
		{From: math.MinInt64, Counts: []projection.ActivityCount{
			count("acquire", "granted", 1, false), count("invalid", "error: unknown operation", 1, false)}},
		{From: -10, Counts: []projection.ActivityCount{count("acquire", "granted", 1, false)}},
		{From: 0, Counts: []projection.ActivityCount{
			count("acquire", "granted", 1, false), count("acquire", "error: clock went back", 1, false), count("acquire", "error: client busy", 1, false)}},
		{From: 10, Counts: []projection.ActivityCount{
			count("repeat", "tally", 1, false), count("read", "value or null", 3, true)}},
		{From: 60, Counts: []projection.ActivityCount{count("acquire", "granted", 1, false)}},
	}, buckets)
}
