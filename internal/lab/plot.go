package lab

import (
	"fmt"
	"math"
)

// Plot is the picture of a sweep: some panels, one below the other, over one axis.
type Plot struct {
	Title  string
	X      Axis
	Panels []Panel
}

// Axis is one direction of a panel.
type Axis struct {
	Title  string
	Unit   string
	Log    bool
	Ticks  []float64
	Low    float64 // where the axis begins; above 0 if it is logarithmic
	High   float64 // and ends
	Digits int     // behind the decimal point of what is read off
}

// Panel is one figure against the axis of the plot.
type Panel struct {
	Y      Axis
	Series []Series
}

// Series is a sequence of points, with the curve that the distributions alone
// give.
type Series struct {
	Name   string
	Points []Point
	Curve  []Point // Low and High bound what 99 % of all runs show
}

// Point is a point of a Series.
type Point struct{ X, Y, Low, High float64 }

// Place is where a value lies on the axis, from 0 where it begins to 1 where it
// ends. What lies beyond is taken to lie at the end.
func (a Axis) Place(v float64) float64 {
	low, high := a.Low, a.High
	v = min(max(v, low), high)
	if a.Log {
		low, high, v = math.Log(low), math.Log(high), math.Log(v)
	}
	return (v - low) / (high - low)
}

// Label is what the axis shows, in which unit, and on which scale.
func (a Axis) Label() string {
	label := fmt.Sprintf("%s, in %s", a.Title, a.Unit)
	if a.Log {
		label += " (logarithmic)"
	}
	return label
}

// spread gives numbers from low to high, of which each is the same multiple of the
// one before.
func spread(low, high float64, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = low * math.Pow(high/low, float64(i)/float64(n-1))
	}
	return list
}
