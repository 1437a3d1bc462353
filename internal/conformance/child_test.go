//go:build linux

package conformance

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// family starts the helper that forks twice, waits until all three processes have
// said their numbers, and returns these.
func family(t *testing.T) (*child, []int) {
	c, err := target(t, "forking", Stream).start(events.Current)
	require.NoError(t, err)
	var pids []int
	for len(pids) < 3 {
		pids = pids[:0]
		c.stderr.mutex.Lock()
		for line := range bytes.Lines(c.stderr.kept) {
			if number, ok := bytes.CutPrefix(bytes.TrimRight(line, "\n"), []byte("pid ")); ok {
				pid, err := strconv.Atoi(string(number))
				require.NoError(t, err)
				pids = append(pids, pid)
			}
		}
		c.stderr.mutex.Unlock()
		runtime.Gosched()
	}
	return c, pids
}

// runs tells whether a process is there and is not dead already.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	state := stat[bytes.LastIndexByte(stat, ')')+2]
	return state != 'Z' && state != 'X'
}

// Whatever a program has started is gone when its session is closed, or the test
// never ends.
func TestNobodyIsLeftBehind(t *testing.T) {
	for name, end := range map[string]func(*child){
		"by force": (*child).end,
		"politely": func(c *child) { c.leave(time.Millisecond) },
		"by its own end": func(c *child) {
			require.NoError(t, c.command.Process.Kill())
			<-c.exited
			c.end()
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, pids := family(t)
			for _, pid := range pids {
				require.True(t, runs(pid))
			}
			end(c)
			require.False(t, c.stderr.stray)
			for _, pid := range pids {
				for runs(pid) {
					runtime.Gosched()
				}
			}
			_, err := c.stdout.Read(make([]byte, 1))
			require.ErrorIs(t, err, os.ErrClosed)
			c.end() // again
		})
	}
}

// All that is left of a program is closed, too: its files and goroutines.
func TestNothingIsLeftOpen(t *testing.T) {
	open := func() int {
		files, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(files)
	}
	run := func(helper string, protocol Protocol) {
		t.Helper()
		judged(t, helper, protocol, time.Minute)
	}
	run("stream-late", Stream)
	files, goroutines := open(), runtime.NumGoroutine()
	for range 10 {
		for _, helper := range []string{"exit-7", "prose-at-3", "skip-3", "endless-line"} {
			run(helper, Stream)
		}
		for _, helper := range []string{"process", "process-exit-7", "process-prose", "process-endless"} {
			run(helper, Process)
		}
	}
	require.LessOrEqual(t, open(), files)
	for runtime.NumGoroutine() > goroutines {
		runtime.Gosched()
	}
}

func TestStandardErrorIsKeptInPart(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	kept := follow(reader)
	for i := range 50_000 {
		fmt.Fprintln(writer, "line", i)
	}
	_, err = io.WriteString(writer, "the end \x1b[31m\u202e\xff")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	kept.end()
	require.False(t, kept.stray)
	require.LessOrEqual(t, cap(kept.kept), 4*tailBytes)
	lines := bytes.Split([]byte(kept.String()), []byte("\n"))
	require.Len(t, lines, tailLines+1)
	require.Equal(t, "…", string(lines[0]))
	require.Equal(t, "line 49999", string(lines[tailLines-1]))
	require.Equal(t, `the end \u001b[31m\u202e`+"\uFFFD", string(lines[tailLines]))
}
