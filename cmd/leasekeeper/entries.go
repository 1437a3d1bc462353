package main

import (
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// entries are the operations and recorded answers of a history in any form, or
// of an exported journal. What else that records is for import and audit.
type entries struct {
	transfer.Source
	name   string
	header transfer.Header
	last   uint64
}

// readEntries finds out what an input is, and begins to read it.
func readEntries(name string, input io.Reader) (*entries, error) {
	source, header, err := transfer.Open(name, input, transfer.Reading{})
	if err != nil {
		return nil, err
	}
	if header.Exported {
		header.Form = oplog.Lines
	}
	return &entries{Source: source, name: name, header: header}, nil
}

// Header is what the input says about the whole.
func (e *entries) Header() oplog.Header { return e.header.Header }

// Close removes what was spooled.
func (e *entries) Close() error {
	if closer, ok := e.Source.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Next reads the next entry. Of an exported journal the first one has to be
// number 1: one that begins later has no state to begin with.
func (e *entries) Next() (oplog.Entry, error) {
	item, err := e.Source.Next()
	if err != nil {
		return oplog.Entry{}, err
	}
	e.last++
	if own := item.Own; own != nil && own.Sequence != 0 && own.Sequence != e.last {
		message := fmt.Sprintf("this is event %d, but event %d is due", own.Sequence, e.last)
		return oplog.Entry{}, &oplog.SyntaxError{Name: e.name, Line: item.Line, Column: item.Column, Message: message}
	}
	return oplog.Entry{Operation: item.Operation, Recorded: item.Recorded, Line: item.Line, Column: item.Column}, nil
}
