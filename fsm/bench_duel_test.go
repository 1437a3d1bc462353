package fsm_test

import (
	"slices"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// track is one side of a duel: a service and the events that it is given.
type track struct {
	start  func() func(events.Event)
	stream []events.Event
	cyclic bool // the stream may be given over and over to the same service

	apply func(events.Event)
	next  int
}

// rewind goes back to the beginning of the stream.
func (t *track) rewind() {
	if !t.cyclic || t.apply == nil {
		t.apply = nil // let go of the old service before there is a new one
		t.apply = t.start()
	}
	t.next = 0
}

// run applies the next events and returns the nanoseconds that each took.
func (t *track) run(count int) float64 {
	if !t.cyclic && t.next+count > len(t.stream) {
		t.rewind()
	}
	begin := time.Now()
	for range count {
		if t.next == len(t.stream) {
			t.next = 0
		}
		t.apply(t.stream[t.next])
		t.next++
	}
	return float64(time.Since(begin).Nanoseconds()) / float64(count)
}

// duel gives rounds of events to two services by turns and reports the median
// times of an event, and the median of the ratios within a round.
func duel(b *testing.B, round int, reference string, a, c *track) {
	var times, ratios []float64
	var references []float64
	a.rewind()
	c.rewind()
	for b.Loop() {
		of, to := a.run(round), c.run(round)
		references, times, ratios = append(references, of), append(times, to), append(ratios, to/of)
	}
	b.ReportMetric(median(references), reference+"-ns/event")
	b.ReportMetric(median(times), "ns/event")
	b.ReportMetric(median(ratios), "x-"+reference)
}

func median(list []float64) float64 {
	slices.Sort(list)
	middle := len(list) / 2
	if len(list)%2 == 0 {
		return (list[middle-1] + list[middle]) / 2
	}
	return list[middle]
}
