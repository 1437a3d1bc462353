package main

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/audit"
)

// How much of each list fits on one screen.
const (
	mostLinks    = 10
	mostFollowed = 5
)

// print prints the verdict first, and then what it rests on.
func (a *audited) print(r *view.Report, width int) {
	r.Title(a.title + " · " + rulesText(a.rules))
	if a.First == nil {
		a.printClean(r)
		a.printScope(r)
		return
	}
	p := a.report
	r.Alarm("verdict", "%s", a.verdict())
	a.printParagraphs(r, "caution", a.caution(), width)
	r.Line("recorded", "%s", a.recorded(&p.Finding))
	r.Line("required", "%s", shortened(string(p.Required)))
	r.Line("broken", "%s", strings.Join(p.Broken, ", "))
	a.printParagraphs(r, "deviation", a.cause(), width)
	a.printParagraphs(r, "because", p.Because, width)
	a.printParagraphs(r, "chain", a.chain(mostLinks), width)
	a.printParagraphs(r, "followed", append(a.followed(), a.followers(mostFollowed)...), width)
	a.printParagraphs(r, "data", a.data(mostFollowed), width)
	a.printScope(r)
}

// printParagraphs prints texts under one label, each from the column of texts on.
func (a *audited) printParagraphs(r *view.Report, label string, texts []string, width int) {
	for _, text := range texts {
		r.Paragraph(fmt.Sprintf("%-12s  ", label), text, width)
		label = ""
	}
}

func (a *audited) printClean(r *view.Report) {
	switch {
	case a.State != nil:
		r.Alarm("verdict", "no recorded answer is wrong, but the state recorded after event %d is not what the rules give", a.State.Sequence)
		r.Line("recorded", "%s", a.State.Recorded)
		r.Line("required", "%s", a.State.Required)
	case a.Answered == 0:
		r.Line("verdict", "no answer is recorded; nothing to audit")
	default:
		r.Good("verdict", "clean: %s what the rules require", a.every())
	}
}

// every says how many answers are right.
func (a *audited) every() string {
	if a.Answered == 1 {
		return "the one recorded answer is"
	}
	return fmt.Sprintf("every one of %d recorded answers is", a.Answered)
}

// printScope says how much was looked at.
func (a *audited) printScope(r *view.Report) {
	for i, line := range a.scope() {
		label := ""
		if i == 0 {
			label = "examined"
		}
		r.Line(label, "%s", line)
	}
}

// scope is how much was looked at, and what has to be kept in mind about it.
func (a *audited) scope() (lines []string) {
	text := fmt.Sprintf("%s, %d with an answer", view.Count(a.Events, "event", "events"), a.Answered)
	if missing := a.Events - a.Answered; missing > 0 {
		text += fmt.Sprintf(", %d without", missing)
	}
	if a.Wrong > 0 {
		text += fmt.Sprintf(", %d answered wrongly", a.Wrong)
	}
	lines = append(lines, text)
	if a.base > 0 {
		lines = append(lines, fmt.Sprintf("the journal is compacted: it is judged from the snapshot at %d on", a.base))
	}
	if a.cut != nil {
		lines = append(lines, fmt.Sprintf("cut after event %d: %s", a.events, untagged(a.cut)))
	}
	if a.First != nil && a.State != nil {
		lines = append(lines, fmt.Sprintf("the state recorded after event %d is not what the rules give either", a.State.Sequence))
	}
	return lines
}

// caution is what may overturn the verdict, in one sentence, or nothing.
func (a *audited) caution() []string {
	if !a.report.Unfounded {
		return nil
	}
	return []string{fmt.Sprintf("no earlier answer rules out that something older than the log decided event %d: "+
		"if the log does not begin with a fresh service, it begins too late to be judged", a.First.Sequence)}
}

// verdict names the first wrong answer.
func (a *audited) verdict() string {
	e := a.First.Event
	return fmt.Sprintf("event %d is the first that is answered wrongly: %s%s", a.First.Sequence, view.Operation(e), instantOf(e))
}

// recorded is the recorded answer of a finding.
func (a *audited) recorded(f *audit.Finding) string {
	if f.Recorded == nil && f.Digest != nil {
		return fmt.Sprintf("(SHA-256 %x)", *f.Digest)
	}
	return shortened(string(f.Recorded))
}

// chain are the events that matter, of a long chain the first and the last.
func (a *audited) chain(most int) (lines []string) {
	links := a.report.Chain
	for i, l := range links {
		if left := len(links) - most; left > 0 && i >= 2 && i < 2+left {
			if i == 2 {
				lines = append(lines, fmt.Sprintf("… %d more (--json lists them)", left))
			}
			continue
		}
		lines = append(lines, fmt.Sprintf("#%d %s %s", l.Sequence, view.Operation(l.Event), strings.TrimPrefix(instantOf(l.Event), ", "))+": "+l.Why)
	}
	if !a.report.Minimal {
		lines = append(lines, "(no time was left to leave out all events that do not matter)")
	}
	return lines
}
