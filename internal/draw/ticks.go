package draw

import (
	"fmt"
	"math"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// tick is a mark on the axis of time.
type tick struct {
	at    int64
	label string
}

// axis is the marks of a span, and from which instant their labels count: they
// are instants in ticks, or where these have too many digits to be told apart,
// the time since base.
type axis struct {
	ticks    []tick
	relative bool
	base     int64
}

// longestLabel is how many digits an instant may have to be read at a glance.
const longestLabel = 9

// newAxis chooses at most so many marks, at round instants; of three
// there is always room.
func newAxis(s Span, unit events.Unit, most int) axis {
	most = max(most, 3)
	a := axis{base: s.From}
	a.relative = max(len(strconv.FormatInt(s.From, 10)), len(strconv.FormatInt(s.To, 10))) > longestLabel
	step := roundStep(s.Length()/uint64(most), unit, a.relative)
	for s.Length()/step >= uint64(most) {
		step = roundStep(step, unit, a.relative)
	}
	first := s.From
	if !a.relative {
		if off := s.From % int64(step); off > 0 {
			first += int64(step) - off
		} else {
			first -= off
		}
	}
	for at := first; at < s.To; at += int64(step) {
		a.ticks = append(a.ticks, tick{at, a.label(at, unit)})
		if at > math.MaxInt64-int64(step) {
			break
		}
	}
	return a
}

func (a *axis) label(at int64, unit events.Unit) string {
	if a.relative {
		return "+" + Duration(uint64(at)-uint64(a.base), unit)
	}
	return strconv.FormatInt(at, 10)
}

// clockSteps are the round times above a second, in seconds.
var clockSteps = []uint64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400}

// roundStep is the smallest round number of ticks above a number: 1, 2 or 5 times
// a power of ten, or for times that are shown as such, what clocks show.
func roundStep(above uint64, unit events.Unit, asTime bool) uint64 {
	if asTime && above >= uint64(unit) {
		for _, seconds := range clockSteps {
			if step := seconds * uint64(unit); step > above {
				return step
			}
		}
		day := 86400 * uint64(unit)
		return min(day*roundStep(above/day, unit, false), math.MaxInt64)
	}
	for power := uint64(1); ; power *= 10 {
		for _, digit := range []uint64{1, 2, 5} {
			step := digit * power
			if step > above {
				return min(step, math.MaxInt64)
			}
		}
		if power > math.MaxInt64/10 {
			return math.MaxInt64
		}
	}
}

// caption says which time the axis shows, and how long a cell of it is.
func (a *axis) caption(s Span, unit events.Unit, cells int, cell string) []string {
	parts := []string{fmt.Sprintf("%d to %d, %s", s.From, s.To, Duration(s.Length(), unit))}
	if a.relative {
		parts = append(parts, fmt.Sprintf("labels count from %d", s.From))
	} else {
		parts = append(parts, fmt.Sprintf("labels are ticks of a %s", unit))
	}
	if perCell := s.Length() / uint64(cells); perCell > 0 {
		parts = append(parts, fmt.Sprintf("a %s is about %s", cell, Duration(perCell, unit)))
	}
	return parts
}
