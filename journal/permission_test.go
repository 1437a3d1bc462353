//go:build linux

package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadOnlyFile: what may not be written can be read, in a directory where
// nothing may be created.
func TestReadOnlyFile(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "readonly")
	f, err := Create(path, testGenesis(), Options{})
	require.NoError(t, err)
	require.NoError(t, f.Append(samples(1, 20)...))
	require.NoError(t, f.Close())
	require.NoError(t, os.Chmod(path, 0o444))
	require.NoError(t, os.Chmod(directory, 0o555))
	defer os.Chmod(directory, 0o755)
	require.NoError(t, os.Chmod(filepath.Dir(directory), 0o755))

	asNobody(func() {
		_, err = Open(path, Options{})
		if !assertIs(t, err, fs.ErrPermission) {
			return
		}
		_, err = Create(filepath.Join(directory, "new"), testGenesis(), Options{})
		assertIs(t, err, fs.ErrPermission)
		_, err = Verify(path, VerifyOptions{})
		assertIs(t, err, nil)
		r, err := Open(path, Options{ReadOnly: true})
		if assertIs(t, err, nil) {
			n := 0
			for _, err := range r.Scan(0, 0) {
				assertIs(t, err, nil)
				n++
			}
			if n != 20 {
				t.Errorf("%d records", n)
			}
			r.Close()
		}
	})
}

// assertIs is require.ErrorIs for goroutines that may not stop the test.
func assertIs(t *testing.T, err, want error) bool {
	if want == nil && err == nil {
		return true
	}
	if want == nil || !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
		return false
	}
	return true
}

// asNobody runs f on a thread to which file permissions apply even if the
// process is root's. The thread ends with it.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlock: nobody else may get this thread
		if os.Getuid() == 0 {
			syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
		}
		f()
	}()
	<-done
}
