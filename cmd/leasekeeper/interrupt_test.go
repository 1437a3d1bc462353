package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A redaction that is interrupted leaves neither the history nor the names: both
// drafts hold what nobody else may see.
func TestAnInterruptedRedaction(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be asked to end")
	}
	directory := t.TempDir()
	source := filepath.Join(t.TempDir(), "long.ndjson")
	// Quickly read, and long to apply.
	line := []byte(`["repeat",0,100000,0,["inspect","L"]]` + "\n")
	require.NoError(t, os.WriteFile(source, bytes.Repeat(line, 5000), 0o600))
	cmd := exec.Command("leasekeeper", "redact", source, filepath.Join(directory, "public.ndjson"),
		"--names", "--key-file", filepath.Join(directory, "keys.ndjson"))
	require.NoError(t, cmd.Start())
	// When the file is there, the names have been collected, and it is being written.
	require.Eventually(t, func() bool {
		begun, err := filepath.Glob(filepath.Join(directory, ".public.ndjson.*", "journal"))
		return err == nil && len(begun) == 1
	}, time.Minute, time.Millisecond)
	keys, err := filepath.Glob(filepath.Join(directory, ".keys.ndjson.*"))
	require.NoError(t, err)
	require.Len(t, keys, 1, "the key file's draft is not watched over")
	endsWithout(t, cmd, directory)
}

// A command that makes several files discards all of them.
func TestAnInterruptedCommandWithTwoFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be asked to end")
	}
	directory := t.TempDir()
	cmd := exec.Command("interrupted", filepath.Join(directory, "a.svg"), filepath.Join(directory, "b.json"))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, len("drafted")))
	require.NoError(t, err)
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	endsWithout(t, cmd, directory)
}

// interrupted is a command that makes drafts of its arguments and waits for its
// end.
func interrupted() {
	if _, err := draftFiles(os.Args[1:]...); err != nil {
		panic(err)
	}
	fmt.Print("drafted")
	select {}
}

// endsWithout interrupts a command, which leaves nothing behind in a directory.
func endsWithout(t *testing.T, cmd *exec.Cmd, directory string) {
	t.Helper()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, exitFailure, cmd.ProcessState.ExitCode())
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Empty(t, entries)
}
