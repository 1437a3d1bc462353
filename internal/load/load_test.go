package load_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/load"
)

// A load is decided by its parameters alone.
func TestMixedIsDeterministic(t *testing.T) {
	for _, config := range []load.Config{
		{Locks: 100, Events: 2000},
		{Locks: 100, Events: 2000, Zipf: true},
		{Locks: 100, Events: 2000, Single: true},
	} {
		first := load.Mixed(config)
		require.Equal(t, first, load.Mixed(config))
		config.Seed++
		require.NotEqual(t, first, load.Mixed(config))
	}
}

// What comes of a mixed load: how many effects of each kind there are for a
// thousand events, and the share of the locks that are still held at the end.
func TestMixedShares(t *testing.T) {
	const locks, count = 10_000, 200_000
	for _, test := range []struct {
		zipf bool
		want map[string]int
		live int
	}{
		{false, map[string]int{
			"granted": 168, "queued": 223, "renewed": 181, "released": 130, "withdrawn": 7, "expired": 46,
			"written": 136, "refused": 214,
		}, 800},
		{true, map[string]int{
			"granted": 152, "queued": 248, "renewed": 169, "released": 150, "withdrawn": 8, "expired": 18,
			"written": 134, "refused": 216,
		}, 680},
	} {
		t.Run(fmt.Sprintf("zipf=%t", test.zipf), func(t *testing.T) {
			l := load.Mixed(load.Config{Locks: locks, Events: count, Zipf: test.zipf, Seed: 1})
			machine := start(t)
			require.Equal(t, map[string]int{"granted": locks}, effects(machine, l.Setup))
			stream := effects(machine, l.Stream)
			for name, want := range test.want {
				require.InDelta(t, want, stream[name]*1000/count, 3+float64(want)/20, name)
			}
			live := locks + stream["granted"] - stream["released"] - stream["expired"]
			require.InDelta(t, test.live, 1000*live/locks, 40)
		})
	}
}

// In a Single load nobody holds a lock and asks for another: every requester
// is new, or is told that it is busy.
func TestSingleLockClients(t *testing.T) {
	l := load.Mixed(load.Config{Locks: 100, Events: 5000, Single: true})
	machine := start(t)
	effects(machine, l.Setup)
	for _, e := range l.Stream {
		if acquire, ok := e.(events.Acquire); ok {
			state := machine.State().At(acquire.At)
			view := fsm.NewMachine(state).Apply(events.Status{At: acquire.At, Client: acquire.Client}).Answer
			require.Empty(t, view.(events.ClientView).Holds)
		}
		machine.Apply(e)
	}
}

// A cycle leaves its lock as crowded as it was.
func TestCyclesReturn(t *testing.T) {
	for name, crowd := range map[string]func(int) ([]events.Event, []load.Cycle){
		"queue": load.Queue, "shared": load.SharedHolders,
	} {
		setup, cycles := crowd(12)
		for _, cycle := range cycles {
			t.Run(name+" "+cycle.Name, func(t *testing.T) {
				machine := start(t)
				effects(machine, setup)
				inspect := events.Inspect{At: setup[0].(events.Acquire).At, Lock: "lock-0000000"}
				before := machine.Apply(inspect).Answer.(events.LockView)
				for range 3 {
					require.Zero(t, effects(machine, cycle.Stream)["refused"])
					after := machine.Apply(inspect).Answer.(events.LockView)
					require.Len(t, after.Holders, len(before.Holders))
					require.Len(t, after.Queue, len(before.Queue))
				}
			})
		}
	}
}

// The last event of a ring closes the cycle, and the youngest client goes.
func TestRingIsClosed(t *testing.T) {
	l := load.Ring(5)
	machine := start(t)
	require.Equal(t, map[string]int{"granted": 5, "queued": 4}, effects(machine, l.Setup))
	answer := machine.Apply(l.Stream[0]).Answer
	require.Equal(t, events.Queued{Position: 1, Victims: []string{"client-0000004"}}, answer)
}

// The last event of a cascade aborts the whole queue, the youngest first, and
// then the holder.
func TestCascadeEmptiesTheQueue(t *testing.T) {
	l := load.Cascade(3)
	machine := start(t)
	require.Equal(t, map[string]int{"granted": 2, "queued": 4}, effects(machine, l.Setup))
	answer := machine.Apply(l.Stream[0]).Answer.(events.Granted)
	require.Equal(t, []string{"client-0000004", "client-0000003", "client-0000002", "client-0000001"}, answer.Victims)
}

func start(t *testing.T) *fsm.Machine {
	t.Helper()
	state, err := fsm.New(load.Rules)
	require.NoError(t, err)
	return fsm.NewMachine(state)
}

// effects counts what the events brought about, by kind.
func effects(machine *fsm.Machine, list []events.Event) map[string]int {
	counts := map[string]int{}
	for _, e := range list {
		for _, effect := range machine.Apply(e).Effects {
			counts[effect.Kind.String()]++
		}
	}
	return counts
}
