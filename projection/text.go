package projection

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/leasekeeper/leasekeeper/events"
)

// longestName is how many characters of a name are drawn.
const longestName = 64

// name is a name as it may stand in a line of words: itself if it has only
// visible characters, otherwise quoted and escaped. The end of a very long one
// is left out.
func name(text string) string {
	if utf8.RuneCountInString(text) > longestName {
		cut := 0
		for range longestName {
			_, size := utf8.DecodeRuneInString(text[cut:])
			cut += size
		}
		return fmt.Sprintf("%s…(%d more bytes)", name(text[:cut]), len(text)-cut)
	}
	odd := func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == '"' || r == unicode.ReplacementChar
	}
	if text == "" || strings.ContainsFunc(text, odd) {
		return strconv.Quote(text)
	}
	return text
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// accepted is a write's answer in words.
func accepted(r events.Refusal) string {
	if r == events.NotRefused {
		return "accepted"
	}
	return "refused, " + strings.TrimPrefix(r.String(), "error: ")
}

// drawing is tables one below the other, each under a title. A table without
// rows is left out.
type drawing struct {
	text  strings.Builder
	table strings.Builder
}

func (d *drawing) row(cells ...any) {
	for i, c := range cells {
		if i > 0 {
			d.table.WriteByte('\t')
		}
		fmt.Fprint(&d.table, c)
	}
	d.table.WriteByte('\n')
}

// draw ends a table that the rows before it belong to.
func (d *drawing) draw(title, columns string) {
	if d.table.Len() > 0 {
		d.text.WriteString(title + "\n")
		w := tabwriter.NewWriter(&d.text, 0, 0, 2, ' ', 0)
		text := strings.ReplaceAll(columns, " | ", "\t") + "\n" + d.table.String()
		for line := range strings.Lines(text) {
			_, _ = fmt.Fprint(w, "  "+line)
		}
		_ = w.Flush() // a strings.Builder takes everything
	}
	d.table.Reset()
}

// String is all that was drawn, without blanks at the ends of lines.
func (d *drawing) String() string {
	var out strings.Builder
	for line := range strings.Lines(d.text.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return out.String()
}
