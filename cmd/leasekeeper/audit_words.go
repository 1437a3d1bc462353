package main

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/audit"
)

// cause says which deviation explains what.
func (a *audited) cause() (lines []string) {
	p := a.report
	switch d := p.Diagnosis; {
	case d == nil:
		return []string{"not looked for: the history does not begin with a fresh service"}
	case len(p.Cause) == 0 && !d.Complete:
		return []string{fmt.Sprintf("none found in the time (--for) that explains %s", a.wrongAnswers())}
	case len(p.Cause) == 0:
		return []string{fmt.Sprintf("no known deviation, and no two of them, explain %s", a.wrongAnswers())}
	}
	for _, d := range p.Cause {
		lines = append(lines, described(d))
	}
	switch others := a.otherCauses(); {
	case p.TimeUp:
		lines = append(lines, fmt.Sprintf("explains all answers up to event %d, and was not tried further in the time (--for)", p.Confirmed))
	case !p.Explains:
		lines = append(lines, fmt.Sprintf("explains a part of the wrong answers only; all up to event %d", p.Confirmed))
	case len(others) > 0:
		lines = append(lines, fmt.Sprintf("explains %s, as would %s", a.wrongAnswers(), strings.Join(others, " or ")))
	default:
		lines = append(lines, "explains "+a.wrongAnswers())
	}
	return lines
}

// otherCauses are the other candidates, by their names.
func (a *audited) otherCauses() (names []string) {
	var own []string
	for _, d := range a.report.Cause {
		own = append(own, d.Name)
	}
	d := a.report.Diagnosis
	for _, c := range append(d.Singles[:len(d.Singles):len(d.Singles)], d.Pairs...) {
		if name := strings.Join(c.Names(), " with "); name != strings.Join(own, " with ") {
			names = append(names, name)
		}
	}
	if more := len(names) - 4; more > 1 {
		names = append(names[:4], fmt.Sprintf("%d more (--json lists them)", more))
	}
	return names
}

// wrongAnswers are all wrong answers, in words.
func (a *audited) wrongAnswers() string {
	switch a.Wrong {
	case 1:
		return "the wrong answer"
	case 2:
		return "both wrong answers"
	}
	return fmt.Sprintf("all %d wrong answers", a.Wrong)
}

// kinds are the kinds of later wrong answers, in the order in which they are told.
var kinds = []struct {
	kind      audit.Kind
	one, many string
}{
	{audit.Follows, "follows from what had gone wrong before", "follow from what had gone wrong before"},
	{audit.Again, "is the same fault again", "are the same fault again"},
	{audit.New, "is a deviation of its own", "are deviations of their own"},
	{audit.Unknown, "may follow from it or not", "may follow from it or not"},
}

// followed counts the later wrong answers.
func (a *audited) followed() []string {
	if a.Wrong == 1 {
		return []string{"every other recorded answer is right"}
	}
	var parts []string
	for _, k := range kinds {
		n := a.report.Counts[k.kind]
		if k.kind == audit.Unknown && len(a.report.Cause) > 0 {
			k.one, k.many = "was not looked into in the time (--for)", "were not looked into in the time (--for)"
		}
		if n > 0 {
			parts = append(parts, view.Count(n, k.one, k.many))
		}
	}
	lines := []string{fmt.Sprintf("%s later: %s", view.Count(a.Wrong-1, "wrong answer", "wrong answers"), strings.Join(parts, ", "))}
	if again := a.report.Counts[audit.Again]; again > 0 && a.report.Separated < a.events {
		lines = append(lines, fmt.Sprintf("behind event %d, what follows from the same fault is counted as that fault again", a.report.Separated))
	}
	return lines
}

// followers are the first of the later wrong answers, those that are new before
// all others.
func (a *audited) followers(most int) (lines []string) {
	for _, kind := range []audit.Kind{audit.New, audit.Unknown, audit.Follows, audit.Again} {
		for _, l := range a.report.Later {
			if l.Kind == kind && len(lines) < most {
				lines = append(lines, fmt.Sprintf("#%d %s (%s): %s, required %s", l.Sequence, view.Operation(l.Event), kind,
					brief(l.Recorded), brief(l.Required)))
			}
		}
	}
	if more := int(a.Wrong) - 1 - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return lines
}

// brief is an answer where there is little room.
func brief(answer []byte) string {
	const most = 160
	switch {
	case answer == nil:
		return "(only a hash)"
	case len(answer) > most:
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(string(answer[:most]), ""), len(answer))
	}
	return string(answer)
}

// data says whether data was at risk.
func (a *audited) data(most int) (lines []string) {
	p := a.report
	if p.RiskCount == 0 {
		return []string{"no write and no read of this history was touched"}
	}
	lines = append(lines, fmt.Sprintf("at risk: %s", view.Count(p.RiskCount, "write or read was touched", "writes and reads were touched")))
	for i, risk := range p.Risks {
		if i == most {
			lines = append(lines, fmt.Sprintf("… and %d more", p.RiskCount-i))
			break
		}
		lines = append(lines, fmt.Sprintf("#%d: %s", risk.Sequence, risk.Why))
	}
	return lines
}
