package projection_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/load"
	"github.com/leasekeeper/leasekeeper/internal/processor"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

const benchEvents = 200_000

// loaded is a state in the middle of a mixed load, and the steps that follow.
func loaded(b *testing.B, locks int, zipf bool) (fsm.State, []projection.Step) {
	state, err := fsm.New(load.Rules)
	require.NoError(b, err)
	l := load.Mixed(load.Config{Locks: locks, Events: benchEvents, Zipf: zipf, Seed: 1})
	state = projection.Fold(state, slices.Values(l.Setup))
	m := fsm.NewMachine(state)
	steps := make([]projection.Step, len(l.Stream))
	for i, e := range l.Stream {
		r := m.Apply(e)
		r.Effects = slices.Clone(r.Effects)
		clock, started := m.Clock()
		steps[i] = projection.Step{Event: e, Result: r, Clock: clock, Started: started}
	}
	return state, steps
}

// BenchmarkProjection tells how many events of a mixed load each projection
// takes in a second of
// processor time, garbage collection included, when the rules have been applied already.
func BenchmarkProjection(b *testing.B) {
	begin := map[string]func(fsm.State) projection.Projection{
		"timeline": func(s fsm.State) projection.Projection {
			rows := 0
			return projection.NewTimeline(s, projection.Filter{}, projection.TimelineSink{
				Lease: func(projection.Lease) { rows++ }, Renewal: func(projection.Renewal) { rows++ },
				Wait: func(projection.Wait) { rows++ }, Write: func(projection.Write) { rows++ },
			})
		},
		"one-lock": func(s fsm.State) projection.Projection {
			return projection.CollectTimeline(s, projection.Filter{Locks: []string{"lock-0000007"}})
		},
		"careers": func(s fsm.State) projection.Projection {
			return projection.NewCareers(s, nil, projection.CareersSink{})
		},
		"fencing": func(s fsm.State) projection.Projection {
			return projection.NewFencing(s, projection.FencingOptions{Write: func(projection.FencedWrite) {}})
		},
		"contention": func(s fsm.State) projection.Projection {
			return projection.NewContention(s, projection.ContentionOptions{})
		},
		"deadlocks": func(s fsm.State) projection.Projection {
			return projection.NewDeadlocks(s, func(projection.Deadlock) {})
		},
		"activity": func(s fsm.State) projection.Projection {
			return projection.NewActivity(s, int64(events.Microsecond), func(projection.Bucket) {})
		},
	}
	for _, zipf := range []bool{false, true} {
		state, steps := loaded(b, 10_000, zipf)
		for _, name := range []string{"timeline", "one-lock", "careers", "fencing", "contention", "deadlocks", "activity"} {
			b.Run(fmt.Sprintf("%s/zipf=%t", name, zipf), func(b *testing.B) {
				b.ReportAllocs()
				used, n := time.Duration(0), 0
				for b.Loop() {
					b.StopTimer()
					p := begin[name](state)
					runtime.GC()
					b.StartTimer()
					before := processor.Time()
					for i := range steps {
						p.Apply(&steps[i])
					}
					used += processor.Time() - before
					n++
				}
				b.ReportMetric(float64(n)*benchEvents/used.Seconds(), "events/cpu-s")
			})
		}
	}
}
