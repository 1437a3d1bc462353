package lab

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
)

// What a load makes likely can be worked out without drawing from it: work and
// stall are exponentially distributed, the stall with one of two means. Times
// here are in seconds, as in the distributions.

// stallOver is the probability that a stall takes longer than t.
func (l load) stallOver(t float64) float64 {
	t = max(t, 0)
	return (1-l.seldom)*math.Exp(-t/meanStall) + l.seldom*math.Exp(-t/l.longStall)
}

// over is the probability that work and stall together take longer than a lease:
// of the sum of two exponential times with different means a and b, it is
// (a exp(-t/a) - b exp(-t/b)) / (a - b).
func (l load) over(ttl float64) float64 {
	sum := func(b float64) float64 {
		const a = meanWork
		return (a*math.Exp(-ttl/a) - b*math.Exp(-ttl/b)) / (a - b)
	}
	return (1-l.seldom)*sum(meanStall) + l.seldom*sum(l.longStall)
}

// slips is the probability that a client checks in time and writes too late. With
// work w, a stall begins in the gap with probability gap / (w + gap), and is long
// enough if it lasts beyond the lease. If the gap takes time of the lease too, a
// check near the end of the lease is enough.
func (l load) slips(ttl, gap float64, counted bool) float64 {
	spent := 0.0
	if counted {
		spent = gap
	}
	integrand := func(w float64) float64 {
		inGap := gap / (w + gap)
		late := inGap * l.stallOver(ttl-spent-w)
		if counted {
			late += (1 - inGap) * (l.stallOver(ttl-spent-w) - l.stallOver(ttl-w))
		}
		return late * math.Exp(-w/meanWork) / meanWork
	}
	total, low := 0.0, 0.0
	for _, high := range pieces(ttl, gap) {
		total += quad.Fixed(integrand, low, high, 48, quad.Legendre{}, 0)
		low = high
	}
	return total
}

// pieces are where to cut an integral from 0 to ttl, so that neither the peak near
// 0 nor the kink at ttl - gap, behind its steep rise, is inside of one.
func pieces(ttl, gap float64) []float64 {
	const steep = 10 * meanStall
	cuts := []float64{gap, 10 * gap, 100 * gap, ttl / 2, ttl - gap - steep, ttl - gap, ttl - steep, ttl}
	slices.Sort(cuts)
	return slices.DeleteFunc(slices.Compact(cuts), func(cut float64) bool { return cut <= 0 || cut > ttl })
}
