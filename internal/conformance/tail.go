package conformance

import (
	"os"
	"strings"
	"sync"
	"time"
)

// What is kept of standard error: the last lines, within this many bytes.
const (
	tailBytes = 16 << 10
	tailLines = 20
)

// tail keeps the end of what a program writes to standard error.
type tail struct {
	file *os.File
	done chan struct{}

	mutex sync.Mutex
	kept  []byte
	cut   bool
	stray bool // somebody kept it open who could not be killed
}

// follow reads a file to its end, in a goroutine.
func follow(file *os.File) *tail {
	t := &tail{file: file, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		buffer := make([]byte, 4<<10)
		for {
			n, err := file.Read(buffer)
			t.add(buffer[:n])
			if err != nil {
				return
			}
		}
	}()
	return t
}

func (t *tail) add(text []byte) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.kept = append(t.kept, text...)
	if excess := len(t.kept) - tailBytes; excess > 0 {
		t.kept = t.kept[:copy(t.kept, t.kept[excess:])]
		t.cut = true
	}
}

// end waits for the end of what was written and closes the file. Every writer has
// been killed by now; one that left the group in time is not waited for.
func (t *tail) end() {
	timer := time.AfterFunc(time.Second, func() { _ = t.file.Close() })
	<-t.done
	t.stray = !timer.Stop()
	_ = t.file.Close()
}

// String is the last lines, harmless to look at.
func (t *tail) String() string {
	t.mutex.Lock()
	text, cut := string(t.kept), t.cut
	t.mutex.Unlock()
	text = strings.TrimRight(text, "\n")
	lines := strings.Split(text, "\n")
	if excess := len(lines) - tailLines; excess > 0 {
		lines, cut = lines[excess:], true
	}
	text = harmless(strings.Join(lines, "\n"))
	if cut {
		text = "…\n" + text
	}
	return text
}
