package draw

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// use says that the legend has to explain something.
func (t *text) use(what string) { t.used[what] = true }

// number puts a count into a column.
func (t *text) number(s strip, at, n int) {
	s.set(at, t.digit(n), nil)
	if n > 9 {
		t.use("many")
	}
}

// legend explains what was drawn, and nothing else.
func (t *text) legend() {
	var parts []string
	for _, entry := range []struct{ what, text string }{
		{"granted", t.granted + " granted at once"},
		{"handed", t.handed + " granted to a waiter"},
		{"shared", t.shared + " shared"},
		{"renewed", t.renewed + " renewed"},
		{"renewals missing", "renewals are not shown where there are too many"},
		{"end expiry", t.expired + " lapsed"},
		{"end release", t.released + " released"},
		{"end abort", t.aborted + " aborted to break a deadlock"},
		{"short", t.short + " a lease of one column"},
		{"before", t.before + " began before"},
		{"after", t.after + " goes on after"},
		{"several", "a digit: so many leases began in one column, and only the last is drawn on"},
		{"counts", "leases: a digit: so many began in the column; " + t.held + " held, and none began"},
		{"waits", t.waits + " waits"},
		{"wait granted", t.got + " until granted"},
		{"wait withdrawn", t.withdrawn + " withdrawn"},
		{"waiting", "waits: a digit: so many requests in the column"},
		{"many", fmt.Sprintf("%s 10 and more, %s 100, %s 1000", t.many[0], t.many[1], t.many[2])},
		{"accepted", t.accepted + " write accepted"},
		{"late", t.late + " write accepted, though its token is of no lease in force"},
		{"refused", t.refused + " write refused"},
		{"outside", "writes whose clock had gone back to before the drawing are only counted"},
		{"gravest", "of several in a column the gravest is shown"},
		{"token", "#n fencing token n"},
	} {
		if t.used[entry.what] {
			parts = append(parts, entry.text)
		}
	}
	t.list(parts)
}

// list prints parts on as few lines as they need, without parting them.
func (t *text) list(parts []string) {
	var line strings.Builder
	for _, part := range parts {
		if line.Len() > 0 && ansi.StringWidth(line.String())+3+ansi.StringWidth(part) > t.width {
			t.wrapped(line.String())
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteString("   ")
		}
		line.WriteString(part)
	}
	if line.Len() > 0 {
		t.wrapped(line.String())
	}
}

// wrapped prints a text that may be longer than a line.
func (t *text) wrapped(words string) {
	if t.ASCII {
		words = strings.ReplaceAll(words, "µ", "u")
	}
	for line := range strings.Lines(ansi.Wrap(words, t.width, "")) {
		t.line(paint(t.Palette.Dim, strings.TrimSpace(line)))
	}
}
