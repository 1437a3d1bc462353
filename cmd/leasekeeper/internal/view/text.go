package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/charmbracelet/x/ansi"
)

// Visible makes a text safe for a terminal: each character that is not
// visible, such as the beginning of an escape sequence or a change of the
// writing direction, is replaced by its JSON escape. Inside a JSON string that
// does not change its value.
func Visible(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden tells whether a character does something else than to be seen.
func hidden(r rune) bool { return !unicode.IsPrint(r) }

// name shows a name, cut to so many cells: as it is if it is a plain word,
// otherwise quoted and escaped.
func name(text string, most int) string {
	odd := func(r rune) bool { return hidden(r) || r == ' ' || r == '"' || r == unicode.ReplacementChar }
	if text == "" || strings.ContainsFunc(text, odd) {
		text = strconv.Quote(text)
	}
	return cut(text, most)
}

// quote shows a stored value, cut to so many cells.
func quote(text string, most int) string { return cut(strconv.Quote(text), most) }

// cut takes so much out of the middle that the text fits, because names often
// differ at their end.
func cut(text string, most int) string {
	width := ansi.StringWidth(text)
	if width <= most {
		return text
	}
	tail := (most - 1) / 3
	head := ansi.Truncate(text, most-1-tail, "") + "…"
	end := ansi.Cut(text, width-tail, width)
	if ansi.StringWidth(head+end) > most { // the cut went through a wide character
		end = ansi.Cut(text, width-tail+1, width)
	}
	return head + end
}

// whole is the limit for what is not cut.
const whole = 1 << 30

// fit describes something with names as long as the width allows.
func fit(width int, describe func(most int) string) string {
	text := describe(whole)
	for _, most := range []int{60, 40, 28, 20, 14, 10, 6} {
		if ansi.StringWidth(text) <= width {
			return text
		}
		text = describe(most)
	}
	return ansi.Truncate(text, width, "…")
}

// list joins items by commas. Where names are cut, a long list is cut too and
// the number of missing items given.
func list(n, most int, item func(i int) string) string {
	shown := n
	if most < whole && n > 4 {
		shown = 3
	}
	items := make([]string, 0, shown+1)
	for i := range shown {
		items = append(items, item(i))
	}
	if shown < n {
		items = append(items, fmt.Sprintf("%d more", n-shown))
	}
	return strings.Join(items, ", ")
}
