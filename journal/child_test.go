//go:build linux

package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// childVariable makes the test binary play one of the children.
const childVariable = "JOURNAL_TEST_CHILD"

func TestMain(m *testing.M) {
	role, path, found := strings.Cut(os.Getenv(childVariable), " ")
	if !found {
		os.Exit(m.Run())
	}
	if err := children[role](path); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

// children are what a second process does with a journal.
var children = map[string]func(path string) error{
	"write":   writeForEver,
	"hold":    holdLock,
	"limited": writeLimited,
	"nosync":  writeWithoutSync,
}

// child is a running second process.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

// start starts a child.
func start(t *testing.T, role, path string) *child {
	t.Helper()
	c := &child{t: t, cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childVariable+"="+role+" "+path)
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	c.lines = bufio.NewScanner(out)
	require.NoError(t, c.cmd.Start())
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c
}

// line is the next line that the child prints; ok is false after the last.
func (c *child) line() (text string, ok bool) {
	ok = c.lines.Scan()
	return c.lines.Text(), ok
}

// last is the last number that the child prints from now until it ends, or
// seen if it prints none.
func (c *child) last(seen uint64) uint64 {
	for {
		text, ok := c.line()
		if !ok {
			return seen
		}
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(c.t, err, text)
		seen = n
	}
}

// kill ends the child at once, and returns the last number it had printed.
func (c *child) kill(seen uint64) uint64 {
	require.NoError(c.t, c.cmd.Process.Kill())
	seen = c.last(seen)
	c.cmd.Wait()
	return seen
}

// openOrCreate opens a journal for writing.
func openOrCreate(path string) (*File, error) {
	f, err := Open(path, Options{checkpointRecords: 64})
	if errors.Is(err, fs.ErrNotExist) {
		return Create(path, testGenesis(), Options{checkpointRecords: 64})
	}
	return f, err
}

// acknowledge prints the last sequence after every commit that has succeeded.
func acknowledge(f *File) { fmt.Fprintln(os.Stdout, f.Last()) }

// writeForEver appends commits of many sizes, and writes and deletes
// snapshots, until it is killed or something fails.
func writeForEver(path string) error {
	f, err := openOrCreate(path)
	if err != nil {
		return err
	}
	for n := uint64(0); ; n++ {
		if err := f.Append(samples(f.Last()+1, f.Last()+1+n*n%23)...); err != nil {
			return err
		}
		acknowledge(f)
		if n%5 == 4 {
			if err := changeSnapshots(f); err != nil {
				return err
			}
		}
	}
}

// changeSnapshots adds a snapshot and deletes all but the last two.
func changeSnapshots(f *File) error {
	w, err := f.CreateSnapshot(f.Last(), sample(f.Last()).Fingerprint)
	if err != nil {
		return err
	}
	defer w.Close()
	acknowledge(f) // so that we may be killed here
	if _, err := w.Write(content(300_000)); err != nil {
		return err
	}
	acknowledge(f)
	if err := w.Commit(); err != nil {
		return err
	}
	list, err := f.Snapshots()
	for len(list) > 2 && err == nil {
		err = f.DeleteSnapshot(list[0].Sequence)
		list = list[1:]
	}
	return err
}

// holdLock opens a journal for writing and waits to be killed.
func holdLock(path string) error {
	f, err := openOrCreate(path)
	if err != nil {
		return err
	}
	acknowledge(f)
	for {
		syscall.Pause()
	}
}

// writeLimited writes to a file that may not grow beyond so many bytes: the
// path is followed by a space and the limit.
func writeLimited(argument string) error {
	path, digits, _ := strings.Cut(argument, " ")
	limit, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	return untilFailure(path, syscall.EFBIG)
}

// untilFailure writes until a commit fails for the reason expected.
func untilFailure(path string, expected error) error {
	f, err := openOrCreate(path)
	if err != nil {
		return err
	}
	for err == nil {
		acknowledge(f)
		err = f.Append(samples(f.Last()+1, f.Last()+3)...)
	}
	before := f.Head()
	// bbolt passes on the text of some causes only
	cause := errors.Is(err, expected) || strings.Contains(err.Error(), expected.Error())
	if !cause || !errors.Is(err, ErrFailed) {
		return err
	}
	if err := f.Append(sample(f.Last() + 1)); !errors.Is(err, ErrFailed) {
		return fmt.Errorf("a failed journal accepts records: %w", err)
	}
	for r, err := range f.Scan(0, 0) {
		if err != nil || !sameRecord(r, sample(r.Sequence)) {
			return fmt.Errorf("a failed journal cannot be read at %d: %w", r.Sequence, err)
		}
	}
	if f.Head() != before {
		return errors.New("the head of a failed journal moves")
	}
	return f.Close()
}

// writeWithoutSync writes, and after some commits no file can be synced.
func writeWithoutSync(path string) error {
	f, err := openOrCreate(path)
	if err != nil {
		return err
	}
	for range 5 {
		if err := f.Append(samples(f.Last()+1, f.Last()+3)...); err != nil {
			return err
		}
		acknowledge(f)
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := refuseSync(); err != nil {
		return err
	}
	return untilFailure(path, syscall.EIO)
}

// refuseSync makes the kernel answer every fsync and fdatasync of this process
// with EIO.
func refuseSync() error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the system call's number
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FDATASYNC, Jt: 1},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_FSYNC, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EIO)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, code := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if code != 0 {
		return code
	}
	return nil
}
