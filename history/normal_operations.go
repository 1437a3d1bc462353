package history

import (
	"iter"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// otherOperations puts any operation of the palette into the place of one.
// In a longer history, where that had an effect by the rules, so must the other,
// unless it is the last one.
func otherOperations(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		if len(h.Events) > mostReplaced {
			return
		}
		state, err := fsm.New(h.Rules)
		if err != nil {
			return
		}
		for i, old := range h.Events {
			next, result := fsm.Apply(state, old)
			effective := len(h.Events) > 3 && i < len(h.Events)-1 && hasEffect(old, result)
			for e := range paletteOf(h, i).events() {
				if effective {
					if _, result := fsm.Apply(state, e); !hasEffect(e, result) {
						continue
					}
				}
				if !yield(replaced(h, i, e)) {
					return
				}
			}
			state = next
		}
	}
}

// hasEffect tells whether an operation has changed more than the clock.
func hasEffect(e events.Event, result events.Result) bool {
	switch fieldsOf(e).kind {
	case inspectKind, readKind, statusKind:
		return false
	case repeatKind:
		return true
	}
	return !isRefused(result)
}

// mostReplaced is how many events a history has at most in which operations are
// replaced by any others.
const mostReplaced = 16
