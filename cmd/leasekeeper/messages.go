package main

import (
	"errors"
	"fmt"
	"os"
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

// report prints an error and returns its exit code. A failure counts most: who
// is told of a difference has to find it printed.
func report(err error) int {
	var failed failure
	var found finding
	var fault foundFault
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &failed):
		if !errors.Is(err, syscall.EPIPE) { // whoever closed the pipe knows
			tell("", err)
		}
		return exitFailure
	case errors.Is(err, errDiffers):
		return exitDiffers
	case errors.As(err, &fault):
		return int(fault)
	}
	tell("", err)
	if errors.As(err, &found) {
		return exitDiffers
	}
	return exitUsage
}

// warn tells what a journal can be used in spite of.
func warn(err error) { tell("warning: ", err) }

// warnUnlike warns of the first recorded answer that is not the one that the
// rules give, where what is shown rests on the rules.
func warnUnlike(sequence uint64) {
	warn(fmt.Errorf("the recorded answer of event %d is not the one that the rules give; what is shown is by the rules, see leasekeeper audit", sequence))
}

// tell prints an error for people on standard error, each of several errors on
// one line. What it quotes from the input cannot do anything to the terminal.
func tell(kind string, err error) {
	for _, err := range separate(err) {
		fmt.Fprintln(os.Stderr, view.Visible("leasekeeper: "+kind+untagged(err)))
	}
}

// separate takes errors apart that have been joined.
func separate(err error) (all []error) {
	switch marked := err.(type) {
	case failure:
		return separate(marked.error)
	case finding:
		return separate(marked.error)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() { // one message about several errors
		return []error{err}
	}
	for _, err := range joined.Unwrap() {
		all = append(all, separate(err)...)
	}
	return all
}

// packages are the names that errors of our packages begin with. They tell
// nothing to who calls a command.
var packages = []string{"leasekeeper: ", "journal: ", "snapshot: ", "events: ", "oplog: ", "fsm: ", "lab: ", "naive: ", "explain: ",
	"campaign: ", "conformance: ", "explore: ", "history: ", "diagnose: ", "sqlexport: ", "divergence: ", "redact: "}

// untagged is an error's message without the names of packages in front.
func untagged(err error) string {
	text := err.Error()
	for i := 0; i < len(packages); i++ {
		if rest, found := strings.CutPrefix(text, packages[i]); found {
			text, i = rest, -1 // another one may follow
		}
	}
	return text
}

// about says what an error is about: a journal, by the name of its file.
type about struct {
	error
	name string
}

func (a about) Error() string { return a.name + ": " + untagged(a.error) }
func (a about) Unwrap() error { return a.error }

// internalError reports a broken invariant. Nobody but its developers can read
// a stack trace, so it is printed only for who asks.
func internalError(fault any) int {
	text := view.Visible(fmt.Sprint(fault))
	fmt.Fprintf(os.Stderr, "leasekeeper: internal error: %s; please report\n", text)
	if os.Getenv("LEASEKEEPER_DEBUG") == "1" {
		os.Stderr.Write(debug.Stack())
	}
	return exitFailure
}
