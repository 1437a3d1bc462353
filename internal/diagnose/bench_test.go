package diagnose_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/load"
)

// BenchmarkDiagnose diagnoses logs of a busy service with one mistake. How long
// that takes depends on where the mistake shows: ns/op are of a whole diagnosis,
// events/s of the log.
func BenchmarkDiagnose(b *testing.B) {
	for _, locks := range []int{1_000, 10_000} {
		sizes := []int{100_000, 1_000_000}
		if testing.Short() {
			sizes = []int{10_000}
		}
		for _, n := range sizes {
			l := load.Mixed(load.Config{Locks: locks, Events: n - locks, Seed: 1})
			list := append(append([]events.Event(nil), l.Setup...), l.Stream...)
			for _, deviation := range []string{"renew-at-expiry", "hand-over-at-observation", "mark-reset-when-idle"} {
				b.Run(fmt.Sprintf("locks=%d/events=%d/%s", locks, n, deviation), func(b *testing.B) {
					entries := answered(b, load.Rules, list, deviation)
					b.ResetTimer()
					for b.Loop() {
						d, err := diagnose.Diagnose(context.Background(), load.Rules, entries, diagnose.Options{})
						require.NoError(b, err)
						require.True(b, d.Complete)
						if d.Wrong > 0 {
							require.NotEmpty(b, d.Singles)
							b.ReportMetric(float64(d.First.Index), "first-wrong")
							b.ReportMetric(float64(len(d.Singles)), "candidates")
						}
					}
					b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "events/s")
				})
			}
		}
	}
}
