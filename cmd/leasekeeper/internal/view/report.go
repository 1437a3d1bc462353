package view

import (
	"bufio"
	"fmt"

	"github.com/charmbracelet/lipgloss"
)

// Report prints what a command has found, a labelled line for each thing.
type Report struct {
	out   *bufio.Writer
	style style
}

// NewReport returns a report in colour if painting is true. An error of the
// output stays in the writer, for who flushes it.
func NewReport(out *bufio.Writer, painting bool, terminal *lipgloss.Renderer) *Report {
	return &Report{out: out, style: newStyle(terminal, painting)}
}

// labelled is the width of the column of labels.
const labelled = 12

// Title prints what the report is about.
func (r *Report) Title(text string) { r.print(r.style.title(Visible(text))) }

// Line prints a thing and its label; a label that is empty continues the
// line before.
func (r *Report) Line(label, format string, arguments ...any) {
	r.labelled(r.style.dim, plain, label, fmt.Sprintf(format, arguments...))
}

// Good is Line for a thing that is as it should be.
func (r *Report) Good(label, format string, arguments ...any) {
	r.labelled(r.style.dim, r.style.good, label, fmt.Sprintf(format, arguments...))
}

// Alarm is Line for a thing that is not.
func (r *Report) Alarm(label, format string, arguments ...any) {
	r.labelled(r.style.alarm, r.style.alarm, label, fmt.Sprintf(format, arguments...))
}

func (r *Report) labelled(paintLabel, paint func(string) string, label, text string) {
	r.print(paintLabel(fmt.Sprintf("%-*s", labelled, label)) + "  " + paint(Visible(text)))
}

func (r *Report) print(line string) { _, _ = r.out.WriteString(line + "\n") }

func plain(text string) string { return text }

// Count is a number and what it counts: 1 event, 2 events.
func Count[T int | int64 | uint64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
