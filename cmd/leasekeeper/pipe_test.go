package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program sends an operation, waits for the answer, and only then sends the
// next. The command must not keep an answer back, nor wait for more input than
// it needs.
func TestRunAnswersAClientInLockStep(t *testing.T) {
	cmd := exec.Command("leasekeeper", "run", "-")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	answers := bufio.NewReader(out)
	for i := 1; i <= 20; i++ {
		_, err := fmt.Fprintf(in, "[\"acquire\", %d, \"client-%d\", \"L\", 1]\n", i, i)
		require.NoError(t, err)
		answer, err := answers.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("[\"granted\",%d,%d]\n", i, i+1), answer)
	}
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
}

// Nobody has to send an operation to be told of a mistake on the command line:
// here none is ever sent, and standard input stays open.
func TestMistakesAreToldBeforeInputIsWaitedFor(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "taken")
	require.NoError(t, os.WriteFile(taken, nil, 0o600))
	for _, arguments := range [][]string{
		{"run", "--edition", "9"},
		{"run", "--unit", "hour", "-"},
		{"run", "--keep", "1"},
		{"run", "--journal", taken + "2", "--keep", "0", "-"},
		{"run", "--journal", taken, "-"},
		{"replay", "--edition", "9", "-"},
		{"replay", "--from", "soon", "-"},
		{"replay", "--jobs", "2", "-"},
		{"inspect", "--until", "1", "--at", "1", "-", "L"},
		{"status", "--unit", "hour", "-", "c"},
		{"import", "--edition", "9", taken + "2"},
		{"import", "--map", "(", taken + "2"},
		{"import", taken, "-"},
	} {
		cmd := exec.Command("leasekeeper", arguments...)
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.Error(t, cmd.Run(), arguments)
		require.Equal(t, exitUsage, cmd.ProcessState.ExitCode(), arguments)
		_ = in.Close()
	}
}

// Where the answers get lost, nobody waits for more operations to answer.
func TestNothingIsReadOnceTheOutputIsLost(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no full device")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, arguments := range [][]string{
		{"run", "-"}, {"replay", "-"}, {"run", "--journal", filepath.Join(t.TempDir(), "a.journal"), "-"},
	} {
		cmd := exec.Command("leasekeeper", arguments...)
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		cmd.Stdout = full
		var message bytes.Buffer
		cmd.Stderr = &message
		require.NoError(t, cmd.Start())
		_, err = in.Write([]byte("[\"inspect\", 0, \"L\"]\n"))
		require.NoError(t, err)
		require.Error(t, cmd.Wait(), arguments)
		require.Equal(t, exitFailure, cmd.ProcessState.ExitCode(), arguments)
		require.Equal(t, "leasekeeper: writing the output: no space left on device\n", message.String())
		_ = in.Close()
	}
}
