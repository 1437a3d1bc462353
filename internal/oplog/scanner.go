package oplog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// MaxEntry is the largest size of one entry in bytes: an operation, a recorded
// answer, or a line that holds both.
const MaxEntry = 16 << 20

// SyntaxError says that the input is at fault, and where.
type SyntaxError struct {
	Name string // of the input, as given to Open
	Line int    // from 1
	// Column counts bytes from 1, as compilers do; a byte order mark is not
	// counted.
	Column  int
	Message string
	// UnknownField tells that the fault is a field that no form has. The input
	// may be another service's log.
	UnknownField bool
}

// Error is the place and the message: "history.json:3:17: …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Message)
}

// place is where a byte stands in the input. The column follows from the
// offset of the line's first byte.
type place struct {
	offset    int64
	line      int
	lineStart int64
}

func (p place) column() int { return int(p.offset-p.lineStart) + 1 }

// scanner hands out the bytes of an input one by one, knows the place of each,
// and keeps those from a chosen one on for as long as they are wanted.
//
// Invariants: 0 <= pos <= end <= len(buf); buf[0] is the byte at offset base;
// if keeping, from.offset lies in base..base+pos.
type scanner struct {
	name      string
	r         io.Reader
	buf       []byte
	pos, end  int
	base      int64
	line      int
	lineStart int64
	err       error // sticky: io.EOF or what r reported

	keeping bool
	from    place
	limit   int

	nesting []byte // the open brackets of the value being read
	deepest int    // how many there may be
}

func newScanner(name string, r io.Reader, at place, limit int) *scanner {
	return &scanner{
		name: name, r: r, buf: make([]byte, 64<<10), base: at.offset,
		line: at.line, lineStart: at.lineStart, limit: limit, deepest: maxNesting,
	}
}

func (s *scanner) offset() int64 { return s.base + int64(s.pos) }

func (s *scanner) place() place { return place{s.offset(), s.line, s.lineStart} }

// keep makes bytes available from here on, until drop.
func (s *scanner) keep() {
	s.keeping, s.from = true, s.place()
}

func (s *scanner) drop() { s.keeping = false }

// rewind goes back to where keep was called.
func (s *scanner) rewind() {
	s.pos = int(s.from.offset - s.base)
	s.line, s.lineStart = s.from.line, s.from.lineStart
	s.drop()
}

// back goes back to a place that is still in the buffer.
func (s *scanner) back(to place) {
	s.from = to
	s.rewind()
}

// kept is the text between two offsets that are being kept. It is valid until
// the scanner moves on.
func (s *scanner) kept(from, to int64) []byte {
	return s.buf[from-s.base : to-s.base : to-s.base]
}

// peek is the next byte. At the end of the input the error is io.EOF.
func (s *scanner) peek() (byte, error) {
	if s.pos == s.end {
		return s.filled()
	}
	return s.buf[s.pos], nil
}

// filled is the part of peek that is too rare to be inlined.
func (s *scanner) filled() (byte, error) {
	if err := s.fill(); err != nil {
		return 0, err
	}
	return s.buf[s.pos], nil
}

// next is peek for where the input may not end.
func (s *scanner) next() (byte, error) {
	c, err := s.peek()
	if err == io.EOF {
		return 0, s.fault(s.place(), "the input ends in the middle of a value")
	}
	return c, err
}

// fill reads at least one byte more, or fails. It is the only place that waits
// for input.
func (s *scanner) fill() error {
	if s.err != nil {
		return s.err
	}
	if err := s.makeRoom(); err != nil {
		return err
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err != nil {
			s.err = s.failure(err)
		}
		if n > 0 {
			return nil
		}
		if err != nil {
			return s.err
		}
	}
	s.err = s.failure(io.ErrNoProgress)
	return s.err
}

// failure keeps io.EOF as it is and puts the input's name before other errors,
// in the place of the one that a file puts there.
func (s *scanner) failure(err error) error {
	if err == io.EOF {
		return io.EOF
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("oplog: reading %s: %w", s.name, err)
}

// makeRoom frees space behind end: first by forgetting what nobody keeps, then
// by doubling the buffer.
func (s *scanner) makeRoom() error {
	start := s.pos
	if s.keeping {
		start = int(s.from.offset - s.base)
	}
	if s.end-start > s.limit {
		return s.tooLong()
	}
	if s.end < len(s.buf) {
		return nil
	}
	buf := s.buf
	if s.end-start > len(buf)/2 {
		buf = make([]byte, 2*len(buf))
	}
	copy(buf, s.buf[start:s.end])
	s.buf = buf
	s.base += int64(start)
	s.pos -= start
	s.end -= start
	return nil
}

// tooLong refuses the value that is being kept.
func (s *scanner) tooLong() error {
	return s.faultAt(s.from, fmt.Sprintf("this value is longer than %d bytes, the most for one entry", s.limit))
}

// checkLength refuses a value that is too long but lay in the buffer already,
// so that the limit does not depend on how the input arrived.
func (s *scanner) checkLength() error {
	if s.offset()-s.from.offset > int64(s.limit) {
		return s.tooLong()
	}
	return nil
}

// space skips white space. Line breaks stand nowhere else in JSON, so lines
// are counted here only.
func (s *scanner) space() error {
	for {
		c, err := s.peek()
		if err != nil {
			return err
		}
		switch c {
		case '\n':
			s.pos++
			s.line++
			s.lineStart = s.offset()
		case ' ', '\t', '\r':
			s.pos++
		default:
			return nil
		}
	}
}

// spaceWithin is space for where the input may not end; it returns the byte
// that follows.
func (s *scanner) spaceWithin() (byte, error) {
	if err := s.space(); err != nil && err != io.EOF {
		return 0, err
	}
	return s.next()
}

// fault is a mistake at a place. Beyond the limit of the value that is being
// kept, that is the mistake, whichever of the two was noticed first: that would
// depend on how the input arrived.
func (s *scanner) fault(at place, message string) error {
	if s.keeping && s.offset()-s.from.offset > int64(s.limit) {
		return s.tooLong()
	}
	return s.faultAt(at, message)
}

// unknownField is a fault at a field that the form does not have.
func (s *scanner) unknownField(at place, name, known string) error {
	err := s.fault(at, "unknown field "+quoted(name)+" ("+known+")")
	if syntax, ok := err.(*SyntaxError); ok {
		syntax.UnknownField = true
	}
	return err
}

func (s *scanner) faultAt(at place, message string) error {
	return &SyntaxError{Name: s.name, Line: at.line, Column: at.column(), Message: message}
}
