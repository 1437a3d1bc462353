package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// strip is a line of text of which each column is set on its own.
type strip []column

type column struct {
	text  string // of width one; or of two, and the next column is taken by it
	taken bool
	paint func(string) string
}

// set puts text of width one into a column. Columns outside of the strip are let
// go. A wide character that stood there, if only in part, goes.
func (s strip) set(at int, text string, how func(string) string) {
	if at < 0 || at >= len(s) {
		return
	}
	if s[at].taken {
		s[at-1] = column{text: " "}
	}
	if at+1 < len(s) && s[at+1].taken {
		s[at+1] = column{text: " "}
	}
	s[at] = column{text: text, paint: how}
}

// write puts a text into the columns from at up to, not including, end, as far as
// it has room.
func (s strip) write(at, end int, text string, how func(string) string) {
	end = min(end, len(s))
	first := at
	var state byte
	for len(text) > 0 {
		cluster, width, n, next := ansi.DecodeSequence(text, state, nil)
		state, text = next, text[n:]
		switch {
		case width == 0 && at > first:
			last := at - 1
			if s[last].taken {
				last--
			}
			s[last].text += cluster
		case width == 1 || width == 2:
			if at+width > end {
				return
			}
			s.set(at, cluster, how)
			if width == 2 {
				s.set(at+1, "", how)
				s[at].text, s[at].paint = cluster, how
				s[at+1].taken = true
			}
			at += width
		}
	}
}

// String is the line with its paint, without blanks at the end.
func (s strip) String() string {
	end := len(s)
	for end > 0 && (s[end-1].text == "" || s[end-1].text == " ") && !s[end-1].taken {
		end--
	}
	var b strings.Builder
	for i := 0; i < end; i++ {
		c := s[i]
		switch {
		case c.taken:
		case c.text == "":
			b.WriteByte(' ')
		default:
			b.WriteString(paint(c.paint, c.text))
		}
	}
	return b.String()
}

// shortened is a name that has no more than so many columns. The middle is left
// out: names often differ at their ends.
func shortened(text string, most int, ellipsis string) string {
	width := ansi.StringWidth(text)
	if width <= most {
		return text
	}
	if most < 3 {
		return ansi.Truncate(text, most, "")
	}
	tail := (most - 1) / 3
	head := ansi.Truncate(text, most-1-tail, "")
	for ; tail > 0; tail-- { // a wide character may not be parted
		end := ansi.Cut(text, width-tail, width)
		if ansi.StringWidth(head)+1+ansi.StringWidth(end) <= most {
			return head + ellipsis + end
		}
	}
	return head + ellipsis
}
