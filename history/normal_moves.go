package history

import (
	"iter"
	"slices"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// move proposes histories that might fail like a given one.
type move func(History) iter.Seq[History]

// moves are all of them, those first that promise most for their cost.
var moves = []move{
	shorter, writtenOut, rebuilt, otherRules, otherTimes, otherNames, otherNumbers, otherTokens, otherMistakes, otherTemplates,
	otherOperations, exchanged, swapped, outwaited, muchShorter,
}

// neighbours yields what all moves propose.
func neighbours(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for _, m := range moves {
			for proposal := range m(h) {
				if !yield(proposal) {
					return
				}
			}
		}
	}
}

// shorter leaves out one operation.
func shorter(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i := len(h.Events) - 1; i >= 0; i-- {
			if !yield(leftOut(h, i, i+1)) {
				return
			}
		}
	}
}

// muchShorter leaves out any two operations.
func muchShorter(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		if len(h.Events) > mostReplaced {
			return
		}
		for i := len(h.Events) - 1; i >= 0; i-- {
			for j := i - 1; j >= 0; j-- {
				if !yield(leftOut(leftOut(h, i, i+1), j, j+1)) {
					return
				}
			}
		}
	}
}

// otherRules changes the edition and the clock unit for simpler ones.
func otherRules(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for _, rules := range simplerRules(h.Rules) {
			scaled := scaledTo(rules, h)
			if !yield(under(rules, scaled)) || !yield(under(rules, h)) {
				return
			}
		}
	}
}

// scaledTo lets the ttls and instants that are near the ends of their ranges be
// as near to those of other rules.
func scaledTo(rules events.Rules, h History) History {
	scale := func(n int64) int64 {
		for _, ends := range [][2]int64{{h.Rules.MaxTTL(), rules.MaxTTL()}, {h.Rules.MaxInstant(), rules.MaxInstant()}} {
			if d := n - ends[0]; -2 <= d && d <= 2 {
				return ends[1] + d
			}
		}
		return n
	}
	changed := History{Rules: rules, Events: slices.Clone(h.Events)}
	for i, e := range h.Events {
		f := fieldsOf(e)
		if f.kind == invalidKind {
			elements := elementsOf(f.text)
			for j, element := range elements {
				if n, err := strconv.ParseInt(element, 10, 64); err == nil {
					elements[j] = number(scale(n))
				}
			}
			if elements != nil {
				f.text = listOf(elements)
			}
		} else {
			f.at, f.ttl = scale(f.at), scale(f.ttl)
		}
		changed.Events[i] = f.event(rules)
	}
	return changed
}

// swapped lets neighbours change places, and keeps the instants where they are.
func swapped(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i := range len(h.Events) - 1 {
			a, b := h.Events[i], h.Events[i+1]
			t, timed := writtenInstant(a)
			u, alsoTimed := writtenInstant(b)
			if timed && alsoTimed && t != u {
				a, b = movedTo(h.Rules, a, u), movedTo(h.Rules, b, t)
			}
			swap := replaced(h, i, b)
			swap.Events[i+1] = a
			if !yield(swap) {
				return
			}
		}
	}
}

// replaced is a history with another event at an index.
func replaced(h History, i int, e events.Event) History {
	changed := History{Rules: h.Rules, Events: slices.Clone(h.Events)}
	changed.Events[i] = e
	return changed
}
