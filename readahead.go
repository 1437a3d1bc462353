package leasekeeper

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/journal"
)

// A page is handed over when it has this many records, or bytes: enough to make
// the hand-over cheap, few enough to stay in the cache, whatever the records.
const (
	pageRecords = 256
	pageBytes   = 1 << 20
)

// page is a run of records with their events decoded. What its records refer
// to lies in bytes.
type page struct {
	records []journal.Record
	events  []events.Event
	bytes   []byte
	err     error // why there are no more
}

// reader reads a journal in a goroutine of its own. Pages go round: it fills
// empty ones and hands them over full.
type reader struct {
	full  chan *page
	empty chan *page
	quit  chan struct{}
}

// readAhead reads the records from one sequence to another, as Scan does. The
// last page may end with an error.
func readAhead(j journal.Journal, from, to uint64) *reader {
	const pages = 4
	r := &reader{make(chan *page, pages), make(chan *page, pages), make(chan struct{})}
	for range pages {
		r.empty <- &page{}
	}
	go r.read(j, from, to)
	return r
}

// stop ends the reading and returns once the journal is left alone.
func (r *reader) stop() {
	close(r.quit)
	for range r.full {
	}
}

func (r *reader) read(j journal.Journal, from, to uint64) {
	defer close(r.full)
	p := r.next()
	for record, err := range j.Scan(from, to) {
		if p == nil {
			return
		}
		if err == nil {
			err = p.add(record)
		}
		if err != nil {
			p.err = err
			break
		}
		if len(p.records) == pageRecords || len(p.bytes) >= pageBytes {
			r.full <- p
			p = r.next()
		}
	}
	if p != nil {
		r.full <- p
	}
}

// next returns an empty page, or nil if nobody wants it any more.
func (r *reader) next() *page {
	select {
	case p := <-r.empty:
		p.records, p.events, p.bytes = p.records[:0], p.events[:0], p.bytes[:0]
		return p
	case <-r.quit:
		return nil
	}
}

// add decodes a record's event and keeps a copy of the rest.
func (p *page) add(record journal.Record) error {
	e, err := events.Decode(record.Event)
	if err != nil {
		return fmt.Errorf("leasekeeper: event %d: %w", record.Sequence, err)
	}
	p.events = append(p.events, e)
	record.Event = p.keep(record.Event)
	if text, ok := record.Answer.JSON(); ok {
		record.Answer = journal.NewAnswer(p.keep(text))
	} else {
		record.Answer = journal.HashedAnswer(record.Answer.Hash())
	}
	p.records = append(p.records, record)
	return nil
}

func (p *page) keep(b []byte) []byte {
	p.bytes = append(p.bytes, b...)
	return slices.Clip(p.bytes[len(p.bytes)-len(b):])
}
