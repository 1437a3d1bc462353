//go:build linux

package journal

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadersBesideWriter reads a journal from this process while another one
// writes it as fast as it can.
func TestReadersBesideWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared")
	c := start(t, "write", path)
	_, ok := c.line()
	require.True(t, ok)
	var acknowledged atomic.Uint64
	go func() { // so that the writer never waits for us
		for text, ok := c.line(); ok; text, ok = c.line() {
			n, _ := strconv.ParseUint(text, 10, 64)
			acknowledged.Store(n)
		}
	}()

	reader, err := Open(path, Options{ReadOnly: true})
	require.NoError(t, err)
	defer reader.Close()
	seen, snapshots, moving := uint64(0), 0, 0
	for round := 0; round < 150 && seen < 20_000; round++ {
		least := max(seen, acknowledged.Load())
		require.NoError(t, reader.Refresh())
		require.GreaterOrEqual(t, reader.Last(), least, "what was acknowledged can be read")
		seen = 0
		for r, err := range reader.Scan(0, 0) {
			require.NoError(t, err)
			seen++
			require.True(t, sameRecord(r, sample(seen)), "record %d", seen)
		}
		require.Equal(t, reader.Last(), seen)
		snapshots += readSnapshots(t, reader)
		if round%10 == 0 {
			head := reader.Head()
			report, err := Verify(path, VerifyOptions{Head: &head})
			require.NoError(t, err)
			if report.Moving {
				moving++
			}
		}
	}
	t.Logf("%d records and %d snapshots read at last; %d verifications found no pause", seen, snapshots, moving)
}

// readSnapshots reads all snapshots, of which some may go meanwhile.
func readSnapshots(t *testing.T, reader *File) (whole int) {
	list, err := reader.Snapshots()
	require.NoError(t, err)
	for _, s := range list {
		r, err := reader.OpenSnapshot(s.Sequence)
		if err != nil {
			require.ErrorIs(t, err, fs.ErrNotExist)
			continue
		}
		got, err := io.ReadAll(r)
		if err != nil {
			require.ErrorIs(t, err, fs.ErrNotExist)
			continue
		}
		require.Equal(t, content(300_000), got)
		whole++
	}
	return whole
}

// TestLock: one writer at a time, across processes; a lock dies with its
// holder.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locked")
	f, err := Create(path, testGenesis(), Options{})
	require.NoError(t, err)
	require.NoError(t, f.Append(samples(1, 3)...))
	_, err = Open(path, Options{})
	require.ErrorIs(t, err, ErrLocked, "not even this process may write it twice")
	require.NoError(t, f.Close())

	c := start(t, "hold", path)
	text, ok := c.line()
	require.True(t, ok)
	require.Equal(t, "3", text)
	_, err = Open(path, Options{})
	require.ErrorIs(t, err, ErrLocked)
	require.ErrorContains(t, err, path)
	r, err := Open(path, Options{ReadOnly: true})
	require.NoError(t, err, "readers need no lock")
	require.Len(t, collect(t, r, 0, 0), 3)
	require.NoError(t, r.Close())

	c.kill(0)
	f, err = Open(path, Options{})
	require.NoError(t, err, "no stale lock is left behind")
	require.NoError(t, f.Append(sample(4)))
	require.NoError(t, f.Close())
}

// TestReadingChangesNothing: neither the file nor its time.
func TestReadingChangesNothing(t *testing.T) {
	f := newFile(t, Options{})
	require.NoError(t, f.Append(samples(1, 100)...))
	addSnapshot(t, f, 50, 5000)
	require.NoError(t, f.Close())
	before, err := os.Stat(f.Path())
	require.NoError(t, err)
	bytes, err := os.ReadFile(f.Path())
	require.NoError(t, err)

	_, err = Verify(f.Path(), VerifyOptions{})
	require.NoError(t, err)
	r, err := Open(f.Path(), Options{ReadOnly: true})
	require.NoError(t, err)
	collect(t, r, 0, 0)
	require.ErrorIs(t, r.Append(sample(101)), ErrReadOnly)
	_, err = r.CreateSnapshot(60, [16]byte{})
	require.ErrorIs(t, err, ErrReadOnly)
	require.ErrorIs(t, r.DeleteSnapshot(50), ErrReadOnly)
	require.NoError(t, r.Close())

	after, err := os.Stat(f.Path())
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())
	require.Equal(t, before.Size(), after.Size())
	again, err := os.ReadFile(f.Path())
	require.NoError(t, err)
	require.Equal(t, bytes, again)
	left, err := os.ReadDir(filepath.Dir(f.Path()))
	require.NoError(t, err)
	require.Len(t, left, 1, "no other file either")
}
