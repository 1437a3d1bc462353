package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/leasekeeper/leasekeeper/journal"
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
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", target, path.Err) // nobody knows the draft's name
	}
	return &Draft{target: target, directory: directory}, err
}

// Path is where the journal is to be made.
func (d *Draft) Path() string { return filepath.Join(d.directory, "journal") }

// Named is an error about the draft as one about the journal that it is to be.
// Nobody knows the draft's name, and when the error is read it is gone.
func (d *Draft) Named(err error) error {
	if err == nil || !strings.Contains(err.Error(), d.Path()) {
		return err
	}
	return renamed{err, strings.ReplaceAll(err.Error(), d.Path(), d.target)}
}

// renamed is an error in other words.
type renamed struct {
	error
	text string
}

func (r renamed) Error() string { return r.text }
func (r renamed) Unwrap() error { return r.error }

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
	if err := journal.Publish(d.Path(), d.target); err != nil {
		return err
	}
	return d.Discard()
}

// Discard removes what has been written, unless it has been published. It may
// be called at any time, also from another goroutine when the process is about
// to end.
func (d *Draft) Discard() error { return os.RemoveAll(d.directory) }
