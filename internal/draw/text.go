package draw

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// TextOptions say how a text looks.
type TextOptions struct {
	// ASCII draws with ASCII alone, and escapes everything else in names.
	ASCII   bool
	Palette Palette
}

// LeastWidth is the fewest columns that a text has, MostWidth the most.
const LeastWidth, MostWidth = 24, 10_000

// MostTextRows is how many rows of each kind a Plan for a text keeps of a lane.
const MostTextRows = 1000

// gutter is how many columns stand in front of the lanes.
const gutter = 7

// TextCells is how many cells a Plan for a text of this width has.
func TextCells(width int) int { return min(max(width, LeastWidth), MostWidth) - gutter }

// text draws a Board as lines.
type text struct {
	*Board
	TextOptions
	width int
	glyphs
	out  *bufio.Writer
	axis axis
	used map[string]bool // what the legend has to explain
}

// WriteText writes the board as text, with a lane for each lock. The board's plan
// has to have TextCells of the width. The error is the writer's.
func (b *Board) WriteText(w io.Writer, options TextOptions) error {
	t := text{Board: b, TextOptions: options, width: b.Cells + gutter, glyphs: unicodeGlyphs, out: bufio.NewWriter(w), used: map[string]bool{}}
	if options.ASCII {
		t.glyphs = asciiGlyphs
	}
	t.axis = newAxis(b.Span, b.Rules.Unit, b.Cells/12)
	t.paragraph(t.Palette.Title, b.Title)
	t.list(t.axis.caption(b.Span, b.Rules.Unit, b.Cells, "column"))
	t.labels()
	for _, l := range b.lanesInOrder() {
		t.lane(l)
	}
	t.ruler()
	t.labels()
	t.rest()
	t.legend()
	return t.out.Flush()
}

// line prints a line.
func (t *text) line(line string) {
	_, _ = t.out.WriteString(line)
	_ = t.out.WriteByte('\n')
}

// paragraph prints a text on as many lines as it needs.
func (t *text) paragraph(how func(string) string, words string) {
	words = visible.Text(words)
	if t.ASCII {
		words = asciiOnly(strings.NewReplacer("·", "-", "µ", "u").Replace(words))
	}
	for line := range strings.Lines(ansi.Wrap(words, t.width, "")) {
		t.line(paint(how, strings.TrimSpace(line)))
	}
}

// row prints a strip behind what it is.
func (t *text) row(label string, s strip) {
	t.line(strings.TrimRight(paint(t.Palette.Dim, fmt.Sprintf("%-*s", gutter, label))+s.String(), " "))
}

// labels prints the instants of the axis above their marks, those that have room.
func (t *text) labels() {
	s := make(strip, t.Cells)
	next := 0
	for _, tick := range t.axis.ticks {
		label := tick.label
		if t.ASCII {
			label = strings.ReplaceAll(label, "µ", "u")
		}
		at, width := t.Span.cell(tick.at, t.Cells), ansi.StringWidth(label)
		if at >= next && at+width <= t.Cells {
			s.write(at, t.Cells, label, t.Palette.Dim)
			next = at + width + 1
		}
	}
	t.row("", s)
}

// ruler prints a line with a mark for each instant of the axis.
func (t *text) ruler() {
	s := make(strip, t.Cells)
	for i := range s {
		s.set(i, t.glyphs.line, t.Palette.Dim)
	}
	for _, tick := range t.axis.ticks {
		s.set(t.Span.cell(tick.at, t.Cells), t.tick, t.Palette.Dim)
	}
	t.row("", s)
}

// lane prints a lock's name, what there is of it, and its lines.
func (t *text) lane(l *lane) {
	t.ruler()
	name, about := t.name(l.lock), l.about()
	if room := t.width - len(about) - 2; room >= 12 {
		name = shortened(name, room, t.ellipsis)
		t.line(paint(t.Palette.Title, name) + "  " + paint(t.Palette.Dim, about))
	} else {
		t.line(paint(t.Palette.Title, shortened(name, t.width, t.ellipsis)))
		t.wrapped(about)
	}
	t.leasesOf(l)
	t.waitsOf(l)
	t.writesOf(l)
}

// rest says what is not shown.
func (t *text) rest() {
	c := &t.Choice
	if c.Others == 0 {
		return
	}
	t.paragraph(t.Palette.Alarm, fmt.Sprintf("NOT SHOWN: %s with %s. Shown are the busiest; --most N shows more, --lock LOCK others.",
		count(c.Others, "more lock", "more locks"), c.Missing.about()))
}

// about says how much there is of a lock.
func (l *Load) about() string {
	parts := []string{count(l.Leases, "lease", "leases")}
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, count(n, one, many))
		}
	}
	add(l.Waits, "wait", "waits")
	add(l.Renewals, "renewal", "renewals")
	add(l.Aborted, "abort", "aborts")
	add(l.Writes, "write", "writes")
	text := strings.Join(parts, ", ")
	var odd []string
	if l.Refused > 0 {
		odd = append(odd, fmt.Sprintf("%d refused", l.Refused))
	}
	if l.Late > 0 {
		odd = append(odd, fmt.Sprintf("%d late but accepted", l.Late))
	}
	if len(odd) > 0 {
		text += " (" + strings.Join(odd, ", ") + ")"
	}
	return text
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
