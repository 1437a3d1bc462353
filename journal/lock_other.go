//go:build !unix || aix || solaris

package journal

import "os"

// lock leaves the lock to bbolt, which takes its own when it opens the file.
func lock(*os.File) error { return nil }

// unlock leaves the lock to bbolt, too.
func unlock(*os.File) error { return nil }

// syncDirectory has nothing to do where directories cannot be synced.
func syncDirectory(string) error { return nil }
