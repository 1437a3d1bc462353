package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// image is a source of pages in memory, of a file that nobody writes to.
type image []byte

func (b image) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (b image) Size() (int64, error) { return int64(len(b)), nil }

// file reads the image.
func (b image) file() *pages.File {
	f := pages.New(b)
	f.Still = true
	return f
}

// small is a journal of a few pages that uses everything the format has: more
// than one leaf of records under a branch, checkpoints, an answer that is only
// a hash, two snapshots.
func small(t testing.TB) image {
	t.Helper()
	f := newFile(t, Options{checkpointRecords: 16, bulk: true})
	list := smallRecords()
	require.NoError(t, f.Append(list[:40]...))
	addSnapshot(t, f, 33, 2500)
	addSnapshot(t, f, 40, 100)
	require.NoError(t, f.Append(list[40:]...))
	require.NoError(t, f.Close())
	return dense(t, f.Path())
}

// smallRecords are the records of small.
func smallRecords() []Record {
	list := samples(1, 67)
	list[5].Marks = Clamped
	list[6].Answer = NewAnswer(content(MaxAnswer + 1))
	return list
}

// dense is a journal file without free pages.
func dense(t testing.TB, path string) image {
	t.Helper()
	src, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true})
	require.NoError(t, err)
	defer src.Close()
	dst, err := bbolt.Open(path+".dense", 0o600, &bbolt.Options{PageSize: pages.Size, FreelistType: bbolt.FreelistMapType})
	require.NoError(t, err)
	require.NoError(t, bbolt.Compact(dst, src, 0))
	require.NoError(t, dst.Close())
	report, err := Verify(path+".dense", VerifyOptions{})
	require.NoError(t, err)
	b, err := os.ReadFile(path + ".dense")
	require.NoError(t, err)
	return b[:report.Pages*pages.Size]
}

// everything is all that a reader can learn from a journal.
type everything struct {
	genesis   Genesis
	head      Head
	records   []Record
	snapshots []Snapshot
	contents  [][]byte
}

// learn reads everything, each part as far as it can be read.
func learn(file *pages.File) (e everything, err error) {
	c, err := load(file)
	if err != nil {
		return e, err
	}
	e.genesis, e.head = c.genesis, c.chain.head()
	f := &File{pages: file, genesis: c.genesis, head: e.head}
	var errs []error
	for r, err := range f.Scan(0, 0) {
		if err != nil {
			errs = append(errs, err)
			break
		}
		e.records = append(e.records, keep(r))
	}
	list, err := f.Snapshots()
	errs = append(errs, err)
	for _, s := range list {
		var got []byte
		r, err := f.OpenSnapshot(s.Sequence)
		if err == nil {
			got, err = io.ReadAll(r)
		}
		if errs = append(errs, err); err != nil {
			continue
		}
		e.snapshots, e.contents = append(e.snapshots, s), append(e.contents, got)
	}
	return e, errors.Join(errs...)
}

// wrong says what in e, read with an error or without, is not true.
func (e everything) wrong(truth everything, err error) string {
	if e.genesis != truth.genesis || e.head != truth.head {
		if err != nil && e.genesis == (Genesis{}) {
			return ""
		}
		return "genesis or head"
	}
	if len(e.records) > len(truth.records) || err == nil && len(e.records) != len(truth.records) {
		return fmt.Sprintf("%d records", len(e.records))
	}
	for i := range e.records {
		if !sameRecord(e.records[i], truth.records[i]) {
			return fmt.Sprintf("record %d", i+1)
		}
	}
	if err == nil && len(e.snapshots) != len(truth.snapshots) {
		return "number of snapshots"
	}
	for i, s := range e.snapshots {
		at := slices.Index(truth.snapshots, s)
		if at < 0 || !bytes.Equal(e.contents[i], truth.contents[at]) {
			return fmt.Sprintf("snapshot %d", s.Sequence)
		}
	}
	return ""
}

func sameRecord(a, b Record) bool {
	return a.Sequence == b.Sequence && a.Marks == b.Marks && a.Fingerprint == b.Fingerprint &&
		bytes.Equal(a.Event, b.Event) && bytes.Equal(a.Answer.kept, b.Answer.kept) && a.Answer.hashed == b.Answer.hashed
}
