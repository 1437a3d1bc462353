package oplog

import (
	"encoding/json"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
)

// Form is how a history is written down.
type Form uint8

// The forms; the package comment tells them apart.
const (
	Lines Form = iota + 1
	Array
	Object
)

// Header is what an input says about the history as a whole. Only the object
// form says anything; Name, Edition and Unit are zero where it does not.
type Header struct {
	Form    Form
	Name    string
	Edition events.Edition
	Unit    events.Unit
}

// Entry is one operation of a history.
type Entry struct {
	// Operation is the operation's JSON text, as it stands in the input. It
	// is one valid JSON value in valid UTF-8.
	Operation json.RawMessage
	// Recorded is the answer that somebody recorded beside it, or nil. The
	// text null is an answer.
	Recorded json.RawMessage
	// Line and Column are the place of Operation, from 1, the column in bytes.
	Line, Column int
}

// Reader reads the entries of one history in order. It is not safe for
// concurrent use.
type Reader struct {
	header  Header
	s       *scanner
	next    func() (Entry, error)
	spooled io.Closer // nil if nothing was
	err     error     // sticky
	begun   bool      // of lines: there was one
}

// Open finds out which form r is in and reads its header. The name is used in
// messages. If r is an io.ReaderAt and an io.Seeker that can seek, it is read
// from where it stands, in the object form twice; Open does not close it. Any
// other object form is spooled, to memory and, if it is long, to a temporary
// file.
//
// Input that breaks the form gives a *SyntaxError; any other error is a
// failure to read.
func Open(name string, r io.Reader) (*Reader, error) { return open(name, r, MaxEntry) }

func open(name string, r io.Reader, limit int) (*Reader, error) {
	origin, replayable := position(r)
	reader := &Reader{s: newScanner(name, r, place{line: 1}, limit)}
	form, err := reader.s.form()
	if err != nil {
		return nil, err
	}
	reader.header.Form = form
	switch {
	case form == Lines:
		reader.next = reader.nextLine
	case form == Array:
		reader.next = reader.arrayNext()
	case replayable:
		err = reader.openObject(r.(io.ReaderAt), origin)
	default:
		err = reader.spoolObject(r)
	}
	if err != nil {
		return nil, reader.closeAfter(err)
	}
	return reader, nil
}

// Header is what the input says about the whole.
func (r *Reader) Header() Header { return r.header }

// Offset is how many bytes of the input have been used so far. In the object
// form it is the place of the last operation read.
func (r *Reader) Offset() int64 { return r.s.offset() }

// Next reads the next entry. Its texts are valid until the next call. Behind
// the last entry the error is io.EOF; after an error it is the same for ever.
func (r *Reader) Next() (Entry, error) {
	if r.err != nil {
		return Entry{}, r.err
	}
	entry, err := r.next()
	r.err = err
	return entry, err
}

// Close removes what Open spooled. It does not close the input.
func (r *Reader) Close() error {
	if r.spooled == nil {
		return nil
	}
	return r.spooled.Close()
}

// closeAfter cleans up after a failed Open; the first error is the one to tell.
func (r *Reader) closeAfter(err error) error {
	_ = r.Close()
	return err
}

// nextLine reads a value. That it is set off from the one before is seen only
// now, because a client that waits for an answer may not have sent more.
func (r *Reader) nextLine() (Entry, error) {
	end := r.s.offset()
	if err := r.s.space(); err != nil {
		return Entry{}, err
	}
	if r.begun && r.s.offset() == end {
		return Entry{}, r.s.unexpected("white space behind a value")
	}
	r.begun = true
	return r.s.readLine()
}

// arrayNext reads the elements of an array of operations.
func (r *Reader) arrayNext() func() (Entry, error) {
	operations := &list{s: r.s}
	return func() (Entry, error) {
		text, at, err := operations.next()
		if err == io.EOF {
			if err := r.s.onlySpace("the array"); err != nil {
				return Entry{}, err
			}
		}
		if err == nil && isRecorded(text) {
			r.s.back(at)
			return r.s.readLine()
		}
		return Entry{Operation: text, Line: at.line, Column: at.column()}, err
	}
}

// openObject reads the object form once to know it, and prepares the second
// reading, in which one scanner walks the operations and one the results.
func (r *Reader) openObject(input io.ReaderAt, origin int64) error {
	from := func(at place) *scanner {
		rest := io.NewSectionReader(input, origin+at.offset, 1<<62)
		return newScanner(r.s.name, rest, at, r.s.limit)
	}
	o, err := readObject(from(r.s.place()))
	if err != nil {
		return err
	}
	r.header = o.header
	r.s = from(o.operations.at)
	operations := &list{s: r.s}
	var results *list
	if o.results != nil {
		results = &list{s: from(o.results.at)}
	}
	r.next = func() (Entry, error) { return pair(operations, results) }
	return nil
}

// pair reads the next operation and the answer recorded for it.
func pair(operations, results *list) (Entry, error) {
	text, at, err := operations.next()
	if err != nil {
		return Entry{}, err
	}
	entry := Entry{Operation: text, Line: at.line, Column: at.column()}
	if results != nil {
		if entry.Recorded, _, err = results.next(); err == io.EOF {
			err = results.s.fault(results.s.place(), "the input has changed while it was read")
		}
	}
	return entry, err
}
