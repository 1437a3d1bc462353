package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// recordCursor goes through the records of a file as they are stored.
type recordCursor struct {
	cursor     *pages.Cursor
	next, last uint64
	inside     bool
	sequence   uint64         // of the present record
	at         *pages.Element // which it is
}

// recordsOf goes from one record to another, both included. The records must
// have been durable once, so that one that is not there is damage.
func recordsOf(file *pages.File, first, last uint64) *recordCursor {
	return &recordCursor{cursor: file.Cursor(eventsBucket), next: first, last: last}
}

// step goes to the next record, and returns io.EOF after the last.
func (c *recordCursor) step() (err error) {
	if c.next > c.last {
		return io.EOF
	}
	var e *pages.Element
	if c.inside {
		e, err = c.cursor.Next()
	} else {
		var key [8]byte
		binary.BigEndian.PutUint64(key[:], c.next)
		e, err = c.cursor.Seek(key[:])
		c.inside = true
	}
	if errors.Is(err, io.EOF) {
		return &Damage{Part: recordPart(c.next), Sequence: c.next, Reason: fmt.Sprintf("it is missing; there should be records up to %d", c.last)}
	}
	if err != nil {
		return located(recordPart(c.next), c.next, err)
	}
	if found, ok := parseSequence(e); !ok || found != c.next {
		return broken(recordPart(c.next), c.next, e, fmt.Sprintf("key %x stands where it is due", e.Key))
	}
	c.sequence, c.at = c.next, e
	c.next++
	return nil
}

// damaged is the Damage of the present record.
func (c *recordCursor) damaged(reason string) error {
	return broken(recordPart(c.sequence), c.sequence, c.at, reason)
}

// Scan implements Journal. It holds up neither the writer nor other readers.
func (f *File) Scan(from, to uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		first, last, err := span(from, to, f.genesis, f.Last())
		if err != nil {
			yield(Record{}, err)
			return
		}
		for c := recordsOf(f.pages, first, last); ; {
			err := c.step()
			if err == io.EOF {
				return
			}
			var r Record
			if err == nil {
				var reason string
				if r, reason = decodeRecord(c.at.Entry); reason != "" {
					err = c.damaged(reason)
				}
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}
