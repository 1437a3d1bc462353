package conformance

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// child is a process with its pipes, and whatever it starts in its turn.
type child struct {
	command *exec.Cmd
	stdin   *os.File
	stdout  *os.File
	lines   *bufio.Reader // of stdout
	long    []byte        // a line that the reader's buffer has no room for
	stderr  *tail
	exited  chan struct{} // closed when the process has been waited for

	mutex  sync.Mutex
	reaped bool
}

// start starts a program. An error says that it could not be started, which says
// nothing about how it keeps to the rules.
func start(words, environment []string, directory string) (*child, error) {
	command := exec.Command(words[0], words[1:]...)
	command.Env = append(os.Environ(), environment...)
	command.Dir = directory
	ownGroup(command)
	theirs, ours, err := pipes()
	if err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	command.Stdin, command.Stdout, command.Stderr = theirs[0], theirs[1], theirs[2]
	err = command.Start()
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, fmt.Errorf("conformance: starting the program: %w", err)
	}
	c := &child{
		command: command, stdin: ours[0], stdout: ours[1],
		lines: bufio.NewReaderSize(ours[1], 64<<10), stderr: follow(ours[2]), exited: make(chan struct{}),
	}
	go c.reap()
	return c, nil
}

// pipes makes three pipes, for standard input, output and error: their ends and
// ours.
func pipes() (theirs, ours []*os.File, err error) {
	for range 3 {
		reader, writer, err := os.Pipe()
		if err != nil {
			closeAll(theirs)
			closeAll(ours)
			return nil, nil, err
		}
		theirs, ours = append(theirs, writer), append(ours, reader)
	}
	theirs[0], ours[0] = ours[0], theirs[0] // the one that they read
	return theirs, ours, nil
}

func closeAll(files []*os.File) {
	for _, file := range files {
		_ = file.Close()
	}
}

// reap waits for the process and kills what it leaves behind.
func (c *child) reap() {
	if awaitExit(c.command.Process.Pid) {
		c.mutex.Lock()
		killGroup(c.command)
		_ = c.command.Wait() // the state says it all
		c.reaped = true
		c.mutex.Unlock()
	} else {
		_ = c.command.Wait()
		c.mutex.Lock()
		killGroup(c.command)
		c.reaped = true
		c.mutex.Unlock()
	}
	close(c.exited)
}

// kill ends the process and its group, and all reading and writing. It may be
// called at any time, more than once, and from any goroutine.
func (c *child) kill() {
	c.mutex.Lock()
	if !c.reaped {
		killGroup(c.command)
	}
	c.mutex.Unlock()
	_ = c.stdin.Close()
	_ = c.stdout.Close()
}

// end kills the process, waits until it is gone, and closes everything.
func (c *child) end() {
	c.kill()
	<-c.exited
	c.stderr.end()
}

// leave tells the process that nothing more will come, and gives it a moment to
// go before it is killed.
func (c *child) leave(patience time.Duration) {
	_ = c.stdin.Close()
	timer := time.AfterFunc(patience, c.kill)
	<-c.exited
	timer.Stop()
	c.end()
}

// status says how the process ended, and whether that was well. It waits for it.
func (c *child) status() (text string, fine bool) {
	<-c.exited
	state := c.command.ProcessState
	return state.String(), state.Success()
}

// errTooLong is a line that is longer than any answer could be.
var errTooLong = errors.New("conformance: the line is too long")

// line reads the next line of output without its end; the last one may lack it.
// The text is valid until the next call. The error is errTooLong, or that of
// reading: io.EOF when there is no more.
func (c *child) line(limit int) ([]byte, error) {
	c.long = c.long[:0]
	for {
		part, err := c.lines.ReadSlice('\n')
		if len(c.long)+len(part) > limit {
			c.long = append(c.long, part...)
			return c.long[:limit], errTooLong
		}
		if err == nil && len(c.long) == 0 {
			return part[:len(part)-1], nil
		}
		c.long = append(c.long, part...)
		switch {
		case err == nil:
			return c.long[:len(c.long)-1], nil
		case err != bufio.ErrBufferFull && len(c.long) > 0:
			return c.long, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}
