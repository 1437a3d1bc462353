package conformance

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// process gives a history to a process of its own.
func (s *Session) process(ctx context.Context, paper *sheet, rules events.Rules) (Verdict, error) {
	c, err := s.target.start(rules)
	if err != nil {
		return nil, err
	}
	watch := newWatch(ctx, c, s.target.timeout())
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = c.stdin.Write(paper.array()) // if it fails, the answers tell
		_ = c.stdin.Close()
	}()
	limit := paper.longestOutput()
	output, _ := io.ReadAll(io.LimitReader(c.lines, int64(limit)+1))
	p := printed{output: output, limit: limit, closed: !watch.late.Load()}
	if p.closed && !p.endless() {
		<-c.exited
	}
	watch.stop()
	p.late = watch.late.Load()
	c.end()
	<-written
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	return p.verdict(c, &marking{sheet: paper}, s.target.timeout()), nil
}

// printed is the output of a process that has been ended.
type printed struct {
	output []byte
	limit  int
	closed bool // the output ended by itself
	late   bool // the process was killed when its time was up
}

func (p *printed) endless() bool { return len(p.output) > p.limit }

func (p *printed) verdict(c *child, m *marking, timeout time.Duration) Verdict {
	stderr, required := c.stderr.String(), m.sheet.required.len()
	if p.endless() {
		return faultAt(p.output, 0, "output that does not end").verdict(0, stderr)
	}
	answers, fault := readAnswers(p.output, required)
	for _, answer := range answers {
		m.take(answer) // it has been read, so it is JSON
	}
	status, fine := c.status()
	cut := p.late && !p.closed || !p.late && !fine // it did not get to print all
	switch {
	case cut && m.differs > 0:
		return m.differing()
	case cut && m.count > required:
		return m.complete(stderr)
	case !p.late && !fine:
		return Crash{Answered: m.count, Status: status, Stderr: stderr}
	case !cut && fault != nil:
		return fault.verdict(m.count, stderr)
	case p.late && (cut || m.count == required && m.differs == 0):
		return Hang{Answered: m.count, Unready: m.count == required, Timeout: timeout, Stderr: stderr}
	}
	return m.complete(stderr)
}
