package history_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/history"
)

// BenchmarkShrink shrinks a history of 1,000 operations, for faults whose normal
// forms have one to six operations.
func BenchmarkShrink(b *testing.B) {
	everything, err := history.ProfileNamed("everything")
	if err != nil {
		b.Fatal(err)
	}
	for _, deviation := range []string{
		"write-requires-lease", "renew-at-expiry", "queue-grant-keeps-token", "queue-lifo", "cycles-of-two-only", "age-by-head-count",
	} {
		b.Run(deviation, func(b *testing.B) {
			judge := deviates(deviation)
			var long history.History
			for seed := uint64(1); judge(long) == ""; seed++ {
				long = history.Generate(history.DrawRules(6), everything, seed, 1000)
			}
			calls := 0
			for b.Loop() {
				history.Shrink(long, func(h history.History) history.Class { calls++; return judge(h) })
			}
			b.ReportMetric(float64(calls)/float64(b.N), "calls/op")
		})
	}
}
