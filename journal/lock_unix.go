//go:build unix && !aix && !solaris

package journal

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes the lock that bbolt takes too, before anything is read from the
// file. It belongs to the open file: it ends with the process, however that
// ends, so no stale lock can be left behind.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%w: %s", ErrLocked, file.Name())
	}
	if err != nil {
		return fmt.Errorf("journal: locking %s: %w", file.Name(), err)
	}
	return nil
}

// unlock gives the lock back.
func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// syncDirectory makes the names in a directory durable.
func syncDirectory(path string) error {
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}
