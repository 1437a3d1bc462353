// Command leasekeeper answers histories of lock operations by the rules of
// leases, fencing tokens and deadlock victims, and shows what happened in them.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(guard(func() error {
		out := &remembering{Writer: os.Stdout}
		err := newRoot(out).Execute()
		if out.err != nil {
			return outputError(out.err)
		}
		return onOneLine(err)
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
