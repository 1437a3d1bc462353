// Package visible makes text from strangers safe to print on a terminal.
package visible

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a text in which each character that is not visible, such as the
// beginning of an escape sequence or a change of the writing direction, is
// replaced by its JSON escape. Inside a JSON string that does not change its
// value. Each byte that is not UTF-8 becomes U+FFFD, as JSON readers have it.
// O(len(text)).
func Text(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, Hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !Hidden(r):
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

// brailleBlank is the pattern of no dots, which Unicode counts as a symbol.
const brailleBlank = '\u2800'

// Hidden tells whether a character does something else than to be seen: it
// controls something, or leaves a blank, or nothing at all.
func Hidden(r rune) bool {
	return !unicode.IsPrint(r) || r == brailleBlank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// IsWord tells whether a name can be printed as it is and still be told from the
// text around it: it is not empty, all of it is visible and neither a blank nor a
// quotation mark, and it does not look like an event, such as #12.
func IsWord(text string) bool {
	odd := func(r rune) bool { return Hidden(r) || r == ' ' || r == '"' || r == unicode.ReplacementChar }
	return text != "" && text[0] != '#' && !strings.ContainsFunc(text, odd)
}

// Quoted is a text as a JSON string, without HTML escapes and made visible.
func Quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can be encoded
	return Text(strings.TrimSuffix(b.String(), "\n"))
}

// Name is a name as it is if it is a plain word, otherwise quoted.
func Name(text string) string {
	if IsWord(text) {
		return text
	}
	return Quoted(text)
}
