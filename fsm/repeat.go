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
		if n := len(victims(answer)); n > 0 {
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
	switch a := answer.(type) {
	case events.Granted:
		return "granted"
	case events.Queued:
		return "queued"
	case events.Deadlock:
		return "deadlock"
	case events.Renewed:
		return "renewed"
	case events.Done:
		return a.String()
	case events.Refusal:
		return a.String()
	case events.Value:
		if a.Found {
			return a.Text
		}
	}
	return otherAnswers
}

// victims lists the clients that an answer says were aborted.
func victims(answer events.Answer) []string {
	switch a := answer.(type) {
	case events.Granted:
		return a.Victims
	case events.Queued:
		return a.Victims
	case events.Deadlock:
		return a.Victims
	}
	return nil
}
