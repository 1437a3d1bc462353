package pages

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Source is the bytes of a bbolt file.
type Source interface {
	io.ReaderAt
	// Size is the present length of the file in bytes.
	Size() (int64, error)
}

// File reads a bbolt file. It keeps no state about the file: any number of
// goroutines may use it, each with its own views and cursors.
type File struct {
	source Source
	// Fallback accepts a file of which one meta page is broken. If that was
	// the newer one, the last commit is lost.
	Fallback bool
	// Still says that nobody writes to the file, so that a broken meta page
	// need not be read a second time.
	Still bool
}

// New is a File over a source. It reads nothing yet.
func New(source Source) *File { return &File{source: source} }

// View is the tree of one commit.
type View struct {
	file *File
	meta meta
}

// Commit numbers the view's commit: a later one has a higher number.
func (v View) Commit() uint64 { return v.meta.commit }

// Pages counts the pages that the file's commits have used so far.
func (v View) Pages() uint64 { return v.meta.pages }

// Attempts to read both meta pages whole: a writer may be at work on one. The
// first few come at once, the others a millisecond apart.
const (
	metaAttempts  = 40
	eagerAttempts = 20
)

// View is the newest tree of the file. A broken meta page is a Damage, even
// if the other is good: nobody can tell which was the newer.
func (f *File) View() (View, error) {
	var newest meta
	var err error
	for attempt := range metaAttempts {
		if newest, err = f.newest(f.Fallback); err == nil || f.Still {
			break
		}
		if attempt >= eagerAttempts {
			time.Sleep(time.Millisecond)
		}
	}
	if err != nil {
		return View{}, err
	}
	size, err := f.source.Size()
	if err != nil {
		return View{}, err
	}
	if need := int64(newest.pages) * Size; need > size {
		return View{}, damaged(size, need-size, "the file ends here; its %d pages need %d bytes", newest.pages, need)
	}
	return View{file: f, meta: newest}, nil
}

// metaBytes is how much of the file it takes to know both meta pages.
const metaBytes = Size + metaEnd

// metaBuffers are buffers of that length.
var metaBuffers = sync.Pool{New: func() any { return new([metaBytes]byte) }}

// newest reads the meta pages and returns the newer one. A lenient look is
// content with one good meta page.
func (f *File) newest(lenient bool) (meta, error) {
	buffer := metaBuffers.Get().(*[metaBytes]byte)
	defer metaBuffers.Put(buffer)
	b := buffer[:]
	if n, err := f.source.ReadAt(b, 0); err != nil && n < len(b) {
		if errors.Is(err, io.EOF) {
			return meta{}, damaged(int64(n), int64(len(b)-n), "the file ends before its second meta page")
		}
		return meta{}, fmt.Errorf("pages: %w", err)
	}
	zero, err0 := parseMeta(0, b[:metaEnd])
	one, err1 := parseMeta(1, b[Size:])
	switch {
	case err0 == nil && err1 == nil:
		older, newer := zero, one
		if zero.commit > one.commit {
			older, newer = one, zero
		}
		if newer.commit-older.commit != 1 {
			return meta{}, damaged(0, metaBytes, "the meta pages hold commits %d and %d, not two in a row", zero.commit, one.commit)
		}
		return newer, nil
	case lenient && err0 == nil:
		return zero, nil
	case lenient && err1 == nil:
		return one, nil
	case err0 != nil:
		return meta{}, err0
	}
	return meta{}, err1
}

// current reports errMoved if the file has a newer tree than the view's.
func (v View) current() error {
	if v.file.Still {
		return nil
	}
	newest, err := v.file.newest(true)
	var torn *Damage // or so it looks: two commits may have come between the two pages
	if errors.As(err, &torn) || err == nil && newest.commit != v.meta.commit {
		return errMoved
	}
	return err
}
