package transfer

import (
	"bufio"
	"bytes"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// Reading says how an input is to be read.
type Reading struct {
	// Program makes operations of lines, if it is not nil. The input is then
	// lines of whatever it takes.
	Program *Program
	// Separate reads lines of a history one by one, so that one at fault can
	// be passed over.
	Separate bool
}

// Header is what an input says about the whole.
type Header struct {
	oplog.Header      // zero where it says nothing
	Exported     bool // it is an exported journal
}

// Open finds out what an input is. The name is used in messages; r need not
// be a file, but a file is not copied before it is read.
func Open(name string, r io.Reader, how Reading) (Source, Header, error) {
	if how.Program != nil {
		return &mapped{lines: newLines(name, r), program: how.Program}, Header{}, nil
	}
	r, beginning, err := peek(r)
	if err != nil {
		return nil, Header{}, err
	}
	if isExported(beginning) {
		s := &exported{lines: newLines(name, r)}
		header, err := s.open()
		return s, header, err
	}
	if how.Separate {
		return &separate{newLines(name, r)}, Header{}, nil
	}
	reader, err := oplog.Open(name, r)
	if err != nil {
		return nil, Header{}, err
	}
	return whole{reader}, Header{Header: reader.Header()}, nil
}

// peeked is how much of an input is looked at to tell an exported journal.
const peeked = 512

// peek looks at the beginning of an input and returns a reader of all of it:
// the same one, if it can be read again.
func peek(r io.Reader) (again io.Reader, beginning []byte, err error) {
	if file, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			beginning = make([]byte, peeked)
			n, err := file.ReadAt(beginning, at)
			if err != nil && err != io.EOF {
				return nil, nil, err
			}
			return r, beginning[:n], nil
		}
	}
	buffered := bufio.NewReaderSize(r, peeked)
	beginning, err = buffered.Peek(peeked)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	return buffered, beginning, nil
}

// isExported tells an exported journal, or lines out of one, by the first
// field of the first object.
func isExported(beginning []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimPrefix(beginning, []byte("\uFEFF")), " \t\r\n")
	rest, isObject := bytes.CutPrefix(rest, []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return isObject && (bytes.HasPrefix(rest, []byte(`"journal"`)) || bytes.HasPrefix(rest, []byte(`"seq"`)))
}

// open reads the first line, which may be missing.
func (s *exported) open() (Header, error) {
	line, err := s.lines.next()
	if err != nil {
		return Header{}, err
	}
	if bytes.HasPrefix(bytes.TrimLeft(line[1:], " \t"), []byte(`"seq"`)) {
		s.header = line
		return Header{Exported: true}, nil
	}
	rules, err := parseHeader(line)
	if err != nil {
		return Header{}, s.lines.fault(err.Error())
	}
	return HeaderOf(rules), nil
}

// HeaderOf is the header of an exported journal.
func HeaderOf(rules events.Rules) Header {
	return Header{Header: oplog.Header{Edition: rules.Edition, Unit: rules.Unit}, Exported: true}
}
