package oplog

import "fmt"

// maxNesting bounds how deep values may be nested, as encoding/json does, so
// that whoever reads an entry later cannot be made to recurse without end.
const maxNesting = 10000

// value reads one JSON value, strictly by RFC 8259, and leaves the scanner
// behind its last byte. It keeps a stack of brackets instead of recursing.
func (s *scanner) value() error {
	s.nesting = s.nesting[:0]
	for {
		opened, err := s.simpleOrOpen()
		if err != nil {
			return err
		}
		if opened {
			continue
		}
		more, err := s.closeOrComma()
		if err != nil || !more {
			return err
		}
	}
}

// simpleOrOpen reads a value without parts, or the beginning of one that has
// parts, up to where its first part is expected.
func (s *scanner) simpleOrOpen() (opened bool, err error) {
	c, err := s.spaceWithin()
	if err != nil {
		return false, err
	}
	switch {
	case c == '[' || c == '{':
		return s.open(c)
	case c == '"':
		return false, s.text()
	case c == '-' || isDigit(c):
		return false, s.number()
	case c == 't':
		return false, s.word("true")
	case c == 'f':
		return false, s.word("false")
	case c == 'n':
		return false, s.word("null")
	}
	return false, s.unexpected("a value")
}

// open enters an array or an object; an empty one is left again at once.
func (s *scanner) open(bracket byte) (opened bool, err error) {
	if len(s.nesting) == s.deepest {
		return false, s.fault(s.place(), fmt.Sprintf("values are nested more than %d deep", s.deepest))
	}
	s.pos++
	c, err := s.spaceWithin()
	if err != nil {
		return false, err
	}
	if c == closing(bracket) {
		s.pos++
		return false, nil
	}
	s.nesting = append(s.nesting, bracket)
	if bracket == '{' {
		return true, s.fieldName()
	}
	return true, nil
}

// closeOrComma goes on behind a complete value: it leaves what ends here and
// stops behind the comma before the next part. more is false at the end of the
// outermost value.
func (s *scanner) closeOrComma() (more bool, err error) {
	for len(s.nesting) > 0 {
		bracket := s.nesting[len(s.nesting)-1]
		c, err := s.spaceWithin()
		switch {
		case err != nil:
			return false, err
		case c == ',' && bracket == '{':
			s.pos++
			return true, s.fieldName()
		case c == ',':
			s.pos++
			return true, nil
		case c != closing(bracket):
			return false, s.unexpected(fmt.Sprintf("',' or '%c'", closing(bracket)))
		}
		s.pos++
		s.nesting = s.nesting[:len(s.nesting)-1]
	}
	return false, nil
}

func closing(bracket byte) byte { return bracket + 2 } // '[' ']' and '{' '}'

// fieldName reads the name of a field of an object and the colon behind it.
func (s *scanner) fieldName() error {
	c, err := s.spaceWithin()
	if err != nil {
		return err
	}
	if c != '"' {
		return s.unexpected("the name of a field")
	}
	if err := s.text(); err != nil {
		return err
	}
	if c, err = s.spaceWithin(); err != nil {
		return err
	}
	if c != ':' {
		return s.unexpected("':'")
	}
	s.pos++
	return nil
}

// unexpected reports the byte that peek would return.
func (s *scanner) unexpected(instead string) error {
	c := s.buf[s.pos]
	if c < ' ' || c >= 0x7f {
		return s.fault(s.place(), fmt.Sprintf("unexpected byte 0x%02x, expected %s", c, instead))
	}
	return s.fault(s.place(), fmt.Sprintf("unexpected '%c', expected %s", c, instead))
}
