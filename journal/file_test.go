package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// TestCreate: a journal appears whole under its name, or not at all.
func TestCreate(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "journal")
	f, err := Create(path, testGenesis(), Options{})
	require.NoError(t, err)
	require.Equal(t, path, f.Path())
	require.NoError(t, f.Close())

	_, err = Create(path, testGenesis(), Options{})
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = Create(filepath.Join(directory, "none", "journal"), testGenesis(), Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Create(path+"2", Genesis{}, Options{})
	require.ErrorIs(t, err, ErrFormat)
	_, err = Create(path+"2", testGenesis(), Options{ReadOnly: true})
	require.ErrorIs(t, err, ErrReadOnly)
	left, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Len(t, left, 1, "failures leave nothing behind")
}

// TestOpenRefuses what is not a journal, each with its own words.
func TestOpenRefuses(t *testing.T) {
	directory := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(directory, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	bare := filepath.Join(directory, "bare")
	db, err := bbolt.Open(bare, 0o600, &bbolt.Options{PageSize: pages.Size})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for _, c := range []struct {
		path, text string
		is         error
	}{
		{filepath.Join(directory, "none"), "no such file", fs.ErrNotExist},
		{directory, "", nil},
		{write("empty", nil), "ends before its second meta page", ErrDamaged},
		{write("text", []byte("this is not a journal\n")), "ends before its second meta page", ErrDamaged},
		{write("zeros", make([]byte, 40_000)), "does not begin like one", ErrDamaged},
		{bare, "the genesis is damaged: it is missing", ErrDamaged},
	} {
		for _, options := range []Options{{}, {ReadOnly: true}} {
			_, err := Open(c.path, options)
			require.ErrorContains(t, err, c.text)
			require.ErrorContains(t, err, "journal: ")
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
			if c.is != fs.ErrNotExist {
				require.NotErrorIs(t, err, fs.ErrNotExist, "nobody may think it can be created")
			}
		}
	}
}

// TestFailedCommit: after a commit that failed, on whichever side of it, the
// journal refuses to write until it is opened again, and can still be read.
func TestFailedCommit(t *testing.T) {
	cause := errors.New("the disk says no")
	for name, fail := range map[string]func(*File, func() error){
		"before the commit": func(f *File, hook func() error) { f.options.beforeCommit = hook },
		"after the commit":  func(f *File, hook func() error) { f.options.afterCommit = hook },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFile(t, Options{})
			require.NoError(t, f.Append(samples(1, 10)...))
			addSnapshot(t, f, 5, 10)
			head := f.Head()
			fail(f, func() error { return cause })
			err := f.Append(samples(11, 12)...)
			require.ErrorIs(t, err, cause)
			require.ErrorIs(t, err, ErrFailed)
			require.ErrorContains(t, err, "records 11 to 12")

			fail(f, nil)
			require.ErrorIs(t, f.Append(samples(11, 12)...), ErrFailed)
			require.ErrorIs(t, f.Append(samples(11, 12)...), cause, "it goes on to say why")
			require.ErrorIs(t, f.DeleteSnapshot(5), ErrFailed)
			_, err = f.CreateSnapshot(7, [16]byte{})
			require.ErrorIs(t, err, ErrFailed)
			require.Equal(t, head, f.Head())
			require.Len(t, collect(t, f, 0, 0), 10)
			require.NoError(t, f.Close())

			f, err = Open(f.Path(), Options{})
			require.NoError(t, err)
			require.Contains(t, []uint64{10, 12}, f.Last(), "all of the commit or none")
			require.NoError(t, f.Append(sample(f.Last()+1)))
			require.NoError(t, f.Close())
			_, err = Verify(f.Path(), VerifyOptions{})
			require.NoError(t, err)
		})
	}
}

// TestPanickingBolt: a panic below is an error, and Close does not hang on the
// locks that it left behind.
func TestPanickingBolt(t *testing.T) {
	f := newFile(t, Options{})
	f.options.beforeCommit = func() error { panic("page 7 already freed") }
	err := f.Append(sample(1))
	require.ErrorIs(t, err, ErrDamaged)
	require.ErrorIs(t, err, ErrFailed)
	require.ErrorContains(t, err, "page 7 already freed")
	require.NoError(t, f.Close())
	_, err = Open(f.Path(), Options{})
	require.NoError(t, err)
}

// TestManyFreePages: after a large snapshot has been deleted, commits leave
// the freelist out, and Close puts it back.
func TestManyFreePages(t *testing.T) {
	f := newFile(t, Options{bulk: true})
	require.NoError(t, f.Append(samples(1, 10)...))
	addSnapshot(t, f, 5, (freelistPages+100)*4*chunkSize)
	require.NoError(t, f.DeleteSnapshot(5))
	require.NoError(t, f.Append(samples(11, 20)...))
	require.NoError(t, f.Append(samples(21, 30)...))
	require.True(t, f.unlisted)

	crashed := f.Path() + ".crashed"
	b, err := os.ReadFile(f.Path())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(crashed, b, 0o600))
	report, err := Verify(crashed, VerifyOptions{})
	require.NoError(t, err)
	require.Zero(t, report.Free)
	again, err := Open(crashed, Options{})
	require.NoError(t, err)
	require.NoError(t, again.Append(samples(31, 40)...))
	require.NoError(t, again.Close())
	report, err = Verify(crashed, VerifyOptions{})
	require.NoError(t, err)
	require.Greater(t, report.Free, uint64(freelistPages))

	require.NoError(t, f.Close())
	report, err = Verify(f.Path(), VerifyOptions{})
	require.NoError(t, err)
	require.Greater(t, report.Free, uint64(freelistPages), "the pages are there to be used again")
}

// TestFallback: with one meta page broken nobody can tell whether a commit is
// lost, so opening needs leave.
func TestFallback(t *testing.T) {
	f := newFile(t, Options{})
	require.NoError(t, f.Append(samples(1, 10)...))
	require.NoError(t, f.Append(samples(11, 20)...))
	require.NoError(t, f.Close())
	whole, err := os.ReadFile(f.Path())
	require.NoError(t, err)
	lasts := map[uint64]bool{}
	for page := range 2 {
		b := append([]byte(nil), whole...)
		b[page*pages.Size+40] ^= 1
		require.NoError(t, os.WriteFile(f.Path(), b, 0o600))
		_, err = Open(f.Path(), Options{})
		require.ErrorIs(t, err, ErrDamaged)
		require.ErrorContains(t, err, "fails its checksum")
		_, err = Verify(f.Path(), VerifyOptions{})
		require.ErrorIs(t, err, ErrDamaged)

		f, err := Open(f.Path(), Options{Fallback: true})
		require.NoError(t, err)
		lasts[f.Last()] = true
		require.NoError(t, f.Append(sample(f.Last()+1)))
		require.NoError(t, f.Close())
		_, err = Verify(f.Path(), VerifyOptions{})
		require.NoError(t, err, "one commit mends it")
	}
	require.Equal(t, map[uint64]bool{10: true, 20: true}, lasts)
}
