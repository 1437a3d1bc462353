package audit_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/load"
)

// benchmarkAudit plants one wrong answer after another in a log of a busy
// service.
func benchmarkAudit(b *testing.B, locks, n int) {
	l := load.Mixed(load.Config{Locks: locks, Events: n - locks, Seed: 1})
	list := slices.Concat(l.Setup, l.Stream)
	answers := right(b, load.Rules, list)
	log := make([]diagnose.Entry, len(list))
	for i, a := range answers {
		log[i] = diagnose.Entry{Event: list[i], Recorded: a.AppendJSON(nil)}
	}
	require.Zero(b, found(b, load.Rules, log).Wrong)
	next := 0
	b.ResetTimer()
	for b.Loop() {
		at, wrong := -1, ""
		for ; at < 0; next++ {
			at, wrong = placeFor(plants[next%len(plants)], answers, next*7919*1009%len(list))
		}
		was := log[at].Recorded
		log[at].Recorded = []byte(wrong)
		f := found(b, load.Rules, log)
		require.Equal(b, uint64(1), f.Wrong)
		require.Equal(b, uint64(at+1), f.First.Sequence)
		log[at].Recorded = was
	}
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkExamine says all about a log of a busy service with a mistake.
func BenchmarkExamine(b *testing.B) {
	locks, n := 10_000, 1_000_000
	if testing.Short() {
		locks, n = 1000, 50_000
	}
	l := load.Mixed(load.Config{Locks: locks, Events: n - locks, Seed: 1})
	list := slices.Concat(l.Setup, l.Stream)
	for _, deviation := range []string{"hand-over-at-observation", "stale-token-accepted", "queue-lifo"} {
		b.Run(deviation, func(b *testing.B) {
			log := answered(b, load.Rules, list, deviation)
			b.ResetTimer()
			for b.Loop() {
				r, err := audit.Examine(b.Context(), audit.Log{Start: fresh(b, load.Rules), Entries: log}, audit.Options{Time: 20 * time.Second})
				require.NoError(b, err)
				require.NotNil(b, r, "the mistake does not show")
				b.ReportMetric(float64(r.Sequence), "first")
				b.ReportMetric(float64(len(r.Chain)), "chain")
				b.ReportMetric(float64(r.Separated), "separated")
			}
		})
	}
}
