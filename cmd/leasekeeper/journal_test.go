package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// damage is the command
//
//	damage FILE TEXT
//
// It flips a bit in every place of a file that has the text.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage FILE TEXT")
	}
	path := ts.MkAbs(args[0])
	content, err := os.ReadFile(path)
	ts.Check(err)
	flipped := bytes.ReplaceAll(content, []byte(args[1]), append([]byte{args[1][0] ^ 1}, args[1][1:]...))
	if bytes.Equal(content, flipped) {
		ts.Fatalf("%s does not have %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, flipped, 0o600))
}

// A journal has one writer. A second one is told at once, while readers come
// and go as they like; the writer keeps step with its client all along.
func TestAJournalInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.journal")
	writer := exec.Command("leasekeeper", "run", "--journal", path, "-")
	in, err := writer.StdinPipe()
	require.NoError(t, err)
	out, err := writer.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, writer.Start())
	answers := bufio.NewReader(out)
	for i := 1; i <= 5; i++ {
		_, err := fmt.Fprintf(in, "[\"acquire\", %d, \"client-%d\", \"L\", 1]\n", i, i)
		require.NoError(t, err)
		answer, err := answers.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("[\"granted\",%d,%d]\n", i, i+1), answer)

		head, err := exec.Command("leasekeeper", "head", path).Output()
		require.NoError(t, err)
		require.Regexp(t, fmt.Sprintf("^%d:[0-9a-f]{64}\n$", i), string(head), "an answer is given once its event is durable")
	}
	for _, reader := range []string{"verify", "replay", "export"} {
		require.NoError(t, exec.Command("leasekeeper", reader, path).Run(), reader)
	}
	for _, second := range [][]string{{"run", "--journal", path, "-"}, {"snapshot", path}} {
		cmd := exec.Command("leasekeeper", second...)
		message, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Equal(t, exitFailure, cmd.ProcessState.ExitCode())
		require.Equal(t, "leasekeeper: the file is being written by someone else: "+path+"\n", string(message))
	}
	require.NoError(t, in.Close())
	require.NoError(t, writer.Wait())
}

// A journal of a later format is told by its name.
func TestALaterFormatIsNamed(t *testing.T) {
	err := named("night.journal", fmt.Errorf("%w 2: this program knows those up to 1", journal.ErrFormat))
	require.EqualError(t, err, "night.journal: unknown format 2: this program knows those up to 1")
	require.ErrorIs(t, err, journal.ErrFormat)
}

// A snapshot that is sound in itself, of another state than the events give:
// the verdict names the rows.
func TestASnapshotOfAnotherState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.journal")
	genesis, err := journal.NewGenesis(events.Current, nil)
	require.NoError(t, err)
	j, err := journal.Create(path, genesis, journal.Options{})
	require.NoError(t, err)
	state := machine(t, events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive})
	record := journal.Record{
		Sequence:    1,
		Event:       events.Append(nil, events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive}),
		Answer:      journal.NewAnswer([]byte(`["granted",1,30]`)),
		Fingerprint: state.Fingerprint(),
	}
	require.NoError(t, j.Append(record))
	other := machine(t, events.Acquire{Client: "b", Lock: "L", TTL: 30, Mode: events.Exclusive})
	w, err := j.CreateSnapshot(1, other.Fingerprint())
	require.NoError(t, err)
	_, err = snapshot.Write(w, other)
	require.NoError(t, err)
	require.NoError(t, w.Commit())
	require.NoError(t, j.Close())

	cmd := exec.Command("leasekeeper", "replay", path)
	verdict, err := cmd.Output()
	require.Error(t, err)
	require.Equal(t, exitDiffers, cmd.ProcessState.ExitCode())
	require.Contains(t, string(verdict), "verdict       the snapshot at 1 is not the state that the events give\n")
	require.Contains(t, string(verdict), `lease of lock "L" number 1: "b" exclusive until 30, turn 1 | "a" exclusive until 30, turn 1`)

	cmd = exec.Command("leasekeeper", "verify", path)
	verdict, err = cmd.Output()
	require.Error(t, err)
	require.Equal(t, exitDiffers, cmd.ProcessState.ExitCode())
	require.Contains(t, string(verdict), "verdict       snapshot 1 is damaged: its fingerprint")
}

// machine is the state after some events.
func machine(t *testing.T, history ...events.Event) fsm.State {
	initial, err := fsm.New(events.Current)
	require.NoError(t, err)
	m := fsm.NewMachine(initial)
	for _, e := range history {
		m.Apply(e)
	}
	return m.State()
}

// An import that is interrupted leaves nothing behind.
func TestAnInterruptedImport(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be asked to end")
	}
	directory := t.TempDir()
	cmd := exec.Command("leasekeeper", "import", filepath.Join(directory, "a.journal"), "-")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	// More than a pipe holds: when all of it is written, the import is under way.
	line := []byte("[\"acquire\", 0, \"a\", \"L\", 30]\n")
	_, err = in.Write(bytes.Repeat(line, 1<<20/len(line)))
	require.NoError(t, err)
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Error(t, cmd.Wait())
	require.Equal(t, exitFailure, cmd.ProcessState.ExitCode())
	entries, err = os.ReadDir(directory)
	require.NoError(t, err)
	require.Empty(t, entries)
}
