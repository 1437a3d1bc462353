package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"golang.org/x/term"
)

// newOutput returns a buffer in front of standard output. Who makes one
// flushes it.
func newOutput() *bufio.Writer { return bufio.NewWriterSize(os.Stdout, 64<<10) }

// errLost ends the reading of an input whose answers nobody gets.
var errLost = errors.New("the output is lost")

// flushing returns a function that gives out all answers. If that fails, there
// is no point in reading on.
func flushing(out *bufio.Writer) func() error {
	return func() error {
		if out.Flush() != nil {
			return errLost
		}
		return nil
	}
}

// flush writes out what is left. If output has been lost, sooner or now, that
// counts more than what err says of the input, or of differences that nobody
// can see; but not more than another failure.
func flush(out *bufio.Writer, err error) error {
	lost := out.Flush()
	var failed failure
	if lost == nil || errors.As(err, &failed) && !errors.Is(err, errLost) {
		return err
	}
	return outputError(lost)
}

// outputError says that output was lost; that it was standard output goes
// without saying.
func outputError(err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return failure{fmt.Errorf("writing the output: %w", err)}
}

// remembering writes, and remembers for those who do not check.
type remembering struct {
	io.Writer
	err error
}

func (r *remembering) Write(p []byte) (int, error) {
	n, err := r.Writer.Write(p)
	if err != nil {
		r.err = err
	}
	return n, err
}

// forTerminals returns a function that makes JSON safe to look at, if somebody
// looks at it; programs get the bytes as they are.
func forTerminals() func(json []byte) []byte {
	if !isTerminal(os.Stdout) {
		return func(json []byte) []byte { return json }
	}
	return func(json []byte) []byte {
		lines := strings.Split(string(json), "\n") // which stand around JSON, not in it
		for i := range lines {
			lines[i] = view.Visible(lines[i])
		}
		return []byte(strings.Join(lines, "\n"))
	}
}

// visibly writes JSON as it may be looked at.
type visibly struct {
	io.Writer
	safe func([]byte) []byte
}

func (v visibly) Write(json []byte) (int, error) {
	if _, err := v.Writer.Write(v.safe(json)); err != nil {
		return 0, err
	}
	return len(json), nil
}

// newReport returns a report on standard output.
func newReport(out *bufio.Writer) *view.Report {
	return view.NewReport(out, isTerminal(os.Stdout), lipgloss.NewRenderer(os.Stdout))
}

// rulesText is by which rules something is judged.
func rulesText(rules events.Rules) string {
	return fmt.Sprintf("edition %d · %ss", rules.Edition, rules.Unit)
}

// screenWidth is the width of the terminal that standard output is, 0 if it is
// none. A terminal that does not know its width has that of COLUMNS, or 80.
func screenWidth() int {
	if !isTerminal(os.Stdout) {
		return 0
	}
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width > 0 {
		return width
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return 80
}
