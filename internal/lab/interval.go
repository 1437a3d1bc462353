package lab

import (
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// doubt is the share of runs that may lie outside of a range: ranges are those
// of 99 %.
const doubt = 0.01

// span is a range of counts, both ends included.
type span struct{ low, high int }

// times is the range of the counts in another measure.
func (s span) times(factor float64) Range {
	return Range{float64(s.low) * factor, float64(s.high) * factor}
}

// binomialRange is where the number of successes in n independent trials lies,
// but for a share of doubt, half of it on each side. It is exact: the quantiles
// of the binomial distribution, with no normal curve in their place. O(log n).
func binomialRange(n int, probability, doubt float64) span {
	quantile := func(q float64) int {
		return sort.Search(n, func(k int) bool { return atMost(k, n, probability) >= q })
	}
	return span{quantile(doubt / 2), quantile(1 - doubt/2)}
}

// atMost is the probability of k successes or fewer in n trials.
func atMost(k, n int, probability float64) float64 {
	switch {
	case k >= n || probability <= 0:
		return 1
	case probability >= 1:
		return 0
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-probability)
}
