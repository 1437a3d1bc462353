package journal

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/events"
)

// Format is the newest format that this package reads, and the one it writes.
const Format = 1

// FingerprintSize is the length of a state's fingerprint in bytes.
const FingerprintSize = 16

// Genesis is a journal's first record: what it is, and where it begins. It
// never changes.
type Genesis struct {
	// Format numbers the layout of the file, from 1.
	Format int
	// Rules are the edition of the rules and the clock unit in force (R29,
	// R30).
	Rules events.Rules
	// ID tells journals apart. It is random; a compacted journal keeps it.
	ID [16]byte
	// Base is the head at which a compacted journal goes on: its first record
	// is the one after Base.Sequence, a multiple of 16. It is zero for a whole
	// journal.
	Base Head
}

// NewGenesis is the genesis of a new journal with an id from random, or from
// the operating system if random is nil.
func NewGenesis(rules events.Rules, random io.Reader) (Genesis, error) {
	if err := rules.Validate(); err != nil {
		return Genesis{}, fmt.Errorf("journal: %w", err)
	}
	if random == nil {
		random = rand.Reader
	}
	g := Genesis{Format: Format, Rules: rules}
	if _, err := io.ReadFull(random, g.ID[:]); err != nil {
		return Genesis{}, fmt.Errorf("journal: no random id: %w", err)
	}
	return g, nil
}

// Validate reports a genesis that no journal can have.
func (g Genesis) Validate() error {
	if g.Format < 1 || g.Format > Format {
		return fmt.Errorf("%w %d: this program knows those up to %d", ErrFormat, g.Format, Format)
	}
	if err := g.Rules.Validate(); err != nil {
		return fmt.Errorf("journal: genesis: %w", err)
	}
	if g.Base.Sequence%linkRecords != 0 || g.Base.Sequence == 0 && g.Base != (Head{}) {
		return fmt.Errorf("journal: genesis: no journal can begin after record %d", g.Base.Sequence)
	}
	return nil
}

// magic begins every genesis.
const magic = "leasekeeper journal"

// encode is the genesis as it is stored under its key: the msgpack array
//
//	[magic, format, edition, unit, id, base sequence, base hash or nil, checksum]
func (g Genesis) encode() []byte {
	dst := append([]byte(genesisKey), tagFixArray|8, tagFixStr|byte(len(magic)))
	dst = append(dst, magic...)
	dst = appendUint(dst, uint64(g.Format))
	dst = appendUint(dst, uint64(g.Rules.Edition))
	dst = appendUint(dst, uint64(g.Rules.Unit))
	dst = appendBin(dst, g.ID[:])
	dst = appendUint(dst, g.Base.Sequence)
	if g.Base.Sequence == 0 {
		dst = append(dst, tagNil)
	} else {
		dst = appendBin(dst, g.Base.Hash[:])
	}
	return appendChecksum(dst, 0)[len(genesisKey):]
}

// identity is what every link of the journal's chain covers: the hash of the
// genesis that the journal began with, before it was ever compacted.
func (g Genesis) identity() [sha256.Size]byte {
	g.Base = Head{}
	return sha256.Sum256(g.encode())
}

// decodeGenesis reads a genesis. A reason that is not empty says what is wrong
// with the bytes; an error, that they are right and of no use here.
func decodeGenesis(value []byte) (g Genesis, reason string, err error) {
	body, ok := checked(append([]byte(genesisKey), value...))
	if !ok || len(body) < len(genesisKey) {
		return g, "its checksum does not match", nil
	}
	body = body[len(genesisKey):]
	prefix := append([]byte{tagFixArray | 8, tagFixStr | byte(len(magic))}, magic...)
	rest, ok := bytes.CutPrefix(body, prefix)
	if !ok {
		return g, "it does not begin with " + magic, nil
	}
	format, rest, ok := cutUint(rest)
	if ok && format > Format {
		return g, "", fmt.Errorf("%w %d: this program knows those up to %d", ErrFormat, format, Format)
	}
	edition, rest, ok1 := cutUint(rest)
	unit, rest, ok2 := cutUint(rest)
	id, rest, ok3 := cutBin(rest, len(g.ID))
	base, rest, ok4 := cutUint(rest)
	if !(ok && ok1 && ok2 && ok3 && ok4) {
		return g, "it is not of its form", nil
	}
	g.Format = int(format)
	g.Rules = events.Rules{Edition: events.Edition(min(edition, 255)), Unit: events.Unit(min(unit, 1<<62))}
	g.ID = [16]byte(id)
	if g.Base.Sequence = base; base != 0 {
		hash, _, ok := cutBin(rest, sha256.Size)
		if !ok {
			return g, "it is not of its form", nil
		}
		g.Base.Hash = [sha256.Size]byte(hash)
	}
	if err := g.Validate(); err != nil {
		return g, err.Error(), nil
	}
	if !bytes.Equal(g.encode(), value) {
		return g, "it is not in its shortest form", nil
	}
	return g, "", nil
}
