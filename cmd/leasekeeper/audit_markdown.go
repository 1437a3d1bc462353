package main

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
)

// How much of each list a ticket shows.
const (
	mostLinksInTicket = 40
	mostInTicket      = 20
)

// printMarkdown prints a ticket.
func (a *audited) printMarkdown(out *bufio.Writer) {
	line := func(format string, arguments ...any) { _, _ = fmt.Fprintf(out, format+"\n", arguments...) }
	list := func(heading string, texts []string) {
		line("\n### %s\n", heading)
		for _, text := range texts {
			line("- %s", prose(text))
		}
	}
	if a.First == nil {
		a.cleanMarkdown(line)
		list("Examined", a.scope())
		return
	}
	p := a.report
	line("## Audit of %s: event %d is answered wrongly\n", code(a.title), p.Sequence)
	for _, text := range a.caution() {
		line("**Caution:** %s\n", prose(text))
	}
	line("| | |\n|---|---|")
	line("| event | %d%s |", p.Sequence, prose(instantOf(p.Event)))
	line("| operation | %s |", cell(view.Operation(p.Event)))
	line("| recorded | %s |", cell(a.recorded(&p.Finding)))
	line("| required | %s |", cell(shortened(string(p.Required))))
	line("| broken | %s |", strings.Join(p.Broken, ", "))
	list("Deviation", a.cause())
	if len(p.Because) > 0 {
		list("Why it is required", p.Because)
	}
	list("The events that matter", a.chain(mostLinksInTicket))
	list("What followed", append(a.followed(), a.followers(mostInTicket)...))
	list("Data at risk", a.data(mostInTicket))
	list("Examined", append(a.scope(), rulesText(a.rules)))
}

func (a *audited) cleanMarkdown(line func(string, ...any)) {
	switch {
	case a.State != nil:
		line("## Audit of %s: a recorded state is wrong\n", code(a.title))
		line("No recorded answer is wrong, but the state recorded after event %d is not what the rules give.\n", a.State.Sequence)
		line("| | |\n|---|---|\n| recorded | %s |\n| required | %s |", cell(a.recorded(a.State)), cell(string(a.State.Required)))
	case a.Answered == 0:
		line("## Audit of %s: no answer is recorded", code(a.title))
	default:
		line("## Audit of %s: clean\n", code(a.title))
		line("%s%s what the rules require.", strings.ToUpper(a.every()[:1]), a.every()[1:])
	}
}

// code is a text as code: nothing in it is Markdown, HTML or a reference.
func code(text string) string {
	text = view.Visible(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cell is a text as code in a table, where a bar would end the cell.
func cell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// linked is what trackers take for a reference to a ticket or to a person, and
// what would be a link.
var linked = regexp.MustCompile(`#[0-9]+|@[\pL\pN_-]+|(?i:https?://|www\.)[^\s]*[^\s.,:;!?)]`)

// prose is a sentence as it may stand in a ticket: nothing that it quotes can be
// Markdown, HTML or a reference.
func prose(text string) string {
	text = view.Visible(text)
	var b strings.Builder
	for {
		at := linked.FindStringIndex(text)
		if at == nil {
			b.WriteString(escaped(text))
			return b.String()
		}
		b.WriteString(escaped(text[:at[0]]))
		b.WriteString(code(text[at[0]:at[1]]))
		text = text[at[1]:]
	}
}

// escaped is a text in which no character means anything to Markdown or HTML.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|~$&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
