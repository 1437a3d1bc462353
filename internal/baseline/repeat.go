package baseline

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// repeat runs the template count times and tallies the answers (R27).
func (s *Service) repeat(e events.Repeat) events.Answer {
	template, ok := events.CompileTemplate(e.Template)
	if !ok {
		return events.InvalidArguments // Admit has refused it
	}
	times := map[string]int64{}
	for i := range e.Count {
		at, _ := e.RunAt(i)
		name, victims := tallied(s.Apply(template.Event(s.rules, at, i)))
		times[name]++
		if victims > 0 {
			times["aborted"] += int64(victims)
		}
	}
	tally := events.Tally{Ops: e.Count}
	for name, n := range times {
		tally.Results = append(tally.Results, events.Count{Answer: name, Times: n})
	}
	slices.SortFunc(tally.Results, func(a, b events.Count) int { return cmp.Compare(a.Answer, b.Answer) })
	return tally
}

// tallied is the name that an answer counts under, and the number of clients
// that it aborted.
func tallied(answer events.Answer) (name string, victims int) {
	switch a := answer.(type) {
	case events.Granted:
		return "granted", len(a.Victims)
	case events.Queued:
		return "queued", len(a.Victims)
	case events.Deadlock:
		return "deadlock", len(a.Victims)
	case events.Renewed:
		return "renewed", 0
	case events.Done:
		return a.String(), 0
	case events.Refusal:
		return a.String(), 0
	case events.Value:
		if a.Found {
			return a.Text, 0
		}
	}
	return "other", 0
}
