package lab

import (
	"cmp"
	"fmt"
)

var gaps = Experiment{
	Name:     "gap",
	Question: "How much does a client's check help?",
	Story: `The operations of designs again, with a lease of 5 s and a check by the client, and
more and more time between the check and the write. The share is that of the updates
that are lost with no check at all. In the first count, the gap is only where a stall
may begin; in the second, it takes time of the lease as well.`,
	Lesson: `With a gap of a millisecond the check lets one loss in eighty through, with a second,
which is one slow call, most of them. It does not take the fault away, it makes its
rate depend on a latency that nobody controls. And the gap itself can be what outlives
the lease: then nobody has to stall for an update to be lost.`,
	Rules:      []string{"R2", "R3", "R6", "R21"},
	Seed:       23,
	HasPlot:    true,
	HasHistory: true,
	run:        runGaps,
}

// checkGaps are the gaps of the sweep in ticks, with the updates that the
// reference run loses: as the gap is where a stall may begin, and as it takes time
// as well.
var checkGaps = []struct {
	gap           int64
	lost, counted int
}{
	{1_000, 8, 8}, {10_000, 53, 54}, {100_000, 201, 205}, {1_000_000, 465, 529},
}

// lostInAll is what the reference run loses without a check.
const lostInAll = 641

// gapped is what a gap brought about.
type gapped struct {
	gap           int64
	lost, counted int
}

func (g gapped) milliseconds() float64 { return float64(g.gap) / 1000 }

func runGaps(b *bench) (*Outcome, error) {
	// The run without a check, and two for each gap.
	runs := make([]damage, 1+2*len(checkGaps))
	spoilt := make([]*Recording, len(runs))
	err := concurrently(len(runs), func(i int) (err error) {
		d := plainLease
		if i > 0 {
			d = checking(checkGaps[(i-1)/2].gap, i%2 == 0)
		}
		spoilt[i], err = b.trials(d, stallLoad, isLost, runs[i].count)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Outcome{History: cmp.Or(spoilt[1:]...)}
	unchecked := runs[0]
	var list []gapped
	for i, g := range checkGaps {
		list = append(list, gapped{g.gap, runs[1+2*i].lost, runs[2+2*i].lost})
	}
	out.Notes = []string{fmt.Sprintf("Without a check, %d updates of %d operations are lost.", unchecked.lost, b.Operations)}
	out.Table = gapTable(list, unchecked.lost, b.Operations)
	out.Plot = gapPlot(list, unchecked.lost, b)
	out.Claims = gapClaims(list, unchecked.lost, b)
	return out, nil
}

func gapTable(list []gapped, all, n int) Table {
	t := Table{Columns: []Column{
		{Key: "gap_ms", Title: "gap", Unit: "ms", Digits: 0},
		{Key: "lost", Title: "lost"},
		{Key: "lost_99", Title: "99 % of runs"},
		{Key: "share_percent", Title: "share", Unit: "%", Digits: 1},
		{Key: "lost_gap_counted", Title: "lost, gap counted"},
		{Key: "lost_gap_counted_99", Title: "99 % of runs"},
	}}
	for _, g := range list {
		t.Rows = append(t.Rows, []any{
			g.milliseconds(), g.lost, g.expected(n, false).times(1), percent(g.lost, max(all, 1)),
			g.counted, g.expected(n, true).times(1),
		})
	}
	return t
}

// slips is how likely an operation is to lose an update in spite of the check.
func slips(milliseconds float64, counted bool) float64 {
	return stallLoad.slips(leaseSeconds, milliseconds/1000, counted)
}

func (g gapped) expected(n int, counted bool) span {
	return binomialRange(n, slips(g.milliseconds(), counted), doubt)
}

func gapClaims(list []gapped, all int, b *bench) []Claim {
	counts := []known{{"no check: lost updates", lostInAll, all, stallLoad.over(leaseSeconds)}}
	for i, g := range list {
		about := fmt.Sprintf("%g ms: ", g.milliseconds())
		counts = append(counts,
			known{about + "lost updates", checkGaps[i].lost, g.lost, slips(g.milliseconds(), false)},
			known{about + "lost updates if the gap takes time as well", checkGaps[i].counted, g.counted, slips(g.milliseconds(), true)})
	}
	var c claims
	c.figures(b, counts)
	rising := true
	for i, g := range list {
		rising = rising && g.counted >= g.lost && (i == 0 || g.lost >= list[i-1].lost)
	}
	c.equal("a longer gap never loses less, nor does one that takes time", true, rising)
	return c
}

func gapPlot(list []gapped, all int, b *bench) *Plot {
	n := b.Operations
	once, counted := Series{Name: "a stall begins in the gap"}, Series{Name: "the gap takes time as well"}
	scale := 100 / float64(max(all, 1))
	for _, g := range list {
		once.Points = append(once.Points, Point{X: g.milliseconds(), Y: float64(g.lost) * scale})
		counted.Points = append(counted.Points, Point{X: g.milliseconds(), Y: float64(g.counted) * scale})
	}
	likely := stallLoad.over(leaseSeconds)
	for _, ms := range spread(1, 1000, 60) {
		once.Curve = append(once.Curve, curvePoint(ms, slips(ms, false), likely, n))
		counted.Curve = append(counted.Curve, curvePoint(ms, slips(ms, true), likely, n))
	}
	return &Plot{
		Title: fmt.Sprintf("What a client's check lets through: %d operations, seed %d", n, b.Seed),
		X:     Axis{Title: "gap between check and write", Unit: "ms", Log: true, Low: 0.6, High: 1600, Ticks: []float64{1, 10, 100, 1000}},
		Panels: []Panel{{
			Y:      Axis{Title: "share of the updates lost without a check", Unit: "%", Digits: 1, Low: 0, High: 100, Ticks: []float64{0, 20, 40, 60, 80, 100}},
			Series: []Series{once, counted},
		}},
	}
}

// curvePoint is a share of what is lost without a check.
func curvePoint(x, probability, all float64, n int) Point {
	r := binomialRange(n, probability, doubt).times(100 / (all * float64(n)))
	return Point{x, 100 * probability / all, r.Low, r.High}
}
