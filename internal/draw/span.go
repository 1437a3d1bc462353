package draw

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Span is a span of time [From, To), in ticks. From lies before To.
type Span struct{ From, To int64 }

// Length is how many ticks the span has.
func (s Span) Length() uint64 { return uint64(s.To) - uint64(s.From) }

// misses tells whether a row does not touch the span although a filter passed it:
// one that ended at the span's first instant was over then. An abort at that
// instant counts.
func (s Span) misses(began, ended projection.Moment, aborted bool) bool {
	return !aborted && ended.Happened() && began.Instant < s.From && ended.Instant <= s.From
}

// contains tells whether an instant lies in the span.
func (s Span) contains(ts int64) bool { return s.From <= ts && ts < s.To }

// cell is where an instant lies if the span is divided into cells of the same
// length: a number from 0 up to cells. Instants outside count as the ends.
func (s Span) cell(ts int64, cells int) int {
	switch {
	case ts <= s.From:
		return 0
	case ts >= s.To:
		return cells
	}
	high, low := bits.Mul64(uint64(ts)-uint64(s.From), uint64(cells))
	cell, _ := bits.Div64(high, low, s.Length())
	return int(cell)
}

// steps are lengths of time that people count in, in the units that they say
// them in, from the longest to the shortest.
var steps = []struct {
	nanoseconds uint64
	name        string
}{
	{86400e9, "d"}, {3600e9, "h"}, {60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"},
}

// Duration is a number of ticks in words: in one or two units of time, and
// rounded down to the smaller of them.
func Duration(ticks uint64, unit events.Unit) string {
	perTick := uint64(events.Nanosecond) / uint64(unit)
	high, nanoseconds := bits.Mul64(ticks, perTick)
	if high > 0 {
		days, _ := bits.Div64(high, nanoseconds, steps[0].nanoseconds)
		return fmt.Sprintf("%d d", days)
	}
	for i, step := range steps {
		if nanoseconds < step.nanoseconds {
			continue
		}
		if step.nanoseconds <= 1e9 { // below a minute, decimals are easier to read
			return decimal(nanoseconds, step.nanoseconds) + " " + step.name
		}
		text := fmt.Sprintf("%d %s", nanoseconds/step.nanoseconds, step.name)
		next := steps[i+1]
		if rest := nanoseconds % step.nanoseconds / next.nanoseconds; rest > 0 {
			text += fmt.Sprintf(" %d %s", rest, next.name)
		}
		return text
	}
	return "0 s"
}

// decimal is a quotient with up to three decimals.
func decimal(n, unit uint64) string {
	text := fmt.Sprint(n / unit)
	if unit >= 1000 {
		text += fmt.Sprintf(".%03d", n%unit/(unit/1000))
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// window is the span of time that a filter passes.
func window(f projection.Filter) Span {
	if f.From == 0 && f.To == 0 {
		return Span{math.MinInt64, math.MaxInt64}
	}
	return Span{f.From, f.To}
}

// Proper is the span, or if it does not have an instant, its first one.
func (s Span) Proper() Span {
	if s.To <= s.From {
		s.From = min(s.From, math.MaxInt64-1)
		s.To = s.From + 1
	}
	return s
}
