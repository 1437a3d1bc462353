package oplog

import "io"

// list reads the elements of an array one by one.
type list struct {
	s      *scanner
	opened bool
	ended  bool
}

// next reads one element; it is valid until the call after. At the end of the
// array, behind its bracket, the error is io.EOF.
func (l *list) next() ([]byte, place, error) {
	if l.ended {
		return nil, place{}, io.EOF
	}
	c, err := l.s.spaceWithin()
	if err != nil {
		return nil, place{}, err
	}
	switch {
	case !l.opened: // the caller has seen the bracket
		l.s.pos++
		l.opened = true
		if c, err = l.s.spaceWithin(); err != nil {
			return nil, place{}, err
		}
		if c == ']' {
			return l.end()
		}
	case c == ']':
		return l.end()
	case c == ',':
		l.s.pos++
		if _, err = l.s.spaceWithin(); err != nil {
			return nil, place{}, err
		}
	default:
		return nil, place{}, l.s.unexpected("',' or ']'")
	}
	return l.s.entry()
}

func (l *list) end() ([]byte, place, error) {
	l.s.pos++
	l.ended = true
	return nil, place{}, io.EOF
}

// count reads the array to its end.
func (l *list) count() (n int, err error) {
	for {
		if _, _, err := l.next(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
		n++
	}
}

// entry reads the value that begins here and returns its text and place.
func (s *scanner) entry() ([]byte, place, error) {
	s.keep()
	defer s.drop()
	if err := s.value(); err != nil {
		return nil, place{}, err
	}
	if err := s.checkLength(); err != nil {
		return nil, place{}, err
	}
	return s.kept(s.from.offset, s.offset()), s.from, nil
}
