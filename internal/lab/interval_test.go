package lab

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The quantiles are those of sums over single counts.
func TestBinomialRangeIsExact(t *testing.T) {
	for _, test := range []struct {
		n           int
		probability float64
	}{{1, 0.5}, {20, 0.5}, {200, 0.01}, {500, 0.165}, {50, 0.999}} {
		var cumulative []float64
		sum := 0.0
		for k := range test.n + 1 {
			choose, _ := math.Lgamma(float64(test.n + 1))
			chosen, _ := math.Lgamma(float64(k + 1))
			rest, _ := math.Lgamma(float64(test.n - k + 1))
			sum += math.Exp(choose - chosen - rest + float64(k)*math.Log(test.probability) + float64(test.n-k)*math.Log(1-test.probability))
			cumulative = append(cumulative, sum)
		}
		first := func(q float64) int {
			for k, sum := range cumulative {
				if sum >= q {
					return k
				}
			}
			return test.n
		}
		require.Equal(t, span{first(0.005), first(0.995)}, binomialRange(test.n, test.probability, doubt), "%+v", test)
	}
	require.Equal(t, span{0, 0}, binomialRange(20_000, 0, doubt))
	require.Equal(t, span{7, 7}, binomialRange(7, 1, doubt))
}

// The closed form of a late write against sums over small steps of work.
func TestExpectedShares(t *testing.T) {
	for _, counted := range []bool{false, true} {
		for _, gap := range []float64{0.001, 0.01, 0.1, 1, 4.9} {
			const steps = 200_000
			total := 0.0
			for i := range steps {
				w := leaseSeconds * (float64(i) + 0.5) / steps
				inGap, spent := gap/(w+gap), 0.0
				if counted {
					spent = gap
				}
				late := inGap * stallLoad.stallOver(leaseSeconds-w-spent)
				late += (1 - inGap) * (stallLoad.stallOver(leaseSeconds-w-spent) - stallLoad.stallOver(leaseSeconds-w))
				total += late * math.Exp(-w/meanWork) / meanWork * leaseSeconds / steps
			}
			require.InEpsilon(t, total, stallLoad.slips(leaseSeconds, gap, counted), 1e-4, "gap %g, counted %t", gap, counted)
		}
	}
}

// Over many seeds, about one figure in a hundred lies outside of its range, and
// of an experiment's figures together, one experiment in a hundred.
func TestFiguresLieInTheirRangesFor99PercentOfSeeds(t *testing.T) {
	const seeds, n = 200, 4000
	outside, together := 0, 0
	figures := []struct {
		probability float64
		happens     func(operation) bool
		load        load
	}{
		{sizingLoad.over(1), func(o operation) bool { return o.work+o.stall > second }, sizingLoad},
		{sizingLoad.over(5), func(o operation) bool { return o.work+o.stall > 5*second }, sizingLoad},
		{sizingLoad.crashing, func(o operation) bool { return o.crashes }, sizingLoad},
		{stallLoad.over(5), func(o operation) bool { return o.work+o.stall > 5*second }, stallLoad},
		{stallLoad.stallOver(30), func(o operation) bool { return o.stall > 30*second }, stallLoad},
	}
	for seed := range uint64(seeds) {
		wide := false
		for _, figure := range figures {
			count := 0
			for _, o := range figure.load.draw(seed, n) {
				if figure.happens(o) {
					count++
				}
			}
			if r := binomialRange(n, figure.probability, doubt); count < r.low || r.high < count {
				outside++
			}
			r := binomialRange(n, figure.probability, doubt/float64(len(figures)))
			wide = wide || count < r.low || r.high < count
		}
		if wide {
			together++
		}
	}
	most := binomialRange(seeds*len(figures), doubt, 1e-4).high
	require.LessOrEqual(t, outside, most)
	require.NotZero(t, outside, "ranges that nothing ever leaves would be too wide")
	require.LessOrEqual(t, together, binomialRange(seeds, doubt, 1e-4).high)
}

// With any seed, the service's answers keep to the ranges too.
func TestAnyOtherSeedKeepsToItsRanges(t *testing.T) {
	for _, seed := range []uint64{0, 3, 1<<64 - 1} {
		for _, x := range []Experiment{sizing, designs, gaps} {
			o, err := x.Run(Setting{Seed: seed, Operations: 1000})
			require.NoError(t, err)
			for _, c := range o.Claims {
				require.True(t, c.Holds, fmt.Sprintf("seed %d: %+v", seed, c))
			}
		}
	}
}
