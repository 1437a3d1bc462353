package history

import (
	"iter"
	"slices"
)

// otherTimes moves operations to simpler instants: all of them, all from one
// on, or one alone; and from one on while a lease before it gets shorter, so
// that it still ends where it did, seen from there.
func otherTimes(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for _, list := range []iter.Seq[History]{fromZero(h), faster(h), earlierTails(h), shorterSteps(h), shorterLeases(h), singleTimes(h)} {
			for proposal := range list {
				if !yield(proposal) {
					return
				}
			}
		}
	}
}

// fromZero lets the first instant, or the earliest one, be 0.
func fromZero(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		times := instants(h)
		if len(times) == 0 {
			return
		}
		if first := times[0]; first != 0 && !yield(shifted(h, 0, first)) {
			return
		}
		if least := slices.Min(times); least != 0 && least != times[0] {
			yield(shifted(h, 0, least))
		}
	}
}

// faster divides all instants, ttls and steps by one number.
func faster(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for _, divisor := range []int64{1e9, 1e6, 1e3, 10, 2} {
			changed := History{Rules: h.Rules, Events: slices.Clone(h.Events)}
			for i, e := range h.Events {
				f := fieldsOf(e)
				if f.kind == invalidKind {
					if t, ok := writtenInstant(e); ok {
						changed.Events[i] = movedTo(h.Rules, e, t/divisor)
					}
					continue
				}
				f.at, f.step = f.at/divisor, f.step/divisor
				if f.ttl > 0 {
					f.ttl = max(f.ttl/divisor, 1)
				}
				changed.Events[i] = f.event(h.Rules)
			}
			if !yield(changed) {
				return
			}
		}
	}
}

// shorterSteps lets the runs of a repeat follow each other sooner, and what comes
// after it as well.
func shorterSteps(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i, e := range h.Events {
			f := fieldsOf(e)
			for step := range smaller(f.step, 0) {
				saved := (f.step - step) * (f.count - 1)
				f := f
				f.step = step
				changed := shifted(h, i+1, saved)
				changed.Events[i] = f.event(h.Rules)
				if !yield(changed) {
					return
				}
			}
		}
	}
}

// instants are the instants of a history, as they are written.
func instants(h History) []int64 {
	var times []int64
	for _, e := range h.Events {
		if t, ok := writtenInstant(e); ok {
			times = append(times, t)
		}
	}
	return times
}

// shifted moves the operations from an index on by so much towards the past.
func shifted(h History, from int, by int64) History {
	changed := History{Rules: h.Rules, Events: slices.Clone(h.Events)}
	for i := from; i < len(h.Events); i++ {
		if t, ok := writtenInstant(h.Events[i]); ok {
			changed.Events[i] = movedTo(h.Rules, h.Events[i], t-by)
		}
	}
	return changed
}

// earlierTails moves an operation and all after it to an earlier instant: to
// that of the operation before, or part of the way.
func earlierTails(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i := 1; i < len(h.Events); i++ {
			gap := gapBefore(h, i)
			for rest := range smaller(gap, 0) {
				if !yield(shifted(h, i, gap-rest)) {
					return
				}
			}
		}
	}
}

// gapBefore is how long after the operation before it one happens.
func gapBefore(h History, i int) int64 {
	t, timed := writtenInstant(h.Events[i])
	before, alsoTimed := writtenInstant(h.Events[i-1])
	if !timed || !alsoTimed {
		return 0
	}
	return apart(t, before)
}

// shorterLeases takes the same time from the ttls of one operation, or two, and
// from a gap behind it.
func shorterLeases(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for j := 1; j < len(h.Events); j++ {
			gap := gapBefore(h, j)
			for rest := range smaller(gap, 0) {
				tail := shifted(h, j, gap-rest)
				for i := range j {
					one, ok := withShorterTTL(tail, i, gap-rest)
					if !ok {
						continue
					}
					if !yield(one) {
						return
					}
					for k := range min(i, mostReplaced) {
						if two, ok := withShorterTTL(one, k, gap-rest); ok && !yield(two) {
							return
						}
					}
				}
			}
		}
	}
}

// withShorterTTL takes so much from the ttl of an operation.
func withShorterTTL(h History, i int, by int64) (shorter History, ok bool) {
	f := fieldsOf(h.Events[i])
	if f.ttl <= by {
		return History{}, false
	}
	f.ttl -= by
	return replaced(h, i, f.event(h.Rules)), true
}

// singleTimes moves one operation to an instant nearer to 0.
func singleTimes(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i, e := range h.Events {
			t, ok := writtenInstant(e)
			if !ok {
				continue
			}
			for n := range nearer(t) {
				if !yield(replaced(h, i, movedTo(h.Rules, e, n))) {
					return
				}
			}
		}
	}
}

// nearer yields instants nearer to 0.
func nearer(t int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if t >= 0 {
			smaller(t, 0)(yield)
			return
		}
		for n := int64(0); n < 3; n++ {
			if !yield(n) {
				return
			}
		}
		for n := range smaller(-max(t, -1<<62), 1) {
			if !yield(-n) {
				return
			}
		}
	}
}
