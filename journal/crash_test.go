//go:build linux

package journal

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// wholeAfter opens a journal after a failure and proves that every record up
// to acknowledged is there, and that whatever is there is whole.
func wholeAfter(t *testing.T, path string, acknowledged uint64) *File {
	t.Helper()
	report, err := Verify(path, VerifyOptions{Record: func(r Record) error {
		if !sameRecord(r, sample(r.Sequence)) {
			return fmt.Errorf("record %d is another one", r.Sequence)
		}
		return nil
	}})
	require.NoError(t, err)
	require.GreaterOrEqual(t, report.Head.Sequence, acknowledged, "acknowledged records are lost")
	f, err := Open(path, Options{})
	require.NoError(t, err)
	list, err := f.Snapshots()
	require.NoError(t, err)
	for _, s := range list {
		r, err := f.OpenSnapshot(s.Sequence)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, content(300_000), got)
	}
	return f
}

// TestKilledWriter kills a writing process again and again, wherever it is.
func TestKilledWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed")
	acknowledged, unfinished := uint64(0), 0
	for round := range 60 {
		c := start(t, "write", path)
		for range 1 + round*7%13 {
			text, ok := c.line()
			require.True(t, ok)
			n, err := strconv.ParseUint(text, 10, 64)
			require.NoError(t, err, text)
			acknowledged = n
		}
		acknowledged = c.kill(acknowledged)
		report, err := Verify(path, VerifyOptions{})
		require.NoError(t, err)
		unfinished += report.Unfinished
		f := wholeAfter(t, path, acknowledged)
		require.NoError(t, f.Close())
		report, err = Verify(path, VerifyOptions{})
		require.NoError(t, err)
		require.Zero(t, report.Unfinished, "opening for writing sweeps unfinished snapshots away")
	}
	t.Logf("%d records, %d snapshots cut short", acknowledged, unfinished)
}

// TestLimitedFile lets the file grow to a limit, which bbolt meets when it
// makes the file longer.
func TestLimitedFile(t *testing.T) {
	for limit := 32 << 10; limit <= 512<<10; limit *= 2 {
		path := filepath.Join(t.TempDir(), "limited")
		c := start(t, "limited", fmt.Sprintf("%s %d", path, limit))
		acknowledged := c.last(0)
		require.NoError(t, c.cmd.Wait())
		f := wholeAfter(t, path, acknowledged)
		require.NoError(t, f.Append(sample(f.Last()+1)), "with room it goes on")
		require.NoError(t, f.Close())
	}
}

// TestFullDisk fills a small file system, and leaves more or less room on it.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=512k"); err != nil {
		t.Skip("cannot mount a small file system:", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	path, ballast := filepath.Join(disk, "journal"), filepath.Join(disk, "ballast")
	for pages := range 24 {
		require.NoError(t, os.WriteFile(ballast, make([]byte, 256<<10+pages*4096), 0o600))
		require.NoError(t, untilFailureQuietly(path, syscall.ENOSPC))
		require.NoError(t, os.Remove(ballast))
		f := wholeAfter(t, path, 0)
		require.NoError(t, f.Append(sample(f.Last()+1)), "with room it goes on")
		require.NoError(t, f.Close())
		require.NoError(t, os.Remove(path))
	}
}

// untilFailureQuietly is untilFailure without its output.
func untilFailureQuietly(path string, expected error) error {
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	os.Stdout = null
	return untilFailure(path, expected)
}

// TestFailingSync lets the kernel refuse to sync.
func TestFailingSync(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nosync")
	c := start(t, "nosync", path)
	var acknowledged uint64
	for {
		text, ok := c.line()
		if !ok {
			break
		}
		if strings.Contains(text, "operation not permitted") || strings.Contains(text, "not implemented") {
			t.Skip("system calls cannot be filtered here:", text)
		}
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, text)
		acknowledged = n
	}
	require.NoError(t, c.cmd.Wait())
	require.Equal(t, uint64(15), acknowledged)
	f := wholeAfter(t, path, acknowledged)
	require.NoError(t, f.Append(sample(f.Last()+1)))
	require.NoError(t, f.Close())
}
