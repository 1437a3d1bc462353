package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
)

// Head is the hash of a journal's genesis and its records up to one sequence.
// It does not depend on how the records were divided into commits, and a
// compacted journal has the same heads as the whole one.
type Head struct {
	Sequence uint64
	Hash     [sha256.Size]byte
}

// String is the head as SEQUENCE:HASH, the hash in lower-case hexadecimal.
func (h Head) String() string { return fmt.Sprintf("%d:%x", h.Sequence, h.Hash) }

// ParseHead reads what String writes.
func ParseHead(text string) (Head, error) {
	sequence, digits, _ := strings.Cut(text, ":")
	n, err := strconv.ParseUint(sequence, 10, 64)
	raw, err2 := hex.DecodeString(digits)
	if err != nil || err2 != nil || len(raw) != sha256.Size {
		return Head{}, fmt.Errorf("journal: %q is no head: want a sequence, a colon and %d hexadecimal digits", text, 2*sha256.Size)
	}
	return Head{Sequence: n, Hash: [sha256.Size]byte(raw)}, nil
}

// linkRecords is how many records a link of the chain covers. Fewer would
// cost more hashing a record; more, more rehashing for the head of an
// unfinished link.
const linkRecords = 16

// chain computes heads. Link n, for the records 16n+1 to 16n+16, is the
// SHA-256 of link n-1, the journal's identity, and those records as they are
// stored, checksums (and through them sequences) included; link -1 is the
// identity. The head at a sequence is the link that ends there, or would, if
// the records ended there.
type chain struct {
	identity [sha256.Size]byte
	last     Head      // the last finished link
	sequence uint64    // of the last record
	open     hash.Hash // the link that is being computed
	pending  []byte    // what has not yet been written to it
}

// maxPending is how many bytes are hashed at once: hashing record by record
// takes noticeably longer.
const maxPending = 4096

// newChain is a chain that goes on from a link's end.
func newChain(identity [sha256.Size]byte, from Head) *chain {
	c := &chain{identity: identity, open: sha256.New()}
	c.begin(from)
	return c
}

// chainOf is a chain that begins where a journal does.
func chainOf(g Genesis) *chain {
	identity := g.identity()
	if g.Base.Sequence > 0 {
		return newChain(identity, g.Base)
	}
	return newChain(identity, Head{Hash: identity})
}

// begin begins the link after one that has been finished.
func (c *chain) begin(last Head) {
	c.last, c.sequence = last, last.Sequence
	c.open.Reset()
	c.pending = append(append(c.pending[:0], c.last.Hash[:]...), c.identity[:]...)
}

// add adds a record as it is stored.
func (c *chain) add(value []byte) {
	c.sequence++
	if len(c.pending)+len(value) > maxPending {
		c.flush()
	}
	if len(value) > maxPending {
		c.open.Write(value)
	} else {
		c.pending = append(c.pending, value...)
	}
	if c.sequence%linkRecords == 0 {
		c.begin(c.sum())
	}
}

// flush hashes what is pending.
func (c *chain) flush() {
	c.open.Write(c.pending)
	c.pending = c.pending[:0]
}

// sum is the hash of the open link, as if it ended here.
func (c *chain) sum() Head {
	c.flush()
	h := Head{Sequence: c.sequence}
	c.open.Sum(h.Hash[:0])
	return h
}

// head is the head at the last record.
func (c *chain) head() Head {
	if c.sequence == c.last.Sequence {
		return c.last
	}
	return c.sum()
}
