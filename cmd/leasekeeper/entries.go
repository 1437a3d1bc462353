package main

import (
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// entries are the operations and recorded answers of a history in any form, or
// of an exported journal.
type entries struct {
	transfer.Source
	name   string
	header transfer.Header
	last   uint64
}

// readEntries finds out what an input is, and begins to read it.
func readEntries(name string, input io.Reader, how transfer.Reading) (*entries, error) {
	source, header, err := transfer.Open(name, input, how)
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
	if err := e.isDue(&item); err != nil {
		return oplog.Entry{}, err
	}
	return oplog.Entry{Operation: item.Operation, Recorded: item.Recorded, Line: item.Line, Column: item.Column}, nil
}

// event is the event that an item asks for.
func (e *entries) event(rules events.Rules, item *transfer.Item) (events.Event, error) {
	event, err := rules.Parse(item.Operation)
	if err != nil {
		return nil, e.fault(item, err.Error())
	}
	return event, e.isDue(item)
}

// isDue counts an item. One that has a number of its own has to be that one.
func (e *entries) isDue(item *transfer.Item) error {
	e.last++
	if own := item.Own; own != nil && own.Sequence != 0 && own.Sequence != e.last {
		return e.fault(item, fmt.Sprintf("this is event %d, but event %d is due", own.Sequence, e.last))
	}
	return nil
}

func (e *entries) fault(item *transfer.Item, message string) error {
	return &oplog.SyntaxError{Name: e.name, Line: item.Line, Column: item.Column, Message: message}
}

// title is what the history calls itself, and where it is.
func (e *entries) title() string {
	if e.header.Name != "" {
		return fmt.Sprintf("%s (%s)", e.header.Name, e.name)
	}
	return e.name
}
