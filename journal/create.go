package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// Create makes a journal file and opens it for writing. If there is a file of
// that name already, the error matches fs.ErrExist. The file appears under its
// name only when it is whole and durable.
func Create(path string, genesis Genesis, options Options) (*File, error) {
	if options.ReadOnly {
		return nil, ErrReadOnly
	}
	if err := genesis.Validate(); err != nil {
		return nil, err
	}
	draft, err := draftFile(path, genesis)
	if err != nil {
		return nil, wrap(err)
	}
	if err := Publish(draft, path); err != nil {
		os.Remove(draft)
		return nil, wrap(err)
	}
	return Open(path, options)
}

// draftFile makes an empty journal under another name in the same directory.
func draftFile(path string, genesis Genesis) (draft string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", instead(err, path)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	db, err := bbolt.Open(file.Name(), 0, boltOptions(func() (*os.File, error) { return file, nil }))
	if err != nil {
		return "", instead(err, path)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		meta := tx.Bucket([]byte(metaBucket))
		if err := meta.Put([]byte(genesisKey), genesis.encode()); err != nil {
			return err
		}
		return meta.Put([]byte(headKey), encodeHead(chainOf(genesis).head()))
	})
	return file.Name(), instead(errors.Join(err, db.Close()), path)
}

// instead makes an error of a draft's name, which nobody knows, one of the name
// that the file is to have.
func instead(err error, path string) error {
	var of *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &of):
		return fmt.Errorf("%s: %w", path, of.Err)
	case errors.As(err, &link):
		return fmt.Errorf("%s: %w", path, link.Err)
	}
	return err
}

// Publish gives a finished file, which has been closed and lies on the same file
// system, its name, and makes that durable. If something has the name already,
// the error matches fs.ErrExist.
func Publish(draft, path string) error {
	err := os.Link(draft, path)
	switch {
	case err == nil:
		err = os.Remove(draft)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	default: // a file system without links
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		err = os.Rename(draft, path)
	}
	if err != nil {
		return instead(err, path)
	}
	return syncDirectory(filepath.Dir(path))
}
