package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"go.etcd.io/bbolt"
)

// A snapshot is written beside a running service, whose Appends should not have
// to wait for commits of its own. So its chunks travel in theirs, few at a time
// (carriedChunks, 16 KiB). If none comes by within patience, they get a commit
// to themselves, and so do the next ones, each twice as large, up to
// loneChunks, until there are Appends again.
const (
	carriedChunks = 16
	loneChunks    = 256
	patience      = 5 * time.Millisecond
)

// cargo is a small change to the file that any commit may carry.
type cargo struct {
	put  func(*bbolt.Tx) error
	done chan error // gets what became of the commit; has room for it
}

// chunkWriter writes a snapshot of a File.
type chunkWriter struct {
	Snapshot
	journal *File
	seed    uint32 // of the checksums
	number  uint32 // of the next chunk to be written
	size    int    // of the next flush, in chunks
	buffer  []byte // not yet written
	arena   []byte
	done    bool
}

// CreateSnapshot implements Journal.
func (f *File) CreateSnapshot(sequence uint64, fingerprint [FingerprintSize]byte) (SnapshotWriter, error) {
	if _, err := f.describe(sequence); err == nil {
		return nil, haveSnapshot(sequence)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f.write.Lock()
	defer f.write.Unlock()
	if err := f.writable(); err != nil {
		return nil, err
	}
	if f.snapshot {
		return nil, errSnapshotOpen
	}
	err := f.update(snapshotPart(sequence), func(tx *bbolt.Tx) error {
		chunks, key := tx.Bucket([]byte(chunksBucket)), sequenceKey(sequence)
		if chunks.Bucket(key) != nil { // left behind by a crash, and not swept away
			if err := chunks.DeleteBucket(key); err != nil {
				return err
			}
		}
		_, err := chunks.CreateBucket(key)
		return err
	})
	if err != nil {
		return nil, err
	}
	f.snapshot = true
	s := Snapshot{Sequence: sequence, Fingerprint: fingerprint}
	return &chunkWriter{Snapshot: s, journal: f, seed: chunkSeed(sequence), size: carriedChunks}, nil
}

// Write implements io.Writer.
func (w *chunkWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if w.done {
			return n, ErrClosed
		}
		full := w.size * chunkSize
		taken := min(len(p), full-len(w.buffer))
		w.buffer = append(w.buffer, p[:taken]...)
		if len(w.buffer) == full {
			if err := w.flush(); err != nil {
				return n, err
			}
		}
		n, p = n+taken, p[taken:]
	}
	return n, nil
}

// flush commits the buffered bytes as chunks: in the next Append's commit, or
// alone.
func (w *chunkWriter) flush() error {
	f := w.journal
	c := &cargo{put: w.put, done: make(chan error, 1)}
	if !f.options.bulk {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case f.cargo <- c:
			w.size = carriedChunks
			return <-c.done
		case <-timer.C:
			w.size = min(2*w.size, loneChunks)
		}
	}
	f.write.Lock()
	defer f.write.Unlock()
	return f.update(snapshotPart(w.Sequence), c.put)
}

// put puts the buffered bytes into their bucket.
func (w *chunkWriter) put(tx *bbolt.Tx) error {
	bucket := tx.Bucket([]byte(chunksBucket)).Bucket(sequenceKey(w.Sequence))
	bucket.FillPercent = fill
	w.Bytes += uint64(len(w.buffer))
	w.arena = w.arena[:0]
	for rest := w.buffer; len(rest) > 0; w.number++ {
		if w.number == math.MaxUint32 {
			return errors.New("a snapshot of 2^32 chunks")
		}
		n := min(chunkSize, len(rest))
		start := len(w.arena)
		w.arena = appendChunk(w.arena, w.seed, w.number, rest[:n])
		if err := bucket.Put(w.arena[start:start+chunkKey], w.arena[start+chunkKey:]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	w.buffer = w.buffer[:0]
	return nil
}

// Commit implements SnapshotWriter.
func (w *chunkWriter) Commit() error {
	if w.done {
		return ErrClosed
	}
	if err := validSnapshot(w.Sequence, w.journal.genesis, w.journal.Last()); err != nil {
		return err
	}
	w.journal.write.Lock()
	defer w.journal.write.Unlock()
	w.done, w.journal.snapshot = true, false
	return w.journal.update(snapshotPart(w.Sequence), func(tx *bbolt.Tx) error {
		if err := w.put(tx); err != nil {
			return err
		}
		return tx.Bucket([]byte(snapshotsBucket)).Put(sequenceKey(w.Sequence), w.encode())
	})
}

// Close implements SnapshotWriter.
func (w *chunkWriter) Close() error {
	if w.done {
		return nil
	}
	w.journal.write.Lock()
	defer w.journal.write.Unlock()
	w.done, w.journal.snapshot = true, false
	return w.journal.drop(w.Sequence)
}

// DeleteSnapshot implements Journal. The chunks are read before bbolt is let
// loose on their pages, so a snapshot on a damaged page is an error and stays.
func (f *File) DeleteSnapshot(sequence uint64) error {
	if _, err := f.describe(sequence); err != nil {
		return err
	}
	if err := readPages(f.pages, sequence); err != nil {
		return err
	}
	f.write.Lock()
	defer f.write.Unlock()
	return f.drop(sequence)
}

// drop removes a snapshot and its chunks, complete or not.
func (f *File) drop(sequence uint64) error {
	return f.update(fmt.Sprintf("deletion of snapshot %d", sequence), func(tx *bbolt.Tx) error {
		key := sequenceKey(sequence)
		if err := tx.Bucket([]byte(snapshotsBucket)).Delete(key); err != nil {
			return err
		}
		chunks := tx.Bucket([]byte(chunksBucket))
		if chunks.Bucket(key) == nil {
			return nil
		}
		return chunks.DeleteBucket(key)
	})
}
