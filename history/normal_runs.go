package history

import (
	"iter"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// writtenOut puts the runs of a repeat into its place, or the first of them; or a
// repeat of a single run, with the runs before it as operations or without them.
func writtenOut(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		for i, e := range h.Events {
			repeat, ok := e.(events.Repeat)
			if !ok {
				continue
			}
			runs := runsOf(h.Rules, repeat, min(repeat.Count, mostRuns))
			for list := range insteadOf(repeat, runs) {
				if !yield(inPlace(h, i, list)) {
					return
				}
			}
		}
	}
}

// mostRuns is how many runs are written out as operations of their own.
const mostRuns = 64

// insteadOf yields the operations that may stand for a repeat.
func insteadOf(repeat events.Repeat, runs []events.Event) iter.Seq[[]events.Event] {
	look := events.Inspect{At: repeat.At, Lock: plainName(lockRole, 0)}
	return func(yield func([]events.Event) bool) {
		for _, count := range []int{1, 2, 3, len(runs)} {
			if count > len(runs) {
				continue
			}
			first := runs[:count:count]
			if !yield(first) || !yield(append([]events.Event{look}, first...)) {
				return
			}
		}
		for k, run := range runs {
			once, ok := repeatedOnce(run)
			if ok && !(yield([]events.Event{once}) && yield(append(runs[:k:k], once))) {
				return
			}
		}
	}
}

// repeatedOnce is a repeat whose only run is an operation.
func repeatedOnce(run events.Event) (once events.Event, ok bool) {
	at, ok := run.Instant()
	if _, refused := run.(events.Invalid); refused || !ok {
		return nil, false
	}
	elements := elementsOf(string(events.AppendJSON(nil, run)))
	return events.Repeat{At: at, Count: 1, Template: listOf(slices.Delete(elements, 1, 2))}, true
}

// inPlace is a history with other events in the place of the one at an index.
func inPlace(h History, i int, list []events.Event) History {
	all := append(slices.Clone(h.Events[:i]), list...)
	return History{Rules: h.Rules, Events: append(all, h.Events[i+1:]...)}
}

// runsOf are the first runs of a repeat as operations.
func runsOf(rules events.Rules, repeat events.Repeat, count int64) []events.Event {
	template, ok := events.CompileTemplate(repeat.Template)
	if !ok {
		return nil
	}
	var runs []events.Event
	for i := range count {
		instant, _ := repeat.RunAt(i)
		run := template.Event(rules, instant, i)
		if bad, ok := run.(events.Invalid); ok {
			run = runInText(rules, bad.Raw, instant)
		}
		runs = append(runs, run)
	}
	return runs
}

// runInText is a run that is refused, as an operation: the template with the
// instant in it.
func runInText(rules events.Rules, template string, instant int64) events.Event {
	elements := elementsOf(template)
	return parsed(rules, listOf(slices.Insert(elements, 1, number(instant))))
}
