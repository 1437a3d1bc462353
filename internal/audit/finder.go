package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// Entry is an event with what was recorded beside it.
type Entry struct {
	diagnose.Entry
	// Fingerprint is that of the state after the event, nil if none was recorded.
	Fingerprint *fsm.Fingerprint
}

// Finding is a place where what was recorded is not what the rules require.
type Finding struct {
	Sequence uint64 // of the event, from 1
	Event    events.Event
	// Recorded is nil if only the hash of the answer was recorded.
	Recorded []byte
	Digest   *[sha256.Size]byte
	Required []byte
}

// Finder holds a history against the rules, event by event. Its memory is that
// of the state. It is not safe for concurrent use.
type Finder struct {
	// Events counts those added, Answered those with a recorded answer, and
	// Wrong the answers that the rules do not give.
	Events, Answered, Wrong uint64
	// First is the first wrong answer, nil if there is none.
	First *Finding
	// State is the first recorded fingerprint that is not that of the state, nil
	// if there is none. Its texts are JSON strings.
	State *Finding

	machine *fsm.Machine
	answer  []byte
	compact bytes.Buffer
}

// NewFinder begins at a state: that of a fresh service, or a snapshot's.
func NewFinder(start fsm.State) *Finder { return &Finder{machine: fsm.NewMachine(start)} }

// Add takes the next event. Nothing of the entry is kept, unless it is a finding.
func (f *Finder) Add(e *Entry) {
	f.Events++
	result := f.machine.Apply(e.Event)
	if e.Recorded != nil || e.Digest != nil {
		f.Answered++
		f.answer = result.Answer.AppendJSON(f.answer[:0])
		if !f.same(&e.Entry) {
			f.Wrong++
			if f.First == nil {
				f.First = &Finding{
					Sequence: result.Sequence, Event: e.Event, Recorded: slices.Clone(e.Recorded), Digest: e.Digest,
					Required: slices.Clone(f.answer),
				}
			}
		}
	}
	if e.Fingerprint != nil && f.State == nil {
		if is := f.machine.Fingerprint(); is != *e.Fingerprint {
			f.State = &Finding{
				Sequence: result.Sequence, Event: e.Event,
				Recorded: quoted(e.Fingerprint.String()), Required: quoted(is.String()),
			}
		}
	}
}

func quoted(plain string) []byte { return []byte(`"` + plain + `"`) }

// same tells whether the answer at hand is the recorded one. Texts are usually
// equal up to blanks, which is cheaper to see than that they mean the same.
func (f *Finder) same(e *diagnose.Entry) bool {
	if e.Digest != nil || bytes.Equal(e.Recorded, f.answer) {
		return isRecorded(e, f.answer)
	}
	f.compact.Reset()
	if json.Compact(&f.compact, e.Recorded) == nil && bytes.Equal(f.compact.Bytes(), f.answer) {
		return true
	}
	return oplog.SameAnswer(e.Recorded, f.answer)
}

// isRecorded tells whether an answer, as events spell it, is the recorded one.
func isRecorded(e *diagnose.Entry, answer []byte) bool {
	if e.Digest != nil {
		return sha256.Sum256(answer) == *e.Digest
	}
	return bytes.Equal(e.Recorded, answer) || oplog.SameAnswer(e.Recorded, answer)
}
