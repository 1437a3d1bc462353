package view

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Visible makes a text safe for a terminal: each character that is not
// visible, such as the beginning of an escape sequence or a change of the
// writing direction, is replaced by its JSON escape. Inside a JSON string that
// does not change its value.
func Visible(text string) string { return visible.Text(text) }

// name shows a name, cut to so many cells: as it is if it is a plain word,
// otherwise quoted and escaped.
func name(text string, most int) string {
	return cut(visible.Name(text), most)
}

// quote shows a stored value as a JSON string, cut to so many cells.
func quote(text string, most int) string { return cut(visible.Quoted(text), most) }

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

// shortest is the least that names are cut to.
const shortest = 6

// fit describes something with names as long as the width allows. Names alone
// are cut, so what has many numbers may be wider all the same.
func fit(width int, describe func(most int) string) (text string, fits bool) {
	text = describe(whole)
	for _, most := range []int{200, 140, 90, 60, 40, 28, 20, 14, 10, shortest} {
		if ansi.StringWidth(text) <= width {
			return text, true
		}
		text = describe(most)
	}
	return text, ansi.StringWidth(text) <= width
}

// wrap breaks a text into lines, between words where that is possible.
func wrap(text string, width int) []string {
	// Wrap alone may exceed the width by half a wide character.
	return strings.Split(ansi.Hardwrap(ansi.Wrap(text, width, ""), width, true), "\n")
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
