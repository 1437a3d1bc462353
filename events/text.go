package events

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// IsText tells whether s may stand as a name, key or value: not empty, and
// valid Unicode (R25). O(len(s)).
func IsText(s string) bool { return s != "" && utf8.ValidString(s) }

// unquote reads a JSON string, which must be syntactically valid. valid is
// false if it is not Unicode text: a byte sequence that is not UTF-8, or an
// escaped surrogate without its other half. Text then has U+FFFD in their
// places, as most JSON readers would silently have it (R25).
func unquote(quoted []byte) (text string, valid bool) {
	body := quoted[1 : len(quoted)-1]
	if valid = utf8.Valid(body); !valid {
		body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	if bytes.IndexByte(body, '\\') < 0 {
		return string(body), valid
	}
	text, paired := unescape(body)
	return text, valid && paired
}

// unescape resolves the escapes of a JSON string's body. paired is false if
// it escapes a lone surrogate.
func unescape(body []byte) (text string, paired bool) {
	var b strings.Builder
	b.Grow(len(body))
	paired = true
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			b.WriteByte(body[i])
			i++
			continue
		}
		if body[i+1] != 'u' {
			b.WriteByte(unescapeByte(body[i+1]))
			i += 2
			continue
		}
		r, n := unescapeRune(body[i:])
		if utf16.IsSurrogate(r) {
			paired = false
			r = utf8.RuneError
		}
		b.WriteRune(r)
		i += n
	}
	return b.String(), paired
}

func unescapeByte(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // ", \ and / stand for themselves
}

// unescapeRune reads the \uXXXX, or the pair of them, that text begins with,
// and the number of bytes read. The result is a surrogate if it is a lone one.
func unescapeRune(text []byte) (r rune, n int) {
	r = hexRune(text)
	if !utf16.IsSurrogate(r) || len(text) < 12 || text[6] != '\\' || text[7] != 'u' {
		return r, 6
	}
	if pair := utf16.DecodeRune(r, hexRune(text[6:])); pair != utf8.RuneError {
		return pair, 12
	}
	return r, 6
}

// hexRune reads the four digits of the \uXXXX that text begins with.
func hexRune(text []byte) rune {
	n, _ := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n)
}
