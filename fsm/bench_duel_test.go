package fsm_test

import (
	"slices"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/processor"
)

// track is one side of a duel: a service and the events that it is given.
type track struct {
	start  func() func(events.Event)
	stream []events.Event
	cyclic bool // the stream may be given over and over to the same service

	apply func(events.Event)
	next  int
}

// rewind goes back to the beginning of the stream, with a new service.
func (t *track) rewind() {
	t.apply = nil // let go of the old one first
	t.apply = t.start()
	t.next = 0
}

// round applies the next events and returns what that took.
func (t *track) round(count int) (taken cost) {
	if !t.cyclic && t.next+count > len(t.stream) {
		t.rewind()
	}
	wall, used := time.Now(), processor.Time()
	for range count {
		if t.next == len(t.stream) {
			t.next = 0
		}
		t.apply(t.stream[t.next])
		t.next++
	}
	return cost{wall: time.Since(wall), processor: processor.Time() - used}
}

// cost is what a round takes. Processor time is of all threads, so the work of
// the garbage collector is in it; other programs on the machine are not.
type cost struct{ wall, processor time.Duration }

// duel gives rounds of events to two services by turns. It reports the
// processor time of an event for each, the ratio of these, and, as x-wall, the
// median over the rounds of the ratio of the times that a clock on the wall
// shows.
func duel(b *testing.B, round int, reference string, a, c *track) {
	var sums [2]time.Duration
	var ratios []float64
	a.rewind()
	c.rewind()
	for b.Loop() {
		x, y := a.round(round), c.round(round)
		sums[0] += x.processor
		sums[1] += y.processor
		ratios = append(ratios, float64(y.wall)/float64(x.wall))
	}
	applied := float64(b.N * round)
	b.ReportMetric(float64(sums[0])/applied, reference+"-ns/event")
	b.ReportMetric(float64(sums[1])/applied, "ns/event")
	b.ReportMetric(float64(sums[1])/float64(sums[0]), "x-"+reference)
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-wall")
}
