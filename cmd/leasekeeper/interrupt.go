package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
)

// discardWhenInterrupted removes a draft when the process is asked to end.
func discardWhenInterrupted(draft *transfer.Draft) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, interrupted := <-signals; interrupted {
			_ = draft.Discard()
			tell("", errors.New("interrupted"))
			os.Exit(exitFailure)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}
