package diagnose

import (
	"bytes"
	"crypto/sha256"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// Entry is an operation and the answer that a service gave.
type Entry struct {
	Event events.Event
	// Recorded is the answer's JSON text, nil if none was recorded. Compact
	// texts are compared fastest. A text that is no JSON is a wrong answer.
	Recorded []byte
	// Digest is the SHA-256 of an answer's compact JSON text, where no more was
	// recorded than that; otherwise nil.
	Digest *[sha256.Size]byte
}

// answered tells whether there is an answer to compare with.
func (e *Entry) answered() bool { return e.Recorded != nil || e.Digest != nil }

// is tells whether an answer, given as events spell it, is the recorded one.
func (e *Entry) is(answer []byte) bool {
	if e.Digest != nil {
		return sha256.Sum256(answer) == *e.Digest
	}
	return bytes.Equal(e.Recorded, answer) || oplog.SameAnswer(e.Recorded, answer)
}
