package oplog

import (
	"bytes"
	"io"
)

// form tells the forms apart by the beginning of the first value, in front of
// which it leaves the scanner.
func (s *scanner) form() (Form, error) {
	if err := s.skipMark(); err != nil {
		return 0, err
	}
	err := s.space()
	if err == io.EOF {
		return Lines, nil
	}
	if err != nil {
		return 0, err
	}
	s.keep()
	defer s.rewind()
	switch c, _ := s.peek(); c {
	case '[':
		s.pos++
		c, err := s.spaceWithin()
		if c == '"' {
			return Lines, err
		}
		return Array, err
	case '{':
		return s.objectOrLine()
	}
	return Lines, nil
}

// objectOrLine looks at the first field of an object.
func (s *scanner) objectOrLine() (Form, error) {
	start := s.place()
	s.pos++
	if c, err := s.spaceWithin(); err != nil {
		return 0, err
	} else if c == '}' {
		return 0, s.fault(start, `this object has neither "operations" nor "op"`)
	}
	name, _, err := s.namedField()
	if name == "op" || name == "result" {
		return Lines, err
	}
	return Object, err
}

// byteOrderMark is U+FEFF in UTF-8; some editors write it in front.
const byteOrderMark = "\uFEFF"

// skipMark skips a byte order mark, which counts neither as a column nor as a
// value.
func (s *scanner) skipMark() error {
	for s.end-s.pos < len(byteOrderMark) && bytes.HasPrefix([]byte(byteOrderMark), s.buf[s.pos:s.end]) {
		if err := s.fill(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	if bytes.HasPrefix(s.buf[s.pos:s.end], []byte(byteOrderMark)) {
		s.pos += len(byteOrderMark)
		s.lineStart = s.offset()
	}
	return nil
}
