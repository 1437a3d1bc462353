package history

import (
	"iter"
	"math"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// smaller yields numbers below n, from least on: first the least ones, then
// n less a power of 2, the greatest power first. Who takes the first that will
// do, again and again, ends at the smallest number, if all above will do too.
func smaller(n, least int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for m := least; m < n && m < least+3; m++ {
			if !yield(m) {
				return
			}
		}
		for power := int64(1) << 62; power > 0; power >>= 1 {
			if n-least < power {
				continue
			}
			if !yield(n - power) {
				return
			}
		}
	}
}

// otherNumbers makes ttls, tokens, counts and steps smaller and modes
// exclusive, one at a time.
func otherNumbers(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i, e := range h.Events {
			for f := range simplerNumbers(fieldsOf(e)) {
				if !yield(replaced(h, i, f.event(h.Rules))) {
					return
				}
			}
		}
		for d := int64(1) << 62; d > 0; d >>= 1 {
			if lower, ok := lowerTokens(h, d); ok && !yield(lower) {
				return
			}
		}
	}
}

func simplerNumbers(f fields) iter.Seq[fields] {
	return func(yield func(fields) bool) {
		if f.mode == events.Shared {
			g := f
			g.mode = events.Exclusive
			if !yield(g) {
				return
			}
		}
		changes := []struct {
			n, least int64
			set      func(*fields, int64)
		}{
			{f.ttl, 1, func(g *fields, n int64) { g.ttl = n }},
			{f.token, 1, func(g *fields, n int64) { g.token = n }},
			{f.count, 1, func(g *fields, n int64) { g.count = n }},
			{f.step, 0, func(g *fields, n int64) { g.step = n }},
		}
		for _, change := range changes {
			for n := range smaller(change.n, change.least) {
				g := f
				change.set(&g, n)
				if !yield(g) {
					return
				}
			}
		}
	}
}

// lowerTokens lowers all tokens above d by d, so that they keep their distance.
func lowerTokens(h History, d int64) (lower History, ok bool) {
	lower = History{Rules: h.Rules, Events: append([]events.Event(nil), h.Events...)}
	for i, e := range h.Events {
		if write, is := e.(events.Write); is && write.Token > d {
			write.Token -= d
			lower.Events[i], ok = write, true
		}
	}
	return lower, ok
}

// apart is a-b, at most the largest number.
func apart(a, b int64) int64 {
	if a < b {
		return 0
	}
	if d := uint64(a) - uint64(b); d < math.MaxInt64 {
		return int64(d)
	}
	return math.MaxInt64
}
