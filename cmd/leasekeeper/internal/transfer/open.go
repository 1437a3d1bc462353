package transfer

import (
	"bytes"
	"io"
	"slices"

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
	r, beginning := peek(r)
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
// the same one, if it can be read again. Of any other it reads no further than
// it has to: who sends it may wait for an answer before sending more. An error
// comes again when the input is read.
func peek(r io.Reader) (again io.Reader, beginning []byte) {
	if file, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			beginning = make([]byte, peeked)
			n, _ := file.ReadAt(beginning, at)
			return r, beginning[:n]
		}
	}
	again, beginning = r, make([]byte, 0, peeked)
	for len(beginning) < peeked && undecided(beginning) {
		n, err := r.Read(beginning[len(beginning):peeked])
		beginning = beginning[:len(beginning)+n]
		if err != nil {
			again = failing{err}
			break
		}
	}
	return io.MultiReader(bytes.NewReader(beginning), again), beginning
}

// failing is the rest of an input whose beginning has ended with an error, be it
// io.EOF.
type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// undecided tells whether more of the beginning is needed to tell an exported
// journal.
func undecided(beginning []byte) bool {
	rest, isObject := firstField(beginning)
	if !isObject {
		return len(rest) == 0 || bytes.HasPrefix([]byte("\uFEFF"), rest)
	}
	for _, name := range exportedFields {
		if len(rest) < len(name) && bytes.HasPrefix([]byte(name), rest) {
			return true
		}
	}
	return false
}

// exportedFields are the first fields of an exported journal, and of lines out
// of one.
var exportedFields = []string{`"journal"`, `"seq"`}

// firstField is what stands behind the bracket of the first object, or all there
// is if it is none.
func firstField(beginning []byte) (rest []byte, isObject bool) {
	rest = bytes.TrimLeft(bytes.TrimPrefix(beginning, []byte("\uFEFF")), " \t\r\n")
	rest, isObject = bytes.CutPrefix(rest, []byte("{"))
	return bytes.TrimLeft(rest, " \t\r\n"), isObject
}

// isExported tells an exported journal, or lines out of one, by the first
// field of the first object.
func isExported(beginning []byte) bool {
	rest, isObject := firstField(beginning)
	return isObject && slices.ContainsFunc(exportedFields, func(name string) bool { return bytes.HasPrefix(rest, []byte(name)) })
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
