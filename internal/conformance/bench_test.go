package conformance

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

// How many operations a second go through a pipe and back, with the answers that
// package fsm gives there, and that are compared with those it gives here.
func BenchmarkStream(b *testing.B) {
	for _, size := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("operations=%d", size), func(b *testing.B) {
			measure(b, open(b, target(b, "stream", Stream)), size)
		})
	}
}

// The examples answer in their own time.
func BenchmarkExamples(b *testing.B) {
	for language, line := range examples {
		b.Run(language, func(b *testing.B) {
			measure(b, open(b, example(b, line, Stream)), 1000)
		})
	}
}

func measure(b *testing.B, session *Session, size int) {
	b.Helper()
	profile, err := history.ProfileNamed("contention")
	require.NoError(b, err)
	histories := make([]history.History, 10)
	for i := range histories {
		h := history.Generate(events.Current, profile, uint64(i), size)
		h.Events = slices.DeleteFunc(h.Events, func(e events.Event) bool { // a repeat is many
			_, repeats := e.(events.Repeat)
			return repeats
		})
		histories[i] = h
	}
	_, err = session.Run(context.Background(), history.History{Rules: events.Current}) // starts the process
	require.NoError(b, err)
	operations := 0
	for n := 0; b.Loop(); n++ {
		h := histories[n%len(histories)]
		verdict, err := session.Run(context.Background(), h)
		require.NoError(b, err)
		require.Equal(b, Agrees{Answers: len(h.Events)}, verdict)
		operations += len(h.Events)
	}
	b.ReportMetric(float64(operations)/b.Elapsed().Seconds(), "operations/s")
}
