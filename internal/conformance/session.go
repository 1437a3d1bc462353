package conformance

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// Session gives histories to one program, one after another. It is not safe for
// concurrent use; any number of sessions may run at once, each with processes of
// its own.
type Session struct {
	target Target
	child  *child       // of the stream protocol; nil if there is none at the moment
	rules  events.Rules // that the child has been reset to
}

// Open begins a session. If the target's protocol is Auto, it is found out, which
// runs the program once. No process is left running before the first Run.
//
// The error is that of a command that cannot be started, or of the context.
func Open(ctx context.Context, target Target) (*Session, error) {
	if err := target.Validate(); err != nil {
		return nil, err
	}
	if target.Protocol == Auto {
		protocol, err := Detect(ctx, target)
		if err != nil {
			return nil, err
		}
		target.Protocol = protocol
	}
	return &Session{target: target}, nil
}

// Target is what the session runs, with the protocol that was found.
func (s *Session) Target() Target { return s.target }

// Run gives a history to the program, fresh, and says what it did with it. It takes
// at most the target's timeout, twice that if a process has to be started.
//
// An error says nothing about the program: the context is over, the command cannot
// be started, or the history cannot be sent (its rules do not exist, or an operation
// is not valid UTF-8 or would be read as a reset).
func (s *Session) Run(ctx context.Context, h history.History) (Verdict, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	sheet, err := newSheet(h)
	if err != nil {
		return nil, err
	}
	if s.target.Protocol == Process {
		return s.process(ctx, sheet, h.Rules)
	}
	return s.stream(ctx, sheet, h.Rules)
}

// Restart makes the next Run start a new process, so that nothing that an earlier
// history left behind can play a part.
func (s *Session) Restart() {
	if s.child != nil {
		s.child.end()
		s.child = nil
	}
}

// Close ends the program: first by closing its input, then by force. When it
// returns, the program is gone. It may be called more than once.
func (s *Session) Close() {
	if s.child != nil {
		s.child.leave(min(s.target.timeout(), time.Second))
		s.child = nil
	}
}

// watch kills a child when its time is up or the context is over.
type watch struct {
	late    atomic.Bool // the time was up
	timer   *time.Timer
	release func() bool
}

func newWatch(ctx context.Context, c *child, timeout time.Duration) *watch {
	w := new(watch)
	w.timer = time.AfterFunc(timeout, func() {
		w.late.Store(true)
		c.kill()
	})
	w.release = context.AfterFunc(ctx, c.kill)
	return w
}

func (w *watch) stop() {
	w.timer.Stop()
	w.release()
}
