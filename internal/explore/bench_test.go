package explore

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/processor"
	"github.com/stretchr/testify/require"
)

// BenchmarkExplore goes through the whole space of two clients and two locks,
// with one worker. Rates are those of a processor that has nothing else to do:
// per second that this process has used one.
func BenchmarkExplore(b *testing.B) {
	s := scope(events.Current, 2, 2, false)
	edges, begin := int64(0), processor.Time()
	for b.Loop() {
		r, err := Explore(b.Context(), s, Options{Workers: 1})
		require.NoError(b, err)
		require.Nil(b, r.Failure)
		edges += r.Edges
		b.ReportMetric(float64(r.Bytes)/float64(r.States), "bytes/state")
	}
	b.ReportMetric(float64(edges)/(processor.Time()-begin).Seconds(), "edges/s")
	b.ReportMetric(0, "ns/op")
}
