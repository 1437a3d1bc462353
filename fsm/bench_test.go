package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/baseline"
	"github.com/leasekeeper/leasekeeper/internal/load"
)

// contestant is one way to keep the service.
type contestant struct {
	name string
	// start brings a new service to where the setup ends. What it returns
	// applies the next event.
	start func(setup []events.Event) func(events.Event)
}

// theBaseline is the same rules on plain Go maps.
var theBaseline = contestant{"baseline", func(setup []events.Event) func(events.Event) {
	service := baseline.New(load.Rules)
	for _, e := range setup {
		service.Apply(e)
	}
	return func(e events.Event) { service.Apply(e) }
}}

// inPlace is a Machine that nobody looks at.
var inPlace = contestant{"machine", func(setup []events.Event) func(events.Event) {
	machine := machineAfter(setup)
	return func(e events.Event) { machine.Apply(e) }
}}

// forked is a Machine whose State is taken every 1,024 events, as for a commit
// or a snapshot, and kept until the next one.
var forked = contestant{"fork1024", func(setup []events.Event) func(events.Event) {
	machine := machineAfter(setup)
	kept, applied := machine.State(), 0
	return func(e events.Event) {
		machine.Apply(e)
		if applied++; applied%1024 == 0 {
			kept = machine.State()
		}
		_ = kept
	}
}}

// pure makes a new State with every event.
var pure = contestant{"apply", func(setup []events.Event) func(events.Event) {
	state := machineAfter(setup).State()
	return func(e events.Event) { state, _ = fsm.Apply(state, e) }
}}

// machineAfter is a new machine to which the events have been applied.
func machineAfter(setup []events.Event) *fsm.Machine {
	state, err := fsm.New(load.Rules)
	if err != nil {
		panic(err)
	}
	machine := fsm.NewMachine(state)
	for _, e := range setup {
		machine.Apply(e)
	}
	return machine
}

// race is a mixed load and the contestants that it is for.
type race struct {
	name        string
	load        load.Config
	contestants []contestant
}

// races leave out, at a million locks, what takes long and nobody has set a
// goal for.
var races = []race{
	{"locks=10k/keys=uniform", load.Config{Locks: 10_000}, []contestant{inPlace, forked, pure}},
	{"locks=100k/keys=uniform", load.Config{Locks: 100_000}, []contestant{inPlace, forked, pure}},
	{"locks=1M/keys=uniform", load.Config{Locks: 1_000_000}, []contestant{inPlace, forked}},
	{"locks=10k/keys=zipf", load.Config{Locks: 10_000, Zipf: true}, []contestant{inPlace, forked, pure}},
	{"locks=100k/keys=zipf", load.Config{Locks: 100_000, Zipf: true}, []contestant{inPlace, forked, pure}},
	{"locks=1M/keys=zipf", load.Config{Locks: 1_000_000, Zipf: true}, []contestant{inPlace}},
}

// run calls f for each race. A million locks take seconds to set up: -short
// leaves them out.
func run(b *testing.B, races []race, f func(b *testing.B, l load.Load, contestants []contestant)) {
	for _, r := range races {
		b.Run(r.name, func(b *testing.B) {
			if testing.Short() && r.load.Locks > 100_000 {
				b.Skip("short")
			}
			config := r.load
			config.Events, config.Seed = 1_000_000, 1
			f(b, generated(config), r.contestants)
		})
	}
}

// lastLoad saves making a load once more for each of its benchmarks.
var lastLoad struct {
	config load.Config
	load   load.Load
}

func generated(config load.Config) load.Load {
	if lastLoad.config != config {
		lastLoad.load = load.Load{}
		lastLoad.config, lastLoad.load = config, load.Mixed(config)
	}
	return lastLoad.load
}

// BenchmarkRatio is the number that speed is quoted by, x-baseline: each way to
// keep the service against the baseline, in the same run, a round of events
// here, the same round there, so that whatever else the machine does hits both.
// One op is a round. Ask for 20 of them, the whole load:
//
//	go test ./fsm -run '^$' -bench Ratio -benchtime 20x
func BenchmarkRatio(b *testing.B) {
	const round = 50_000
	run(b, races, func(b *testing.B, l load.Load, contestants []contestant) {
		for _, c := range contestants {
			b.Run(c.name, func(b *testing.B) {
				duel(b, round, "baseline",
					&track{start: func() func(events.Event) { return theBaseline.start(l.Setup) }, stream: l.Stream},
					&track{start: func() func(events.Event) { return c.start(l.Setup) }, stream: l.Stream})
			})
		}
	})
}

// BenchmarkMixed is each way to keep the service by itself, for a profiler. One
// op is an event. Ask for a million of them, -benchtime 1000000x: the first
// ones after a fork cost more than the others.
func BenchmarkMixed(b *testing.B) {
	uniform := races[:3]
	run(b, uniform, func(b *testing.B, l load.Load, contestants []contestant) {
		for _, c := range append([]contestant{theBaseline}, contestants...) {
			b.Run(c.name, func(b *testing.B) {
				t := track{start: func() func(events.Event) { return c.start(l.Setup) }, stream: l.Stream}
				t.rewind()
				b.ReportAllocs()
				for b.Loop() {
					if t.next == len(t.stream) {
						b.StopTimer()
						t.rewind()
						b.StartTimer()
					}
					t.apply(t.stream[t.next])
					t.next++
				}
			})
		}
	})
}
