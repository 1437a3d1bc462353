package history_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/processor"
)

// BenchmarkCheck draws histories of 50 operations and holds the state machine
// against the model. Histories a minute are those of one processor that does
// nothing else.
func BenchmarkCheck(b *testing.B) {
	each(b, func(b *testing.B, h history.History) {
		if d, differs, err := history.Check(h); err != nil || differs {
			b.Fatal(d, err)
		}
	})
}

// BenchmarkGenerate is the drawing alone.
func BenchmarkGenerate(b *testing.B) {
	each(b, func(*testing.B, history.History) {})
}

func each(b *testing.B, do func(*testing.B, history.History)) {
	for _, profile := range history.Profiles() {
		b.Run(profile.Name, func(b *testing.B) {
			g := history.NewGenerator(profile)
			seed, begin := uint64(0), processor.Time()
			b.ReportAllocs()
			for b.Loop() {
				do(b, g.Generate(history.DrawRules(seed), seed, 50))
				seed++
			}
			b.ReportMetric(float64(seed)/(processor.Time()-begin).Minutes(), "histories/min")
		})
	}
}
