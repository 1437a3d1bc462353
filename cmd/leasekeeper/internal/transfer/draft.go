package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/journal"
)

// Draft is a journal that does not have its name yet. It lies in a directory
// of its own beside the place where it is to be.
type Draft struct {
	*journal.File
	target, directory string
}

// NewDraft creates a journal that is to be called target. If there is a file
// of that name already, the error matches fs.ErrExist.
func NewDraft(target string, rules events.Rules) (*Draft, error) {
	if err := vacant(target); err != nil {
		return nil, err
	}
	genesis, err := journal.NewGenesis(rules, nil)
	if err != nil {
		return nil, err
	}
	directory, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return nil, err
	}
	d := &Draft{target: target, directory: directory}
	if d.File, err = journal.Create(d.path(), genesis, journal.Options{}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(directory))
	}
	return d, nil
}

func (d *Draft) path() string { return filepath.Join(d.directory, "journal") }

// vacant reports a file of that name.
func vacant(target string) error {
	if _, err := os.Lstat(target); err == nil {
		return fmt.Errorf("%s: %w", target, fs.ErrExist)
	}
	return nil
}

// Publish closes the journal and gives it its name, unless somebody has taken
// it meanwhile.
func (d *Draft) Publish() error {
	if err := d.File.Close(); err != nil {
		return err
	}
	err := os.Link(d.path(), d.target)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if err = vacant(d.target); err == nil {
			err = os.Rename(d.path(), d.target)
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
