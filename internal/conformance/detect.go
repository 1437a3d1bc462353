package conformance

import (
	"bytes"
	"context"
	"fmt"
)

// Detect finds out which protocol a program speaks: it is run once, with a reset as
// all of its input. Who replies to that as the stream protocol wants it speaks
// stream; everybody else, whatever they do with a line that is no history, speaks
// process. Nothing depends on how fast the program is, unless it does not
// notice the end of its input: then it is Process after the target's timeout.
//
// The error is that of a command that cannot be started, or of the context.
func Detect(ctx context.Context, target Target) (Protocol, error) {
	if err := target.Validate(); err != nil {
		return 0, err
	}
	c, err := target.start(target.rules())
	if err != nil {
		return 0, err
	}
	watch := newWatch(ctx, c, target.timeout())
	_, _ = c.stdin.Write(appendReset(nil, target.rules())) // a pipe has room for it
	_ = c.stdin.Close()
	protocol := Process
	for {
		line, err := c.line(new(sheet).longestLine())
		line = bytes.TrimSpace(line)
		if err == nil && len(line) == 0 {
			continue
		}
		if len(line) > 0 && err != errTooLong && isReady(line) {
			protocol = Stream
		}
		break
	}
	watch.stop()
	c.end()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("conformance: %w", err)
	}
	return protocol, nil
}
