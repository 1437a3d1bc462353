package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
)

// discardWhenInterrupted removes drafts when the process is asked to end. All
// drafts that there are at a time belong into one call: the process ends when
// the drafts of the first one are gone.
func discardWhenInterrupted(drafts ...*transfer.Draft) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, interrupted := <-signals; interrupted {
			for _, draft := range drafts {
				_ = draft.Discard()
			}
			tell("", errors.New("interrupted"))
			os.Exit(exitFailure)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
