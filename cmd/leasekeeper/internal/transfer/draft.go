package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Draft is the place of a journal that does not have its name yet: a directory
// of its own beside the place where the journal is to be.
type Draft struct {
	target, directory string
}

// NewDraft makes a place for a journal that is to be called target. If there is
// a file of that name already, the error matches fs.ErrExist.
func NewDraft(target string) (*Draft, error) {
	if err := Vacant(target); err != nil {
		return nil, err
	}
	directory, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	return &Draft{target: target, directory: directory}, err
}

// Path is where the journal is to be made.
func (d *Draft) Path() string { return filepath.Join(d.directory, "journal") }

// Vacant reports a file of that name, with an error that matches fs.ErrExist.
func Vacant(target string) error {
	if _, err := os.Lstat(target); err == nil {
		return fmt.Errorf("%s: %w", target, fs.ErrExist)
	}
	return nil
}

// Publish gives the journal, which has been closed, its name, unless somebody
// has taken that meanwhile.
func (d *Draft) Publish() error {
	err := os.Link(d.Path(), d.target)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if err = Vacant(d.target); err == nil {
			err = os.Rename(d.Path(), d.target)
		}
	}
	if err != nil {
		return err
	}
	if err := os.RemoveAll(d.directory); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(d.target))
}

// Discard removes what has been written, unless it has been published. It may
// be called at any time, also from another goroutine when the process is about
// to end.
func (d *Draft) Discard() error { return os.RemoveAll(d.directory) }

// syncDirectory makes the names in a directory durable, where that is
// possible.
func syncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	defer directory.Close()
	if err := directory.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
