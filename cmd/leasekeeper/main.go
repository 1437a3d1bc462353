// Command leasekeeper answers histories of lock operations by the rules of
// leases, fencing tokens and deadlock victims, and shows what happened in them.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
)

// The exit codes of all commands.
const (
	exitFine    = 0
	exitDiffers = 1 // a difference was found, and printed
	exitUsage   = 2 // bad usage or bad input
	exitFailure = 3 // the machine failed: disk, permission, a closed pipe
)

// errDiffers says that a command did its work and found a difference.
var errDiffers = errors.New("an answer differs from what was recorded")

// failure marks an error that is the machine's fault, not the caller's.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// finding marks an error that is a difference, found where none was expected,
// so that it has not been printed yet.
type finding struct{ error }

func (f finding) Unwrap() error { return f.error }

func main() {
	os.Exit(guard(func() error {
		out := &remembering{Writer: os.Stdout}
		root := newRoot()
		root.SetOut(out)
		return errors.Join(root.Execute(), outputError(out.err))
	}))
}

// guard does the work of a command and returns its exit code, whatever happens.
func guard(work func() error) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			code = internalError(fault)
		}
	}()
	// A reader that goes away, like head, is told by an exit code like any
	// other output that fails.
	signal.Ignore(syscall.SIGPIPE)
	return report(work())
}

// report prints an error and returns its exit code.
func report(err error) int {
	var failed failure
	var found finding
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errDiffers):
		return exitDiffers
	case errors.Is(err, syscall.EPIPE): // whoever closed the pipe knows
		return exitFailure
	}
	tell(err)
	switch {
	case errors.As(err, &failed):
		return exitFailure
	case errors.As(err, &found):
		return exitDiffers
	}
	return exitUsage
}

// tell prints a message for people on standard error. What it quotes from the
// input cannot do anything to the terminal.
func tell(message any) {
	const prefix = "leasekeeper: " // errors of the package of that name have it
	for i, line := range strings.Split(fmt.Sprint(message), "\n") {
		if i == 0 {
			line = prefix + strings.TrimPrefix(line, prefix)
		}
		fmt.Fprintln(os.Stderr, view.Visible(line))
	}
}

// internalError reports a broken invariant. Nobody but its developers can read
// a stack trace, so it is printed only for who asks.
func internalError(fault any) int {
	fmt.Fprintf(os.Stderr, "leasekeeper: internal error: %v; please report\n", fault)
	if os.Getenv("LEASEKEEPER_DEBUG") == "1" {
		os.Stderr.Write(debug.Stack())
	}
	return exitFailure
}
