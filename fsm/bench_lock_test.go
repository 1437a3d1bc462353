package fsm_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/load"
)

// BenchmarkQueue compares operations on a lock with a long queue with the same
// on a lock with ten waiters. One op is a round.
func BenchmarkQueue(b *testing.B) { crowds(b, load.Queue) }

// BenchmarkSharedHolders does the same for shared holders.
func BenchmarkSharedHolders(b *testing.B) { crowds(b, load.SharedHolders) }

func crowds(b *testing.B, crowd func(int) ([]events.Event, []load.Cycle)) {
	const few, many, round = 10, 20_000, 20_000
	fewSetup, fewCycles := crowd(few)
	manySetup, manyCycles := crowd(many)
	side := func(setup []events.Event, cycle load.Cycle) *track {
		return &track{
			start:  func() func(events.Event) { return inPlace.start(setup) },
			stream: cycle.Stream, cyclic: true,
		}
	}
	for i, cycle := range manyCycles {
		b.Run(fmt.Sprintf("%d/%s", many, cycle.Name), func(b *testing.B) {
			duel(b, round, "few", side(fewSetup, fewCycles[i]), side(manySetup, cycle))
		})
	}
}

// BenchmarkRing closes a ring of clients that each hold a lock and await the
// next: the cycle is found and the youngest aborted. One op is that event.
func BenchmarkRing(b *testing.B) {
	for _, clients := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			lastEvent(b, load.Ring(clients), inPlace)
		})
	}
}

// BenchmarkCascade lets a whole queue be aborted one by one, to break a cycle
// that leads through it. One op is that event.
func BenchmarkCascade(b *testing.B) {
	for _, waiters := range []int{500, 2000} {
		for _, c := range []contestant{theBaseline, inPlace} {
			b.Run(fmt.Sprintf("%d/%s", waiters, c.name), func(b *testing.B) {
				lastEvent(b, load.Cascade(waiters), c)
			})
		}
	}
}

// lastEvent measures the one event of the load's stream.
func lastEvent(b *testing.B, l load.Load, c contestant) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		apply := c.start(l.Setup)
		b.StartTimer()
		apply(l.Stream[0])
	}
}

// BenchmarkMemory is what a lease takes when there are a million, each on a
// lock and by a client of its own. The bytes of the names are counted apart.
// One op grants them all.
func BenchmarkMemory(b *testing.B) {
	const leases = 1_000_000
	for _, c := range []contestant{theBaseline, inPlace} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() {
				b.Skip("short")
			}
			setup := load.Leases(leases).Setup
			var all, names float64
			for b.Loop() {
				all = heapOf(func() any { return c.start(setup) })
			}
			if c.name != theBaseline.name { // which keeps the strings that it was given
				names = nameBytes(setup)
			}
			b.ReportMetric((all-names)/leases, "B/lease")
			b.ReportMetric(names/leases, "B/names")
			runtime.KeepAlive(setup)
		})
	}
}

// heapOf is how many bytes more are in use as long as what f returns is.
func heapOf(f func() any) float64 {
	before := heapInUse()
	kept := f()
	after := heapInUse()
	runtime.KeepAlive(kept)
	return float64(after) - float64(before)
}

func heapInUse() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// nameBytes is what copies of the clients' and the locks' names take.
func nameBytes(acquires []events.Event) float64 {
	copies := make([]string, 0, 2*len(acquires))
	return heapOf(func() any {
		for _, e := range acquires {
			acquire := e.(events.Acquire)
			copies = append(copies, strings.Clone(acquire.Client), strings.Clone(acquire.Lock))
		}
		return copies
	})
}
