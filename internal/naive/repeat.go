package naive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// repeat runs its template as so many operations, one after another, and
// counts what they answer, and the clients that they name as aborted (R27).
func (m *Model) repeat(e events.Repeat) events.Answer {
	counts := map[string]int64{}
	for i := range e.Count {
		answer := m.operate(m.runOf(e, i))
		key, aborted := m.tallied(answer)
		counts[key]++
		if aborted > 0 && !m.wrong[tallyWithoutAborted] {
			counts["aborted"] += int64(aborted)
		}
		if _, refused := answer.(events.Refusal); refused && m.wrong[repeatStopsAtRefusal] {
			break
		}
	}
	if m.wrong[tallyWithoutOther] {
		delete(counts, "other")
	}
	tally := events.Tally{Ops: e.Count}
	for key, times := range counts {
		tally.Results = append(tally.Results, events.Count{Answer: key, Times: times})
	}
	slices.SortFunc(tally.Results, func(a, b events.Count) int { return strings.Compare(a.Answer, b.Answer) })
	return tally
}

// runOf is run i of a repeat as an operation of its own (R27, R28).
func (m *Model) runOf(e events.Repeat, i int64) events.Event {
	if m.wrong[repeatStepIgnored] {
		e.Step = 0
	}
	at, _ := e.RunAt(i) // an instant that does not exist is one that is refused
	if m.wrong[repeatCountsFromOne] {
		i++
	}
	text := m.misexpand(e.Template, i)
	template, ok := events.CompileTemplate(text)
	if !ok {
		panic(fmt.Sprintf("naive: a repeat with a bad template was admitted: %q", text))
	}
	run := template.Event(m.rules, at, i)
	if bad, ok := run.(events.Invalid); ok && m.rereads {
		bad.Raw = writtenOut(text, at, i)
		return bad
	}
	return run
}

// tallied is under which key an answer counts: a string under itself, a list
// under its first element, anything else under "other"; and how many aborted
// clients it names (R27).
func (m *Model) tallied(answer events.Answer) (key string, aborted int) {
	list := "other"
	switch a := answer.(type) {
	case events.Refusal:
		return a.String(), 0
	case events.Done:
		return a.String(), 0
	case events.Value:
		if a.Found {
			return a.Text, 0
		}
	case events.Granted:
		list, aborted = "granted", len(a.Victims)
	case events.Queued:
		list, aborted = "queued", len(a.Victims)
	case events.Deadlock:
		list, aborted = "deadlock", len(a.Victims)
	case events.Renewed:
		list = "renewed"
	}
	if m.wrong[tallyListsAsOther] {
		list = "other"
	}
	return list, aborted
}
