package journal

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// freelistPages is the number of free pages up to which every commit writes
// the list of them. Beyond that (a large snapshot has been deleted) the list
// would be most of what a commit writes, so it is left out until free pages
// have become few again, or the file is closed. Whoever opens the file after a
// crash in between has to go through all of its pages once.
const freelistPages = 4096

// boltOptions are the options that every journal is written with. open
// returns the file that has been locked already.
func boltOptions(open func() (*os.File, error)) *bbolt.Options {
	return &bbolt.Options{
		PageSize:     pages.Size,
		FreelistType: bbolt.FreelistMapType,
		Timeout:      time.Nanosecond, // try the lock once
		OpenFile:     func(string, int, os.FileMode) (*os.File, error) { return open() },
	}
}

// openBolt lets bbolt have the file, which it locks once more (the lock is the
// same) and closes in the end.
func (f *File) openBolt() error {
	return f.guard(func() (err error) {
		f.db, err = bbolt.Open(f.path, 0, boltOptions(func() (*os.File, error) { return f.file, nil }))
		if errors.Is(err, bbolterrors.ErrTimeout) { // where lock does nothing
			return fmt.Errorf("%w: %s", ErrLocked, f.path)
		}
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		f.db.NoSync = f.options.bulk
		return nil
	})
}

// update makes one durable change to the file. write must be held. After an
// error nobody knows what has reached the disk: the journal has failed.
func (f *File) update(what string, change func(*bbolt.Tx) error) error {
	if err := f.writable(); err != nil {
		return err
	}
	stats := f.db.Stats()
	f.unlisted = stats.FreePageN+stats.PendingPageN > freelistPages
	f.db.NoFreelistSync = f.unlisted
	err := f.guard(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			if err := change(tx); err != nil || f.options.beforeCommit == nil {
				return err
			}
			return f.options.beforeCommit()
		})
	})
	if err == nil && f.options.afterCommit != nil {
		err = f.options.afterCommit()
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w (%s): %w", ErrFailed, what, err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = err
	return err
}

// writable reports why the journal cannot be written.
func (f *File) writable() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	switch {
	case f.closed:
		return ErrClosed
	case f.options.ReadOnly:
		return ErrReadOnly
	}
	return f.failed
}

// guard calls bbolt. A fault in its map of the file (the file has been
// truncated) or a panic (it makes no sense) becomes a Damage.
func (f *File) guard(call func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			f.abandoned = true
			err = &Damage{Part: "the file", Reason: fmt.Sprintf("bbolt gave up: %v", p)}
		}
	}()
	return call()
}

// Close implements Journal.
func (f *File) Close() error {
	f.write.Lock()
	defer f.write.Unlock()
	f.mu.Lock()
	closed, failed := f.closed, f.failed
	f.closed = true
	f.mu.Unlock()
	if closed {
		return nil
	}
	if f.db == nil || f.abandoned {
		return wrap(f.letGo())
	}
	var first error
	if f.unlisted && failed == nil {
		f.db.NoFreelistSync = false
		first = f.guard(func() error { return f.db.Update(func(*bbolt.Tx) error { return nil }) })
	}
	if f.options.bulk {
		first = errors.Join(first, f.db.Sync())
	}
	if f.abandoned {
		return wrap(errors.Join(first, f.letGo()))
	}
	return wrap(errors.Join(first, f.db.Close()))
}

// letGo closes the file without bbolt, which may still have it mapped: that
// would keep the lock.
func (f *File) letGo() error {
	var err error
	if !f.options.ReadOnly {
		err = unlock(f.file)
	}
	return errors.Join(err, f.file.Close())
}

// wrap says whose error it is.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("journal: %w", err)
}
