package main

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/redact"
	"github.com/leasekeeper/leasekeeper/journal"
)

// redactJournal is a journal that is written anew. It stays as long as it was
// when it was opened.
type redactJournal struct{ *journal.File }

func (f *redactFlags) openRedactJournal(name string) (redactSource, error) {
	j, err := openJournal(name)
	if err != nil {
		return nil, err
	}
	err = f.rules.agree(name, j.Genesis().Rules)
	if err == nil && j.Genesis().Base.Sequence > 0 {
		err = fmt.Errorf("%s is compacted: its beginning, which its answers come from, is in an archive; redact that", name)
	}
	if err != nil {
		_ = j.Close()
		return nil, err
	}
	return &redactJournal{j}, nil
}

func (s *redactJournal) rules() events.Rules { return s.Genesis().Rules }
func (s *redactJournal) close()              { _ = s.Close() }

func (s *redactJournal) each(pass func(*redact.Item) error) error {
	for record, err := range s.Scan(0, 0) {
		if err != nil {
			return journalError(err)
		}
		e, err := events.Decode(record.Event)
		if err != nil {
			return fmt.Errorf("event %d: %w", record.Sequence, err)
		}
		state := fsm.Fingerprint(record.Fingerprint)
		item := redact.Item{Event: e, Fingerprint: &state, Marks: record.Marks}
		if text, ok := record.Answer.JSON(); ok {
			item.Answer = text
		} else {
			hash := record.Answer.Hash()
			item.SHA256 = &hash
		}
		if err := pass(&item); err != nil {
			return passed(err)
		}
	}
	return nil
}

func (s *redactJournal) create(path string) (redactTarget, error) {
	genesis, err := journal.NewGenesis(s.rules(), nil)
	if err != nil {
		return nil, err
	}
	j, err := journal.Create(path, genesis, journal.Options{})
	return &redactedJournal{j: j}, journalError(err)
}

// redactedJournal is the journal that is made.
type redactedJournal struct {
	j     *journal.File
	last  uint64
	batch []journal.Record
	bytes int
}

// What one commit may hold.
const (
	redactRecords = 4096
	redactBytes   = 4 << 20
)

func (t *redactedJournal) add(item *redact.Item) error {
	t.last++
	answer := journal.NewAnswer(item.Answer)
	if item.SHA256 != nil {
		answer = journal.HashedAnswer(*item.SHA256)
	}
	record := journal.Record{
		Sequence: t.last, Event: events.Append(nil, item.Event), Answer: answer, Fingerprint: *item.Fingerprint, Marks: item.Marks,
	}
	t.batch = append(t.batch, record)
	t.bytes += len(record.Event)
	if len(t.batch) < redactRecords && t.bytes < redactBytes {
		return nil
	}
	return t.end()
}

func (t *redactedJournal) end() error {
	err := t.j.Append(t.batch...)
	t.batch, t.bytes = t.batch[:0], 0
	return journalError(err)
}

func (t *redactedJournal) close() error { return t.j.Close() }
