package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
	"pgregory.net/rapid"
)

// disk is a source over a file.
type disk struct{ *os.File }

func (d disk) Size() (int64, error) {
	info, err := d.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// openBoth opens a new bbolt file, and reads the same file with this package.
func openBoth(t interface {
	Helper()
	Fatalf(string, ...any)
	Cleanup(func())
}, directory string) (*bbolt.DB, *File) {
	t.Helper()
	path := filepath.Join(directory, "db")
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: Size, NoSync: true, NoGrowSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		t.Fatalf("%v", err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() { db.Close(); file.Close(); os.Remove(path) })
	return db, New(disk{file})
}

// TestReadsWhatBoltWrites compares this package with bbolt, on buckets of all
// shapes: nested, inline, with deletions, with values over many pages.
func TestReadsWhatBoltWrites(t *testing.T) {
	directory := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		db, file := openBoth(t, directory)
		for range rapid.IntRange(1, 4).Draw(t, "commits") {
			db.NoFreelistSync = rapid.Bool().Draw(t, "unlisted")
			require.NoError(t, db.Update(func(tx *bbolt.Tx) error { return change(t, tx) }))
		}
		require.NoError(t, db.View(func(tx *bbolt.Tx) error {
			for err := range tx.Check() {
				require.NoError(t, err)
			}
			for _, name := range []string{"flat", "nest"} {
				if b := tx.Bucket([]byte(name)); b != nil {
					compare(t, file, b, name)
				}
			}
			return nil
		}))
		v, err := file.View()
		require.NoError(t, err)
		a, err := v.Check(func(bucket string) bool { return bucket == "nest" })
		require.NoError(t, err)
		require.Equal(t, !db.NoFreelistSync, a.Listed)
		stats := db.Stats()
		if a.Listed {
			require.Equal(t, uint64(stats.FreePageN+stats.PendingPageN), a.Free)
		}
	})
}

// change makes random changes to a flat bucket and to nested ones.
func change(t *rapid.T, tx *bbolt.Tx) error {
	flat, err := tx.CreateBucketIfNotExists([]byte("flat"))
	if err != nil {
		return err
	}
	nest, err := tx.CreateBucketIfNotExists([]byte("nest"))
	if err != nil {
		return err
	}
	flat.FillPercent = rapid.SampledFrom([]float64{0.5, 0.9, 1}).Draw(t, "fill")
	for range rapid.IntRange(0, 3).Draw(t, "runs") {
		first, n := rapid.IntRange(0, 2000).Draw(t, "first"), rapid.IntRange(0, 400).Draw(t, "n")
		length := rapid.SampledFrom([]int{0, 10, 100, 1000, 5000, 70_000}).Draw(t, "length")
		for i := first; i < first+min(n, 2_000_000/(length+1)); i++ {
			if err := flat.Put(fmt.Appendf(nil, "key %06d", i), make([]byte, length)); err != nil {
				return err
			}
		}
	}
	for i := range rapid.IntRange(0, 500).Draw(t, "deletions") {
		if err := flat.Delete(fmt.Appendf(nil, "key %06d", i*3)); err != nil {
			return err
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "nested") {
		name := fmt.Appendf(nil, "%d", rapid.IntRange(0, 5).Draw(t, "name"))
		if nest.Bucket(name) != nil {
			if err := nest.DeleteBucket(name); err != nil {
				return err
			}
			continue
		}
		inner, err := nest.CreateBucket(name)
		for i := range rapid.IntRange(0, 300).Draw(t, "inner") {
			err = errors.Join(err, inner.Put(fmt.Appendf(nil, "%03d", i), name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare reads a bucket with bbolt and with a Cursor.
func compare(t require.TestingT, file *File, b *bbolt.Bucket, path ...string) {
	c := file.Cursor(path...)
	var last []byte
	err := b.ForEach(func(k, v []byte) error {
		e, err := c.Next()
		require.NoError(t, err)
		require.Equal(t, k, e.Key)
		require.Equal(t, v == nil, e.Bucket)
		if v == nil {
			compare(t, file, b.Bucket(k), append(path[:len(path):len(path)], string(k))...)
			return nil
		}
		require.True(t, bytes.Equal(v, e.Value))
		require.Equal(t, append(bytes.Clone(k), v...), e.Entry)
		last = bytes.Clone(k)
		return nil
	})
	require.NoError(t, err)
	_, err = c.Next()
	require.ErrorIs(t, err, io.EOF)
	_, err = c.Next()
	require.ErrorIs(t, err, io.EOF)

	e, err := file.Cursor(path...).Last()
	if k, _ := b.Cursor().Last(); k == nil {
		require.ErrorIs(t, err, io.EOF)
	} else {
		require.Equal(t, k, e.Key)
	}
	for _, key := range []string{"", "key 000500", "key 0005001", "key 001999", "zzz", string(last)} {
		k, _ := b.Cursor().Seek([]byte(key))
		e, err := c.Seek([]byte(key))
		if k == nil {
			require.ErrorIs(t, err, io.EOF)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, k, e.Key)
	}
}

// TestMoves: a cursor goes on in newer trees while pages are used again under
// it.
func TestMoves(t *testing.T) {
	db, file := openBoth(t, t.TempDir())
	next := 0
	grow := func() {
		require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			for range 7 {
				err = errors.Join(err, b.Put(fmt.Appendf(nil, "%08d", next), make([]byte, 100)))
				next++
			}
			return err
		}))
	}
	grow()
	c := file.Cursor("b")
	for want := range 5000 {
		if want >= next-1 || want%3 == 0 {
			grow()
		}
		e, err := c.Next()
		for errors.Is(err, io.EOF) { // of the tree that the cursor is in
			e, err = c.Seek(fmt.Appendf(nil, "%08d", want))
		}
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%08d", want), string(e.Key))
	}
}

// TestFixedCursor: within one view nothing changes, or an error says so.
func TestFixedCursor(t *testing.T) {
	db, file := openBoth(t, t.TempDir())
	put := func(key string) {
		require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			return errors.Join(err, b.Put([]byte(key), make([]byte, 3000)))
		}))
	}
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		put(key)
	}
	views := 0
	err := file.Read(func(v View) error {
		views++
		c := v.Cursor("b")
		n := 0
		for {
			e, err := c.Next()
			if errors.Is(err, io.EOF) {
				require.Equal(t, 9, n)
				return nil
			}
			if err != nil {
				require.True(t, Moved(err))
				return fmt.Errorf("wrapped: %w", err)
			}
			if n++; views == 1 && string(e.Key) == "a" {
				put("i")
			}
		}
	})
	require.NoError(t, err)
	require.Equal(t, 2, views)
}

// TestMissing: what is not there is told apart from what is broken.
func TestMissing(t *testing.T) {
	db, file := openBoth(t, t.TempDir())
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte("b"))
		return errors.Join(err, b.Put([]byte("key"), []byte("value")))
	}))
	v, err := file.View()
	require.NoError(t, err)
	_, err = v.Get("key", "a")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = v.Get("kex", "b")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = v.Get("kez", "b")
	require.ErrorIs(t, err, fs.ErrNotExist)
	e, err := v.Get("key", "b")
	require.NoError(t, err)
	require.Equal(t, "value", string(e.Value))
	_, err = v.Get("key", "b", "key")
	var damage *Damage
	require.ErrorAs(t, err, &damage)
	require.EqualError(t, err, fmt.Sprintf("bytes %d to %d: %q is no bucket", e.Offset, e.Offset+4, "key"))
}
