package transfer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
)

// What one commit of an import may hold.
const (
	batchRecords = 4096
	batchBytes   = 4 << 20
)

// Importer appends operations to a journal that has none yet, and derives
// answers and states on the way.
type Importer struct {
	// Name is the input's, for messages.
	Name string
	// Clamp sets the instant of an operation that lies before the clock to the
	// clock, and marks the event. Without it, such an operation is an error.
	Clamp bool

	journal journal.Journal
	rules   events.Rules
	machine *fsm.Machine
	batch   []journal.Record
	arena   []byte // the batch's events and answers
	derived []byte
	summary Summary
}

// Summary is what an import has come to.
type Summary struct {
	Events   uint64
	Recorded uint64 // events that came with an answer
	Differs  Count  // recorded answers that the rules do not give
	States   Count  // recorded fingerprints that the rules do not give
	Clamped  Count
	// Final is the fingerprint of the state after the last event.
	Final fsm.Fingerprint
}

// Count counts events, and knows the first of them.
type Count struct{ Events, First uint64 }

// Add counts one that has a number.
func (c *Count) Add(number uint64) {
	if c.Events++; c.First == 0 {
		c.First = number
	}
}

// NewImporter returns an importer into a journal without records.
func NewImporter(name string, j journal.Journal) (*Importer, error) {
	rules := j.Genesis().Rules
	initial, err := fsm.New(rules)
	if err != nil {
		return nil, err
	}
	return &Importer{Name: name, journal: j, rules: rules, machine: fsm.NewMachine(initial)}, nil
}

// Add adds an operation. An *oplog.SyntaxError says that it is at fault; then
// nothing has been added. Nothing is durable before Finish.
func (i *Importer) Add(item Item) error {
	e, err := i.rules.Parse(item.Operation)
	if err != nil {
		return i.fault(item, err.Error())
	}
	var marks journal.Mark
	if item.Own != nil {
		if due := i.machine.Sequence() + 1; item.Own.Sequence != 0 && item.Own.Sequence != due {
			return i.fault(item, fmt.Sprintf("this is event %d, but event %d is due", item.Own.Sequence, due))
		}
		marks = item.Own.Marks
	} else {
		if e, marks, err = i.inTime(e, item); err != nil {
			return err
		}
		if item.Recorded != nil {
			marks |= journal.Foreign
		}
	}
	start := len(i.arena)
	i.arena = events.Append(i.arena, e)
	if length := len(i.arena) - start; length > journal.MaxEvent {
		i.arena = i.arena[:start]
		return i.fault(item, fmt.Sprintf("an event of %d bytes; a journal keeps at most %d", length, journal.MaxEvent))
	}
	r := journal.Record{Event: i.arena[start:len(i.arena):len(i.arena)], Marks: marks}
	i.apply(e, item, &r)
	i.batch = append(i.batch, r)
	if len(i.batch) == batchRecords || len(i.arena) > batchBytes {
		return i.flush()
	}
	return nil
}

// fault says that an item is at fault.
func (i *Importer) fault(item Item, reason string) error {
	return &oplog.SyntaxError{Name: i.Name, Line: item.Line, Column: item.Column, Message: reason}
}

// apply applies an event and completes its record.
func (i *Importer) apply(e events.Event, item Item, r *journal.Record) {
	result := i.machine.Apply(e)
	i.derived = result.Answer.AppendJSON(i.derived[:0])
	r.Sequence = result.Sequence
	r.Answer = i.answer(item, r.Sequence)
	derived := i.machine.Fingerprint()
	r.Fingerprint = derived
	if item.Own != nil && item.Own.Fingerprint != nil {
		if r.Fingerprint = *item.Own.Fingerprint; r.Fingerprint != derived {
			i.summary.States.Add(r.Sequence)
		}
	}
	if r.Marks&journal.Clamped != 0 {
		i.summary.Clamped.Add(r.Sequence)
	}
	i.summary.Events++
}

// answer is the answer to be kept: the recorded one if there is one. Another
// service may spell the same answer in another way; then it is kept as we spell
// it, so that it can be compared byte by byte from now on.
func (i *Importer) answer(item Item, sequence uint64) journal.Answer {
	if item.Own != nil && item.Own.Hash != nil {
		i.summary.Recorded++
		kept := journal.HashedAnswer(*item.Own.Hash)
		if !kept.Is(i.derived) {
			i.summary.Differs.Add(sequence)
		}
		return kept
	}
	if item.Recorded == nil {
		return journal.NewAnswer(i.keep(i.derived))
	}
	i.summary.Recorded++
	var compact bytes.Buffer
	_ = json.Compact(&compact, item.Recorded) // the source has seen that it is JSON
	text := compact.Bytes()
	if !bytes.Equal(text, i.derived) {
		if item.Own == nil && oplog.SameAnswer(text, i.derived) {
			text = i.derived
		} else {
			i.summary.Differs.Add(sequence)
		}
	}
	return journal.NewAnswer(i.keep(text))
}

// keep copies bytes to where they stay until the batch has been written.
func (i *Importer) keep(b []byte) []byte {
	start := len(i.arena)
	i.arena = append(i.arena, b...)
	return i.arena[start:len(i.arena):len(i.arena)]
}

// flush makes the batch durable.
func (i *Importer) flush() error {
	err := i.journal.Append(i.batch...)
	i.batch, i.arena = i.batch[:0], i.arena[:0]
	return err
}

// Finish makes the last operations durable and says what the import has come
// to.
func (i *Importer) Finish() (Summary, error) {
	err := i.flush()
	i.summary.Final = i.machine.Fingerprint()
	return i.summary, err
}
