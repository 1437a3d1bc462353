package transfer

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Item is an operation to be imported, with what was recorded beside it.
type Item struct {
	Operation []byte // its JSON text
	Recorded  []byte // the JSON text of its answer, or nil
	// Own is what an exported journal says besides; nil if the operation comes
	// from somewhere else.
	Own *Own
	// Line and Column are the place, from 1.
	Line, Column int
}

// Own is what an exported journal says of an event besides its operation and
// its answer.
type Own struct {
	Sequence    uint64    // 0 if it does not say
	Hash        *[32]byte // of a long answer, or nil
	Fingerprint *[journal.FingerprintSize]byte
	Marks       journal.Mark
}

// Source yields items. Behind the last one the error is io.EOF.
//
// A *oplog.SyntaxError says that the input is at fault at one place. A source
// of lines can be read on behind it: the line at fault is passed over.
type Source interface {
	Next() (Item, error)
	// Offset is how many bytes of the input have been used so far.
	Offset() int64
	// Passed is how many lines the jq program made nothing of, on purpose.
	Passed() int
}

// exported is an exported journal.
type exported struct {
	lines  *lines
	header []byte // the first line, if it turned out to be an event's
}

// Next implements Source.
func (s *exported) Next() (Item, error) {
	line := s.header
	s.header = nil
	if line == nil {
		var err error
		if line, err = s.lines.next(); err != nil {
			return Item{}, err
		}
	}
	item, err := parseRecord(line)
	if err != nil {
		return Item{}, s.lines.fault(err.Error())
	}
	item.Line, item.Column = s.lines.number, 1
	return item, nil
}

// Offset implements Source.
func (s *exported) Offset() int64 { return s.lines.offset }

// Passed implements Source.
func (s *exported) Passed() int { return 0 }

// whole is a history in any of the forms of oplog.
type whole struct{ *oplog.Reader }

// Next implements Source.
func (s whole) Next() (Item, error) {
	entry, err := s.Reader.Next()
	return itemOf(entry), err
}

// Passed implements Source.
func (s whole) Passed() int { return 0 }

func itemOf(entry oplog.Entry) Item {
	return Item{Operation: entry.Operation, Recorded: entry.Recorded, Line: entry.Line, Column: entry.Column}
}

// separate is a history in lines of which each is read by itself, so that one
// at fault does not spoil the rest.
type separate struct{ lines *lines }

// Next implements Source.
func (s *separate) Next() (Item, error) {
	line, err := s.lines.next()
	if err != nil {
		return Item{}, err
	}
	entry, err := single(s.lines.name, line)
	if err != nil {
		var fault *oplog.SyntaxError
		if errors.As(err, &fault) {
			fault.Line = s.lines.number
		}
		return Item{}, err
	}
	item := itemOf(entry)
	item.Line = s.lines.number
	return item, nil
}

// single reads a line that holds one operation.
func single(name string, line []byte) (oplog.Entry, error) {
	r, err := oplog.Open(name, bytes.NewReader(line))
	if err != nil {
		return oplog.Entry{}, err
	}
	defer r.Close()
	if r.Header().Form != oplog.Lines {
		return oplog.Entry{}, &oplog.SyntaxError{Name: name, Column: 1, Message: "this line is no operation"}
	}
	entry, err := r.Next()
	if err == nil && !json.Valid(line) {
		err = &oplog.SyntaxError{Name: name, Column: 1, Message: "this line holds more than one operation"}
	}
	return entry, err
}

// Offset implements Source.
func (s *separate) Offset() int64 { return s.lines.offset }

// Passed implements Source.
func (s *separate) Passed() int { return 0 }
