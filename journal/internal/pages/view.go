package pages

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Read calls read with the newest view, and again with a newer one as long as
// the file is written to while it reads. read passes on the errors it gets.
func (f *File) Read(read func(View) error) error {
	for range moves {
		v, err := f.View()
		if err == nil {
			err = read(v)
		}
		if !errors.Is(err, errMoved) {
			return err
		}
	}
	return ErrBusy
}

// Cursor is a cursor over a bucket that never leaves the view: when the file
// is written to, it fails with an error that makes Read try again.
func (v View) Cursor(path ...string) *Cursor {
	c := v.file.Cursor(path...)
	c.fixed = true
	c.reader.use(v)
	return c
}

// Get is the element with a key in a bucket. If there is none, or no such
// bucket, the error matches fs.ErrNotExist.
func (v View) Get(key string, path ...string) (*Element, error) {
	e, err := v.Cursor(path...).Seek([]byte(key))
	if errors.Is(err, io.EOF) || err == nil && string(e.Key) != key {
		return nil, fmt.Errorf("pages: no key %q in bucket %q: %w", key, path, fs.ErrNotExist)
	}
	return e, err
}
