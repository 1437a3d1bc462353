package journal

import (
	"encoding/binary"
	"fmt"
)

// chunkSize is how much of a snapshot one chunk holds. Four chunks with their
// keys and checksums fill a page to the last byte, so that a snapshot's pages
// can be used again one by one for anything else.
const chunkSize = 996

// chunks is how many chunks a snapshot has.
func (s Snapshot) chunks() uint64 { return (s.Bytes + chunkSize - 1) / chunkSize }

// encode is the description of a snapshot as it is stored under its sequence:
// the msgpack array [fingerprint, bytes, checksum].
func (s Snapshot) encode() []byte {
	b := append(sequenceKey(s.Sequence), tagFixArray|3)
	b = appendBin(b, s.Fingerprint[:])
	b = appendUint(b, s.Bytes)
	return appendChecksum(b, 0)[keySize:]
}

// decodeSnapshot reads the entry of a description, which begins with a whole
// key; a reason that is not empty says what is wrong with it.
func decodeSnapshot(entry []byte) (s Snapshot, reason string) {
	body, ok := checked(entry)
	if !ok {
		return s, "its checksum does not match"
	}
	if len(body) <= keySize || body[keySize] != tagFixArray|3 {
		return s, "it is not of its form"
	}
	sequence := binary.BigEndian.Uint64(body)
	fingerprint, rest, ok := cutBin(body[keySize+1:], FingerprintSize)
	bytes, rest, ok2 := cutUint(rest)
	if !ok || !ok2 || len(rest) != 0 {
		return s, "it is not of its form"
	}
	return Snapshot{Sequence: sequence, Fingerprint: [FingerprintSize]byte(fingerprint), Bytes: bytes}, ""
}

// validSnapshot reports a sequence at which a journal can have no snapshot.
func validSnapshot(sequence uint64, g Genesis, last uint64) error {
	if sequence == 0 || sequence < g.Base.Sequence || sequence > last {
		return fmt.Errorf("%w: a snapshot at %d of a journal from %d to %d", ErrSequence, sequence, g.Base.Sequence, last)
	}
	return nil
}

// checkSequence reports records that do not follow one another after last.
func checkSequence(records []Record, last uint64) error {
	for i := range records {
		if want := last + 1 + uint64(i); records[i].Sequence != want {
			return fmt.Errorf("%w: record %d where %d is due", ErrSequence, records[i].Sequence, want)
		}
		if err := records[i].validate(); err != nil {
			return err
		}
	}
	return nil
}
