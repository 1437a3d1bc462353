package view

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/leasekeeper/leasekeeper/events"
)

// Step is one event of a history and what came of it.
type Step struct {
	Operation []byte // the JSON text that the event was parsed from
	Event     events.Event
	Result    events.Result
	Recorded  []byte // the JSON text of the answer recorded beside it, or nil
	Differs   bool   // it was recorded and is another one
	// Fingerprint is the recorded one of the state after the event, if the
	// rules give another one; then Differs is true too.
	Fingerprint string
	// Marks are what a journal remarks of the event, such as "clamped".
	Marks []string
}

// Table prints the steps of a history as they come, so its columns cannot
// know what is still to come: they start at a usual width, grow when something
// wider arrives, and lines too long for a column continue below.
type Table struct {
	out       io.Writer
	style     style
	width     int // of the terminal; 0: no terminal, nothing is cut
	instant   int // width of the column of instants
	number    int // width of the column of sequence numbers
	operation int // width of the column of operations
	err       error
}

// Bounds of what is printed.
const (
	narrowest = 60 // a terminal is taken to have so many cells at least
	widest    = 64 // cells for operations, so that answers stay near them
	mostLines = 12 // lines for the effects on one side of an operation
	answering = 3  // lines that an answer may need, about
	indented  = 4  // cells by which they stand to the right of operations
)

// NewTable returns a table for a terminal of the given width and what it can
// show. If the width is 0, nothing is cut, coloured or wrapped.
func NewTable(out io.Writer, width int, terminal *lipgloss.Renderer) *Table {
	t := &Table{out: out, style: newStyle(terminal, width > 0), instant: 6, number: 5, operation: 56}
	if width > 0 {
		t.width = max(width, narrowest)
		t.operation = min((t.width-t.margin())*11/20, widest)
	}
	return t
}

// margin is the width of everything to the left of the operations.
func (t *Table) margin() int { return 2 + t.instant + 1 + t.number + 2 }

// Head prints the title and the names of the columns.
func (t *Table) Head(title string) error {
	title = Visible(title)
	if t.width > 0 {
		title = cut(title, t.width)
	}
	t.line(t.style.title(title))
	t.line("")
	t.line(t.style.dim(fmt.Sprintf("  %*s %*s  %-*s  %s", t.instant, "at", t.number, "#", t.operation, "operation", "answer")))
	rule := t.width
	if rule == 0 {
		rule = t.margin() + t.operation + 2 + len("answer")
	}
	t.line(t.style.dim(strings.Repeat("─", rule)))
	return t.err
}

// Step prints the leases that had lapsed when an operation came, the operation
// with its answer, and what else it brought about, each at its instant.
func (t *Table) Step(s Step) error {
	at, dated := s.Event.Instant()
	effects := s.Result.Effects
	t.grow(&s, at)
	lapses := 0
	for lapses < len(effects) && isLapse(effects[lapses]) && effects[lapses].Instant <= at {
		lapses++
	}
	t.effects(effects[:lapses])
	t.event(s, at, dated)
	own := effects[lapses:]
	if len(own) > 0 && told(own[0], s.Result.Answer) {
		own = own[1:]
	}
	t.effects(own)
	return t.err
}

// isLapse tells whether an effect comes of a lease that reached its end (R1).
func isLapse(e events.Effect) bool {
	return e.Kind == events.EffectExpired || e.Kind == events.EffectGranted && e.Cause == events.CauseExpiry
}

// event prints an operation, its answer, and a recorded one that differs.
func (t *Table) event(s Step, at int64, dated bool) {
	instant := ""
	if dated {
		instant = strconv.FormatInt(at, 10)
	}
	mark := " "
	if s.Differs {
		mark = t.style.alarm("≠")
	}
	paint := plain
	if _, refused := s.Result.Answer.(events.Refusal); refused {
		paint = t.style.refusal
	}
	t.row(mark, instant, strconv.FormatUint(s.Result.Sequence, 10),
		t.describe(1, func(most int) string { return operation(s.Event, most) }),
		t.describe(answering, func(most int) string { return answer(s.Result.Answer, most) }), paint)
	if slices.Contains(s.Marks, "clamped") {
		t.paragraph(t.margin(), "clamped: it came with an instant before the clock", t.style.dim)
	}
	switch {
	case s.Fingerprint != "":
		t.difference(t.style.alarm, "other state", []byte(s.Fingerprint))
	case s.Differs:
		t.difference(t.style.good, "by the rules", s.Result.Answer.AppendJSON(nil))
		t.difference(t.style.alarm, "recorded", s.Recorded)
	}
}

// Summary is what remains to be said behind the last step.
type Summary struct {
	Events, Compared, Differences uint64
	FirstDifference               uint64 // a sequence number, 0 if there is none
	Fingerprint                   string // of the last state
}

// Foot prints the summary.
func (t *Table) Foot(s Summary) error {
	text := Count(s.Events, "event", "events")
	paint := t.style.good
	switch {
	case s.Differences > 0:
		text += fmt.Sprintf(", %d of %d answers differ from what was recorded, the first at #%d", s.Differences, s.Compared, s.FirstDifference)
		paint = t.style.alarm
	case s.Compared > 0:
		text += fmt.Sprintf(", %s compared, no difference", Count(s.Compared, "answer", "answers"))
	default:
		text += ", no recorded answers to compare with"
		paint = plain
	}
	t.line("")
	t.paragraph(0, text, paint)
	t.line(t.style.dim("final state " + s.Fingerprint))
	return t.err
}

// line prints a line. An error stays and silences the rest.
func (t *Table) line(text string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.out, strings.TrimRight(text, " ")+"\n")
	}
}
