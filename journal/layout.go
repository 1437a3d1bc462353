package journal

import (
	"encoding/binary"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// The buckets of a journal file.
const (
	metaBucket      = "meta"      // genesisKey and headKey
	eventsBucket    = "events"    // sequence: a record
	chainBucket     = "chain"     // sequence, a multiple of linkRecords: the head there
	snapshotsBucket = "snapshots" // sequence: a complete snapshot's description
	chunksBucket    = "chunks"    // sequence: a bucket of numbered chunks
)

var buckets = []string{metaBucket, eventsBucket, chainBucket, snapshotsBucket, chunksBucket}

// The keys of metaBucket.
const (
	genesisKey = "genesis"
	headKey    = "head"
)

// fill is how full bbolt leaves a page when it divides it. Keys only grow, so
// no page will ever have to take another one.
const fill = 1.0

// hasBuckets tells which top bucket holds buckets itself.
func hasBuckets(bucket string) bool { return bucket == chunksBucket }

// sequenceKey is a sequence as a key: keySize bytes, big-endian.
func sequenceKey(sequence uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, sequence)
}

// parseSequence reads what sequenceKey writes, of an element that is not a
// bucket.
func parseSequence(e *pages.Element) (uint64, bool) {
	if len(e.Key) != 8 || e.Bucket {
		return 0, false
	}
	return binary.BigEndian.Uint64(e.Key), true
}

// encodeHead is a head as it is stored under headKey: the sequence,
// big-endian, and the hash.
func encodeHead(h Head) []byte {
	return append(sequenceKey(h.Sequence), h.Hash[:]...)
}

// decodeHead reads what encodeHead writes.
func decodeHead(value []byte) (h Head, ok bool) {
	if len(value) != 8+len(h.Hash) {
		return h, false
	}
	return Head{Sequence: binary.BigEndian.Uint64(value), Hash: [32]byte(value[8:])}, true
}
