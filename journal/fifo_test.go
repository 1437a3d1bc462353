//go:build unix && !aix && !solaris

package journal

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnlyRegularFiles: to open a pipe would take until somebody writes to it.
func TestOnlyRegularFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, os.DevNull, t.TempDir()} {
		refused := "journal: " + path + " is not a regular file"
		_, err := Open(path, Options{})
		require.EqualError(t, err, refused)
		_, err = Open(path, Options{ReadOnly: true})
		require.EqualError(t, err, refused)
		_, err = Verify(path, VerifyOptions{})
		require.EqualError(t, err, refused)
		_, err = Compact(path, pipe+".new", 0)
		require.EqualError(t, err, refused)
	}
}
