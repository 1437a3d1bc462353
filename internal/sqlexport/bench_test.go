package sqlexport

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/load"
	"github.com/stretchr/testify/require"
)

// BenchmarkExport makes the database of a history of 200,000 events over 10,000
// locks, indexes included.
func BenchmarkExport(b *testing.B) {
	locks, n := 10_000, 200_000
	if testing.Short() {
		locks, n = 1000, 10_000
	}
	l := load.Mixed(load.Config{Locks: locks, Events: n - locks, Seed: 1})
	for b.Loop() {
		start := fresh(b, load.Rules)
		w, err := Create(filepath.Join(b.TempDir(), "db"), start)
		require.NoError(b, err)
		m := fsm.NewMachine(start)
		for _, e := range slices.Concat(l.Setup, l.Stream) {
			require.NoError(b, w.Add(stepOf(m, e)))
		}
		_, err = w.Finish(nil)
		require.NoError(b, err)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e6/float64(n), "s/million")
}
