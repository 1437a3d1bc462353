package oplog

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// SameAnswer reports whether two JSON texts are the same answer: equal up to
// white space, the order of an object's fields and the way strings are
// escaped. Numbers are the same if they are spelled the same, so nothing is
// rounded and 30.0 is not 30. A lone surrogate is equal only to itself, never
// to U+FFFD. A text that is not one valid JSON value is the same as nothing, nor
// is one that is nested more than 64 deep, which no answer is.
func SameAnswer(a, b []byte) bool {
	canonicalA, okA := canonical(a)
	canonicalB, okB := canonical(b)
	return okA && okB && bytes.Equal(canonicalA, canonicalB)
}

// canonical brings a JSON text into a form that is equal for equal values and
// different for different ones. It is not JSON: strings carry their length
// instead of escapes.
func canonical(text []byte) ([]byte, bool) {
	s := &scanner{buf: text, end: len(text), err: io.EOF, limit: len(text), deepest: 64}
	value, _, err := s.entry()
	if err != nil || s.space() != io.EOF {
		return nil, false
	}
	c := canonicalizer{text: value}
	return c.value(make([]byte, 0, len(value)+16)), !c.repeated
}

// canonicalizer walks a text that is known to be valid and not too deep.
type canonicalizer struct {
	text     []byte
	repeated bool // a field stood twice in an object
}

// token skips white space and returns the byte that follows, consumed.
func (c *canonicalizer) token() byte {
	c.text = bytes.TrimLeft(c.text, " \t\r\n")
	first := c.text[0]
	c.text = c.text[1:]
	return first
}

func (c *canonicalizer) value(dst []byte) []byte {
	switch first := c.token(); first {
	case '[':
		return c.array(dst)
	case '{':
		return c.object(dst)
	case '"':
		return c.string(dst)
	default: // a number, true, false or null ends where its letters end
		n := 0
		for n < len(c.text) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(c.text[n])) {
			n++
		}
		dst = append(append(dst, first), c.text[:n]...)
		c.text = c.text[n:]
		return dst
	}
}

func (c *canonicalizer) array(dst []byte) []byte {
	dst = append(dst, '[')
	if c.skip(']') {
		return append(dst, ']')
	}
	for {
		dst = c.value(dst)
		if c.token() == ']' {
			return append(dst, ']')
		}
		dst = append(dst, ',')
	}
}

func (c *canonicalizer) object(dst []byte) []byte {
	var fields [][]byte
	for end := c.skip('}'); !end; end = c.token() == '}' {
		c.token() // the quote in front of the name
		name := c.string(nil)
		c.token() // the colon
		fields = append(fields, c.value(name))
	}
	slices.SortFunc(fields, bytes.Compare)
	dst = append(dst, '{')
	for i, field := range fields {
		if i > 0 && bytes.Equal(nameOf(field), nameOf(fields[i-1])) {
			c.repeated = true
		}
		dst = append(append(dst, field...), ',')
	}
	return append(dst, '}')
}

// nameOf is the part of a canonical field that is its name.
func nameOf(field []byte) []byte {
	length, n := binary.Uvarint(field[1:])
	return field[:1+n+int(length)]
}

// skip consumes an expected byte if it is the next one.
func (c *canonicalizer) skip(expected byte) bool {
	c.text = bytes.TrimLeft(c.text, " \t\r\n")
	if c.text[0] != expected {
		return false
	}
	c.text = c.text[1:]
	return true
}

// string reads a string behind its first quote and writes its length and its
// text. Lone surrogates are written as three bytes that no UTF-8 contains.
func (c *canonicalizer) string(dst []byte) []byte {
	var text []byte
	for {
		n := bytes.IndexAny(c.text, `"\`)
		text = append(text, c.text[:n]...)
		quote := c.text[n] == '"'
		c.text = c.text[n+1:]
		if quote {
			dst = binary.AppendUvarint(append(dst, '"'), uint64(len(text)))
			return append(dst, text...)
		}
		text = c.escape(text)
	}
}

// escape reads what stands behind a backslash.
func (c *canonicalizer) escape(text []byte) []byte {
	letter := c.text[0]
	c.text = c.text[1:]
	if letter != 'u' {
		if i := bytes.IndexByte([]byte("bfnrt"), letter); i >= 0 {
			letter = "\b\f\n\r\t"[i]
		}
		return append(text, letter)
	}
	r := c.hex()
	if utf16.IsSurrogate(r) {
		if len(c.text) >= 6 && c.text[0] == '\\' && c.text[1] == 'u' {
			rest := canonicalizer{text: c.text[2:]}
			if pair := utf16.DecodeRune(r, rest.hex()); pair != utf8.RuneError {
				c.text = rest.text
				return utf8.AppendRune(text, pair)
			}
		}
		return append(text, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(text, r)
}

// hex reads four hexadecimal digits.
func (c *canonicalizer) hex() rune {
	n, _ := strconv.ParseUint(string(c.text[:4]), 16, 16)
	c.text = c.text[4:]
	return rune(n)
}
