package journal

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompactOfAJournalInUse: what has been written since the source was opened
// counts, and a snapshot that has been deleted is told from one that never was.
func TestCompactOfAJournalInUse(t *testing.T) {
	source := withSnapshots(t)
	src, err := Open(source, Options{ReadOnly: true})
	require.NoError(t, err)
	defer src.Close()
	writer, err := Open(source, Options{bulk: true})
	require.NoError(t, err)
	defer writer.Close()
	require.NoError(t, writer.Append(samples(1001, 1100)...))
	addSnapshot(t, writer, 1050, 5000)

	target := filepath.Join(t.TempDir(), "before")
	genesis, err := compact(src, target, 0)
	require.NoError(t, err)
	require.Equal(t, uint64(1040), genesis.Base.Sequence)
	_, err = Verify(target, VerifyOptions{})
	require.NoError(t, err)

	list, err := src.Snapshots()
	require.NoError(t, err)
	require.NoError(t, writer.DeleteSnapshot(900))
	dst := newFile(t, Options{bulk: true})
	require.NoError(t, dst.Append(samples(1, 1000)...))
	require.ErrorIs(t, copySnapshot(dst, src, list[2]), errVanished)
	require.NoError(t, copySnapshot(dst, src, list[1]), "it has let go of the other one")
}

// TestCompactBesideSnapshots: a service takes snapshots and keeps the two
// newest, while its journal is compacted. Every compaction succeeds.
func TestCompactBesideSnapshots(t *testing.T) {
	source := withSnapshots(t)
	writer, err := Open(source, Options{bulk: true})
	require.NoError(t, err)
	defer writer.Close()
	for i := range 20 {
		beats := make(chan error, 1)
		go func() {
			var err error
			for n := 0; n < compactAttempts/2 && err == nil; n++ {
				err = beat(writer)
			}
			beats <- err
		}()
		target := filepath.Join(t.TempDir(), fmt.Sprint(i))
		_, err := Compact(source, target, 0)
		require.NoError(t, err)
		require.NoError(t, <-beats)
		require.NoError(t, VerifyJoin(target, source))
	}
}

// beat adds records and a snapshot, and deletes the oldest one.
func beat(f *File) error {
	if err := f.Append(samples(f.Last()+1, f.Last()+8)...); err != nil {
		return err
	}
	w, err := f.CreateSnapshot(f.Last(), sample(f.Last()).Fingerprint)
	if err != nil {
		return err
	}
	if _, err := w.Write(content(3000)); err != nil {
		return err
	}
	if err := w.Commit(); err != nil {
		return err
	}
	list, err := f.Snapshots()
	if err == nil && len(list) > 2 {
		err = f.DeleteSnapshot(list[0].Sequence)
	}
	return err
}

// TestNothingToCut: a snapshot within the first link leaves nothing out.
func TestNothingToCut(t *testing.T) {
	f := newFile(t, Options{bulk: true})
	require.NoError(t, f.Append(samples(1, 100)...))
	target := filepath.Join(t.TempDir(), "new")
	for _, c := range []struct {
		before uint64
		text   string
	}{{0, "there is no snapshot"}, {9, "there is no snapshot up to record 9"}} {
		_, err := Compact(f.Path(), target, c.before)
		require.ErrorIs(t, err, ErrNothingToCut)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.EqualError(t, err, "journal: nothing to cut: "+c.text)
	}
	addSnapshot(t, f, 15, 100)
	addSnapshot(t, f, 40, 100)
	_, err := Compact(f.Path(), target, 39)
	require.EqualError(t, err, "journal: nothing to cut: the snapshot at 15 is too near to the beginning")
	require.NotErrorIs(t, err, fs.ErrNotExist)
	_, err = Compact(f.Path(), target, 0)
	require.NoError(t, err)
	_, err = Compact(target, target+".2", 0)
	require.ErrorIs(t, err, ErrNothingToCut, "it has been cut there already")
}
