package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// stream gives a history to the process at hand, or to a new one.
func (s *Session) stream(ctx context.Context, paper *sheet, rules events.Rules) (Verdict, error) {
	if s.child != nil && s.rules != rules && s.target.pinned() {
		s.Restart()
	}
	if s.child == nil {
		child, err := s.target.start(rules)
		if err != nil {
			return nil, err
		}
		s.child, s.rules = child, events.Rules{}
	}
	if s.rules != rules {
		verdict, err := s.exchange(ctx, new(sheet), rules)
		if err != nil || verdict.Kind() != KindAgrees {
			return verdict, err
		}
		s.rules = rules
	}
	return s.exchange(ctx, paper, rules)
}

// exchange writes operations and a reset behind them, and reads the answers and
// the reply. Both go on at the same time, so that neither side waits for the other
// for ever. A process that may be out of step afterwards is ended.
func (s *Session) exchange(ctx context.Context, paper *sheet, rules events.Rules) (Verdict, error) {
	c := s.child
	watch := newWatch(ctx, c, s.target.timeout())
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = c.stdin.Write(paper.lines(rules)) // if it fails, the answers tell
	}()
	talk := conversation{child: c, marking: marking{sheet: paper}}
	talk.listen()
	talk.closed = talk.silent && !watch.late.Load()
	if talk.ready {
		<-written
	} else if talk.closed {
		<-c.exited
	}
	watch.stop()
	talk.late = watch.late.Load()
	if talk.ready && talk.fault == nil && !talk.late && ctx.Err() == nil {
		verdict := talk.marking.complete("")
		if kind := verdict.Kind(); kind == KindAgrees || kind == KindWrongAnswer {
			return verdict, nil
		}
	}
	c.end()
	<-written
	s.child = nil
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	return talk.verdict(s.target.timeout()), nil
}

// conversation is what comes back from a process in the stream protocol.
type conversation struct {
	child   *child
	marking marking

	ready  bool   // the reply to the reset came
	silent bool   // the output has ended
	closed bool   // by itself
	late   bool   // the process was killed when its time was up
	fault  *fault // something came that is no answer
}

// listen reads answers until the reply to the reset, the end, or something that
// cannot be one of them.
func (t *conversation) listen() {
	limit, required := t.marking.sheet.longestLine(), t.marking.sheet.required.len()
	for t.marking.count <= required+surplus {
		line, err := t.child.line(limit)
		switch {
		case err == errTooLong:
			t.fault = faultAt(line, 0, "a line that does not end")
			return
		case err != nil:
			t.silent = true
			return
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if isReady(line) {
			t.ready = true
			t.fault = t.unasked()
			return
		}
		if required == 0 {
			t.fault = faultAt(line, 0, `{"ready":true} is the reply to a reset, not this`)
			return
		}
		if t.fault = t.marking.take(line); t.fault != nil {
			return
		}
	}
}

// isReady tells whether a line is the reply to a reset. An answer never has such
// a field.
func isReady(line []byte) bool {
	if line[0] != '{' || !bytes.Contains(line, []byte(`"ready"`)) {
		return false
	}
	var reply struct {
		Ready bool `json:"ready"`
	}
	return json.Unmarshal(line, &reply) == nil && reply.Ready
}

// unasked looks for output behind the reply to the last thing that was asked.
func (t *conversation) unasked() *fault {
	rest, _ := t.child.lines.Peek(t.child.lines.Buffered())
	if len(bytes.TrimSpace(rest)) == 0 {
		return nil
	}
	return faultAt(rest, 0, "output that nothing had asked for")
}

// verdict is about a process that has been ended.
func (t *conversation) verdict(timeout time.Duration) Verdict {
	m, stderr := &t.marking, t.child.stderr.String()
	status, fine := t.child.status()
	required := m.sheet.required.len()
	missing := m.count < required && t.closed && (t.late || fine)
	switch {
	case t.fault == nil && (t.ready && !t.late || m.count > required || missing):
		return m.complete(stderr)
	case m.differs > 0:
		return m.differing()
	case t.fault != nil:
		return t.fault.verdict(m.count, stderr)
	case t.late:
		return Hang{Answered: m.count, Unready: m.count == required, Timeout: timeout, Stderr: stderr}
	case fine:
		status += " before its input ended"
	}
	return Crash{Answered: m.count, Status: status, Stderr: stderr}
}
