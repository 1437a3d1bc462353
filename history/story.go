package history

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Story is a history with what two services have answered to it, to be told to
// people.
type Story struct {
	History History
	// Required and Given are the answers of the service that is right and of
	// the other one. They may end before the history does: what has no answer
	// is told without one. Either may be missing altogether; otherwise, where
	// only one of them has an answer, they part.
	Required, Given []events.Answer
	// Rule is named where the answers part, such as "R2", unless it is "".
	Rule string
	// JSON adds to each operation its JSON, to be pasted elsewhere.
	JSON bool
}

// Tell gives a history to two fresh services, up to the first difference of
// their answers, and returns the story of it. Required is the service that is
// right by definition.
func Tell(h History, required, given Service) Story {
	s := Story{History: h}
	for _, e := range h.Events {
		want, have := required.Apply(e).Answer, given.Apply(e).Answer
		s.Required, s.Given = append(s.Required, want), append(s.Given, have)
		if !EqualAnswers(want, have) {
			break
		}
	}
	return s
}

// String tells the story, one line an operation with its number, its instant and
// its answer. Where the answers part, both are told, one below the other, and
// nothing is said of the answers after that:
//
//	1  at 0   a acquires L for 30 ticks  granted, token 1, until 30
//	2  at 30  a renews L for 30 ticks    required: error: not holder (R2)
//	                                     given:    renewed until 60
//
// Rules other than those in force are told in a line at the beginning. Names and
// values may come from strangers: what is not a plain word is quoted, and nothing
// in the text can control a terminal. It ends with a line break, unless the
// history is empty.
func (s Story) String() string {
	var b strings.Builder
	if s.History.Rules != events.Current && len(s.History.Events) > 0 {
		fmt.Fprintf(&b, "edition %d, a tick is a %s\n", s.History.Rules.Edition, s.History.Rules.Unit)
	}
	rows := make([]storyRow, len(s.History.Events))
	var width storyRow
	parted := false
	for i, e := range s.History.Events {
		rows[i] = storyRow{number: fmt.Sprint(i + 1), instant: instantInWords(e), operation: operationInWords(e)}
		width.widen(rows[i])
		if !parted {
			rows[i].answers, parted = s.answersInWords(i)
		}
	}
	for i, row := range rows {
		row.print(&b, width)
		if s.JSON {
			fmt.Fprintf(&b, "%*s  %s\n", len(width.number), "", visible.Text(string(events.AppendJSON(nil, s.History.Events[i]))))
		}
	}
	return b.String()
}

// answersInWords is what is told of the answers to an operation: a line, or two
// if they part.
func (s Story) answersInWords(i int) (lines []string, parted bool) {
	want, have := answerAt(s.Required, i), answerAt(s.Given, i)
	switch {
	case want == nil && have == nil:
		return nil, false
	case len(s.Required) == 0:
		return []string{answerInWords(have)}, false
	case len(s.Given) == 0 || EqualAnswers(want, have):
		return []string{answerInWords(want)}, false
	}
	required, given := answerInWords(want), answerInWords(have)
	if required == given {
		required, given = answerInJSON(want), answerInJSON(have)
	}
	if s.Rule != "" {
		required += " (" + s.Rule + ")"
	}
	return []string{"required: " + required, "given:    " + given}, true
}

// answerAt is an answer of a list, nil if the list has ended.
func answerAt(answers []events.Answer, i int) events.Answer {
	if i < len(answers) {
		return answers[i]
	}
	return nil
}

// storyRow is a line of a story, and how wide its columns are.
type storyRow struct {
	number, instant, operation string
	answers                    []string
}

// widestOperation is how many cells the column of operations has at most: a
// longer one pushes its answer to the right.
const widestOperation = 60

func (w *storyRow) widen(row storyRow) {
	for _, column := range []struct {
		widest *string
		text   string
	}{{&w.number, row.number}, {&w.instant, row.instant}, {&w.operation, row.operation}} {
		if n := ansi.StringWidth(column.text); n > len(*column.widest) && n <= widestOperation {
			*column.widest = strings.Repeat(" ", n)
		}
	}
}

func (row storyRow) print(b *strings.Builder, width storyRow) {
	head := fmt.Sprintf("%*s  %s  %s", len(width.number), row.number,
		padded(row.instant, len(width.instant)), padded(row.operation, len(width.operation)))
	if len(row.answers) == 0 {
		fmt.Fprintf(b, "%s\n", strings.TrimRight(head, " "))
		return
	}
	fmt.Fprintf(b, "%s  %s\n", head, row.answers[0])
	for _, answer := range row.answers[1:] {
		fmt.Fprintf(b, "%s  %s\n", strings.Repeat(" ", ansi.StringWidth(head)), answer)
	}
}

// padded is a text with blanks behind it, up to so many cells.
func padded(text string, cells int) string {
	return text + strings.Repeat(" ", max(cells-ansi.StringWidth(text), 0))
}
