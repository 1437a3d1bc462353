package journal

import (
	"bytes"
	"crypto/sha256"
)

// MaxAnswer is the length, in bytes, of the longest answer that is kept as it
// is. Of a longer one only the hash is kept: enough to compare it.
const MaxAnswer = 4096

// Answer is the answer recorded beside an event: compact JSON, or the SHA-256
// of it if it is longer than MaxAnswer. The zero Answer is not valid.
type Answer struct {
	kept   []byte // the JSON, or the hash
	hashed bool
}

// NewAnswer is the answer with this compact JSON text, which it keeps a
// reference to if it is not too long.
func NewAnswer(json []byte) Answer {
	if len(json) > MaxAnswer {
		return HashedAnswer(sha256.Sum256(json))
	}
	return Answer{kept: json}
}

// HashedAnswer is an answer longer than MaxAnswer of which only the SHA-256 is
// known.
func HashedAnswer(hash [sha256.Size]byte) Answer { return Answer{kept: hash[:], hashed: true} }

// JSON is the answer's text; ok is false if only its hash is known. The bytes
// live as long as those of the record they came with.
func (a Answer) JSON() (text []byte, ok bool) {
	if a.hashed {
		return nil, false
	}
	return a.kept, true
}

// Hash is the SHA-256 of the answer's text.
func (a Answer) Hash() [sha256.Size]byte {
	if a.hashed {
		return [sha256.Size]byte(a.kept)
	}
	return sha256.Sum256(a.kept)
}

// Is tells whether the answer is this compact JSON text.
func (a Answer) Is(json []byte) bool {
	if a.hashed {
		return len(json) > MaxAnswer && sha256.Sum256(json) == a.Hash()
	}
	return bytes.Equal(a.kept, json)
}

// append appends the answer as it is stored: text as str, a hash as bin.
func (a Answer) append(dst []byte) []byte {
	n := len(a.kept)
	switch {
	case a.hashed:
		return appendBin(dst, a.kept)
	case n < 32:
		dst = append(dst, tagFixStr|byte(n))
	case n < 256:
		dst = append(dst, tagStr8, byte(n))
	default:
		dst = append(dst, tagStr16, byte(n>>8), byte(n))
	}
	return append(dst, a.kept...)
}

// cutAnswer takes an answer from the front of b.
func cutAnswer(b []byte) (a Answer, rest []byte, ok bool) {
	if len(b) < 3 {
		return a, nil, false
	}
	var n, header int
	switch tag := b[0]; {
	case tag == tagBin8:
		hash, rest, ok := cutBin(b, sha256.Size)
		return Answer{kept: hash, hashed: true}, rest, ok
	case tag > tagFixStr && tag < tagFixStr+32:
		n, header = int(tag-tagFixStr), 1
	case tag == tagStr8:
		n, header, ok = int(b[1]), 2, b[1] >= 32
	case tag == tagStr16:
		n, header = int(b[1])<<8|int(b[2]), 3
		ok = n >= 256 && n <= MaxAnswer
	}
	if header == 0 || header > 1 && !ok || len(b) < header+n {
		return a, nil, false
	}
	end := header + n
	return Answer{kept: b[header:end:end]}, b[end:], true
}
