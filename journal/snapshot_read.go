package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// Snapshots implements Journal.
func (f *File) Snapshots() ([]Snapshot, error) {
	var list []Snapshot
	err := f.pages.Read(func(v pages.View) (err error) {
		list, err = listSnapshots(v, f.genesis)
		return err
	})
	return list, located("the list of snapshots", 0, err)
}

// listSnapshots reads the descriptions of all complete snapshots. If some of
// them are damaged, it returns the others and the first Damage.
func listSnapshots(v pages.View, g Genesis) ([]Snapshot, error) {
	var list []Snapshot
	var damage error
	for c := v.Cursor(snapshotsBucket); ; {
		e, err := c.Next()
		if errors.Is(err, io.EOF) {
			return list, damage
		}
		if err != nil {
			return list, missing("the list of snapshots", err)
		}
		sequence, ok := parseSequence(e)
		var s Snapshot
		var reason string
		if ok {
			s, reason = decodeSnapshot(e.Entry)
		}
		switch {
		case !ok || sequence < max(1, g.Base.Sequence):
			err = broken("the list of snapshots", 0, e, fmt.Sprintf("no snapshot can have the key %x", e.Key))
		case reason != "":
			err = broken(snapshotPart(sequence), sequence, e, reason)
		default:
			list = append(list, s)
		}
		if damage == nil {
			damage = err
		}
	}
}

// describe is the description of one snapshot.
func (f *File) describe(sequence uint64) (s Snapshot, err error) {
	list, err := f.Snapshots()
	for _, s := range list {
		if s.Sequence == sequence {
			return s, nil
		}
	}
	if err == nil {
		err = noSnapshot(sequence)
	}
	return s, err
}

// OpenSnapshot implements Journal.
func (f *File) OpenSnapshot(sequence uint64) (io.ReadCloser, error) {
	s, err := f.describe(sequence)
	if err != nil {
		return nil, err
	}
	return openChunks(f.pages, s), nil
}

// chunkReader reads a snapshot chunk by chunk.
type chunkReader struct {
	Snapshot
	file   *pages.File
	cursor *pages.Cursor
	seed   uint32
	number uint64
	rest   []byte // of the present chunk
	err    error
}

// openChunks reads the chunks of a complete snapshot.
func openChunks(file *pages.File, s Snapshot) *chunkReader {
	cursor := file.Cursor(chunksBucket, string(sequenceKey(s.Sequence)))
	return &chunkReader{Snapshot: s, file: file, seed: chunkSeed(s.Sequence), cursor: cursor}
}

// Read implements io.Reader.
func (r *chunkReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.rest, r.err = r.chunk()
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *chunkReader) Close() error {
	r.rest, r.err = nil, ErrClosed
	return nil
}

// gone says why the snapshot's chunks cannot be found: it has been deleted,
// or it is damaged.
func (r *chunkReader) gone() error {
	key := string(sequenceKey(r.Sequence))
	return r.file.Read(func(v pages.View) error {
		e, err := v.Get(key, snapshotsBucket)
		if errors.Is(err, fs.ErrNotExist) {
			return noSnapshot(r.Sequence)
		}
		if err != nil {
			return located(snapshotPart(r.Sequence), r.Sequence, err)
		}
		if _, err = v.Cursor(chunksBucket, key).Next(); errors.Is(err, fs.ErrNotExist) {
			return broken(snapshotPart(r.Sequence), r.Sequence, e, "there are no chunks of it")
		}
		return errors.Join(noSnapshot(r.Sequence), err)
	})
}

// chunk is the next chunk, or io.EOF after the last.
func (r *chunkReader) chunk() ([]byte, error) {
	part := snapshotPart(r.Sequence)
	e, err := r.cursor.Next()
	switch {
	case errors.Is(err, io.EOF) && r.number == r.chunks():
		return nil, io.EOF
	case errors.Is(err, io.EOF):
		return nil, &Damage{Part: part, Sequence: r.Sequence, Reason: fmt.Sprintf("it has %d chunks, not %d", r.number, r.chunks())}
	case errors.Is(err, fs.ErrNotExist):
		return nil, r.gone()
	case err != nil:
		return nil, located(part, r.Sequence, err)
	}
	var key [4]byte
	binary.BigEndian.PutUint32(key[:], uint32(r.number))
	if !bytes.Equal(e.Key, key[:]) || e.Bucket || r.number == r.chunks() {
		return nil, broken(part, r.Sequence, e, fmt.Sprintf("key %x stands where chunk %d of %d is due", e.Key, r.number, r.chunks()))
	}
	data, ok := cutChunk(r.seed, e.Entry)
	if !ok {
		return nil, broken(part, r.Sequence, e, fmt.Sprintf("the checksum of chunk %d does not match", r.number))
	}
	if want := min(chunkSize, r.Bytes-r.number*chunkSize); uint64(len(data)) != want {
		return nil, broken(part, r.Sequence, e, fmt.Sprintf("chunk %d has %d bytes, not %d", r.number, len(data), want))
	}
	r.number++
	return data, nil
}
