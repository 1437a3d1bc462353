package oplog

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// word reads one of the names true, false and null.
func (s *scanner) word(w string) error {
	for i := range len(w) {
		c, err := s.next()
		if err != nil {
			return err
		}
		if c != w[i] {
			return s.unexpected(w)
		}
		s.pos++
	}
	return nil
}

// number reads a number of any length.
func (s *scanner) number() error {
	if c, _ := s.peek(); c == '-' {
		s.pos++
	}
	c, err := s.next()
	if err != nil {
		return err
	}
	if c == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if c, err = s.peek(); err == nil && c == '.' {
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if c, err = s.peek(); err == nil && (c == 'e' || c == 'E') {
		s.pos++
		if c, err = s.peek(); err == nil && (c == '+' || c == '-') {
			s.pos++
		}
		return s.digits()
	}
	return nilAtEnd(err)
}

// digits reads at least one digit.
func (s *scanner) digits() error {
	c, err := s.next()
	if err != nil {
		return err
	}
	if !isDigit(c) {
		return s.unexpected("a digit")
	}
	for err == nil && isDigit(c) {
		s.pos++
		c, err = s.peek()
	}
	return nilAtEnd(err)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// nilAtEnd lets a value end where the input does.
func nilAtEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// text reads a string with its quotes.
func (s *scanner) text() error {
	s.pos++
	for {
		s.pos += plainPrefix(s.buf[s.pos:s.end])
		c, err := s.next()
		switch {
		case err != nil:
			return err
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			err = s.escape()
		case c < ' ':
			err = s.fault(s.place(), fmt.Sprintf("a control character (0x%02x) stands unescaped in a string", c))
		case c < utf8.RuneSelf:
			s.pos++
		default:
			err = s.rune()
		}
		if err != nil {
			return err
		}
	}
}

// plainPrefix counts the bytes that are characters of their own and stand for
// themselves: nearly all of nearly every string.
func plainPrefix(text []byte) int {
	for i, c := range text {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// escape reads a backslash and what it escapes.
func (s *scanner) escape() error {
	s.pos++
	c, err := s.next()
	if err != nil {
		return err
	}
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
		s.pos++
	default:
		return s.unexpected("one of \"\\/bfnrtu behind a backslash")
	}
	for range 4 {
		c, err := s.next()
		if err != nil {
			return err
		}
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return s.unexpected("a hexadecimal digit")
		}
		s.pos++
	}
	return nil
}

// rune reads one character of several bytes.
func (s *scanner) rune() error {
	for !utf8.FullRune(s.buf[s.pos:s.end]) {
		if err := s.fill(); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	r, size := utf8.DecodeRune(s.buf[s.pos:s.end])
	if r == utf8.RuneError && size == 1 {
		return s.fault(s.place(), fmt.Sprintf("invalid UTF-8 (0x%02x)", s.buf[s.pos]))
	}
	s.pos += size
	return nil
}
