package fsm

import (
	"maps"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// otherAnswers is where a repeat tallies answers that are neither a text nor a
// list.
const otherAnswers = "other"

// repeat carries out the template count times and tallies the answers (R27).
// It is one event: whatever its runs do carries its sequence.
func (m *Machine) repeat(e events.Repeat) events.Answer {
	template, ok := events.CompileTemplate(e.Template)
	if !ok {
		panic("fsm: events.Admit let a bad template pass")
	}
	m.repeating = true
	defer func() { m.repeating = false }()
	tally := map[string]int64{}
	for i := range e.Count {
		at, _ := e.RunAt(i)
		answer := m.answer(template.Event(m.rules, at, i))
		tally[tallyKey(answer)]++
		if n := len(events.Victims(answer)); n > 0 {
			tally["aborted"] += int64(n)
		}
	}
	results := make([]events.Count, 0, len(tally))
	for _, key := range slices.Sorted(maps.Keys(tally)) {
		results = append(results, events.Count{Answer: key, Times: tally[key]})
	}
	return events.Tally{Ops: e.Count, Results: results}
}

// tallyKey is the text that an answer counts under: a text answer under
// itself, a list under its first element.
func tallyKey(answer events.Answer) string {
	if word, ok := events.Word(answer); ok {
		return word
	}
	if value, ok := answer.(events.Value); ok && value.Found {
		return value.Text
	}
	return otherAnswers
}
