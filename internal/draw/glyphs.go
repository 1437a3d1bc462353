package draw

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
	"github.com/leasekeeper/leasekeeper/projection"
)

// glyphs are the characters of a drawing in text, each one column wide.
type glyphs struct {
	granted, handed, held, shared, renewed string
	expired, released, aborted, short      string
	before, after                          string // the row goes on outside the span
	waits, got, withdrawn                  string
	accepted, late, refused                string
	many                                   [3]string // ten, a hundred, a thousand and more
	tick, line, ellipsis                   string
	name                                   func(string) string
}

var unicodeGlyphs = glyphs{
	granted: "┣", handed: "»", held: "━", shared: "═", renewed: "╋",
	expired: "┫", released: "┛", aborted: "†", short: "┃",
	before: "◀", after: "▶",
	waits: "·", got: "↑", withdrawn: "╯",
	accepted: "✓", late: "!", refused: "✗",
	many: [3]string{"░", "▒", "▓"},
	tick: "┼", line: "─", ellipsis: "…",
	name: visible.Name,
}

var asciiGlyphs = glyphs{
	granted: "[", handed: ":", held: "=", shared: "-", renewed: "+",
	expired: "]", released: ")", aborted: "X", short: "|",
	before: "<", after: ">",
	waits: ".", got: "^", withdrawn: "/",
	accepted: "o", late: "!", refused: "x",
	many: [3]string{"#", "%", "@"},
	tick: "+", line: "-", ellipsis: "~",
	name: func(text string) string { return asciiOnly(visible.Name(text)) },
}

// asciiOnly is a text with everything beyond ASCII escaped.
func asciiOnly(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// digit is a count in one column, blank for none.
func (g *glyphs) digit(n int) string {
	switch {
	case n <= 0:
		return " "
	case n < 10:
		return string(rune('0' + n))
	case n < 100:
		return g.many[0]
	case n < 1000:
		return g.many[1]
	}
	return g.many[2]
}

// ending is how a lease ends.
func (g *glyphs) ending(how events.Cause) string {
	switch how {
	case events.CauseRelease:
		return g.released
	case events.CauseAbort:
		return g.aborted
	}
	return g.expired
}

// leaving is how a request leaves the queue.
func (g *glyphs) leaving(ending projection.Ending) string {
	switch ending {
	case projection.WasGranted:
		return g.got
	case projection.WasAborted:
		return g.aborted
	}
	return g.withdrawn
}

func (g *glyphs) mark(m mark) string {
	return [...]string{" ", g.accepted, g.late, g.refused}[m]
}
