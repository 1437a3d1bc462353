package journal

import (
	"encoding/binary"
	"fmt"
)

// MaxEvent is the length, in bytes, of the longest event that a journal keeps.
const MaxEvent = 16 << 20

// Mark is a set of remarks about a record.
type Mark uint8

// The marks.
const (
	// Clamped: the operation's instant lay before the clock and was set to it
	// when the record was imported.
	Clamped Mark = 1 << iota
	// Foreign: the answer was given by another service, whose log was
	// imported.
	Foreign
	marksEnd
)

// Record is one event with what came of it. The journal takes the event as
// bytes: it must be one msgpack array, which events.Append makes.
type Record struct {
	Sequence    uint64 // from 1
	Event       []byte // at most MaxEvent bytes
	Answer      Answer // what the caller was told
	Fingerprint [FingerprintSize]byte
	Marks       Mark
}

// validate reports a record that cannot be stored.
func (r *Record) validate() error {
	switch {
	case len(r.Event) == 0 || len(r.Event) > MaxEvent:
		return fmt.Errorf("%w %d: an event of %d bytes", ErrRecord, r.Sequence, len(r.Event))
	case r.Event[0]&0xf0 != tagFixArray:
		return fmt.Errorf("%w %d: an event that is no msgpack array", ErrRecord, r.Sequence)
	case len(r.Answer.kept) == 0:
		return fmt.Errorf("%w %d: no answer", ErrRecord, r.Sequence)
	case r.Marks >= marksEnd:
		return fmt.Errorf("%w %d: marks %#x", ErrRecord, r.Sequence, uint8(r.Marks))
	}
	return nil
}

// recordPrefix is the length of what stands before the answer: the array's
// header, the marks, the fingerprint.
const recordPrefix = 1 + 1 + 2 + FingerprintSize

// keySize is the length of a record's key: the sequence, big-endian.
const keySize = 8

// append appends the record's entry as it is stored: the key and the msgpack
// array
//
//	[marks, fingerprint, answer, event, checksum]
//
// in which the event stands as itself, an array in the array.
func (r *Record) append(dst []byte) []byte {
	start := len(dst)
	dst = binary.BigEndian.AppendUint64(dst, r.Sequence)
	dst = append(dst, tagFixArray|5, byte(r.Marks))
	dst = appendBin(dst, r.Fingerprint[:])
	dst = r.Answer.append(dst)
	dst = append(dst, r.Event...)
	return appendChecksum(dst, start)
}

// decodeRecord reads an entry that begins with a whole key. The record's parts
// point into it. A reason that is not empty says what is wrong with it.
func decodeRecord(entry []byte) (r Record, reason string) {
	body, ok := checked(entry)
	if !ok || len(body) < keySize {
		return r, "its checksum does not match"
	}
	sequence := binary.BigEndian.Uint64(body)
	body = body[keySize:]
	const malformed = "it is not of its form"
	if len(body) <= recordPrefix || body[0] != tagFixArray|5 || body[1] >= byte(marksEnd) {
		return r, malformed
	}
	fingerprint, rest, ok := cutBin(body[2:], FingerprintSize)
	if !ok {
		return r, malformed
	}
	r = Record{Sequence: sequence, Marks: Mark(body[1]), Fingerprint: [FingerprintSize]byte(fingerprint)}
	if r.Answer, rest, ok = cutAnswer(rest); !ok {
		return r, malformed
	}
	if len(rest) == 0 || len(rest) > MaxEvent || rest[0]&0xf0 != tagFixArray {
		return r, malformed
	}
	r.Event = rest[:len(rest):len(rest)]
	return r, ""
}
