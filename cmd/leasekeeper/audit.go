package main

import (
	"bufio"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/spf13/cobra"
)

func newAudit() *cobra.Command {
	f := auditFlags{recordedFlags: recordedFlags{time: 20 * time.Second}}
	cmd := &cobra.Command{
		Use:   "audit FILE|-",
		Short: "Find the first wrong answer of a history, why it is wrong, and what followed",
		Long: `Audit holds the recorded answers of a history against the rules. It takes what import
takes, journals too. Of the first wrong answer it says what the rules require and
which of them are broken, which events led to it, and which known deviation explains
it; which later answers differ only because of it, which are the same fault once more,
and which are new; and which writes put data at risk.

The history has to begin with a fresh service; a compacted journal begins at its
snapshot. Where a log has been cut off, even in the middle of a line, what is there is
audited, and it is said after which event it ends.

Exit codes: 0 no recorded answer is wrong, 1 one is, 2 bad usage or input, 3 a failure
of the machine.`,
		Example: `  leasekeeper audit docs/incidents/inc-5127-answers.json
  leasekeeper audit --markdown night.journal > ticket.md`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			out := newOutput()
			return flush(out, f.run(args[0], out))
		},
	}
	f.register(cmd, " for the cause")
	cmd.Flags().BoolVar(&f.asMarkdown, "markdown", false, "print Markdown, for a ticket")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

// auditFlags are the flags of audit.
type auditFlags struct {
	recordedFlags
	asMarkdown bool
}

// audited is what an audit has come to.
type audited struct {
	*auditInput
	*audit.Finder
	report *audit.Report // nil if no answer is wrong
}

// run audits an input, and reports errDiffers if something recorded in it is not
// what the rules give.
func (f *auditFlags) run(name string, out *bufio.Writer) error {
	in, err := f.open(name)
	if err != nil {
		return err
	}
	defer in.close()
	a := audited{auditInput: in}
	err = in.read(func(start fsm.State) { a.Finder = audit.NewFinder(start) }, a.take)
	if err != nil {
		return err
	}
	if a.First != nil {
		if in.unsure {
			return fmt.Errorf("%s is cut before it says its edition and its unit: give --edition and --unit", in.name)
		}
		if err := a.examine(f.time); err != nil {
			return err
		}
	}
	switch {
	case f.asJSON:
		err = a.printJSON(out)
	case f.asMarkdown:
		a.printMarkdown(out)
	default:
		a.print(newReport(out), screenWidth())
	}
	if err == nil && (a.First != nil || a.State != nil) {
		return errDiffers
	}
	return err
}

func (a *audited) take(e *audit.Entry) { a.Add(e) }

// examine reads the input once more, as a whole, and looks into what is wrong.
func (a *audited) examine(time time.Duration) error {
	log := answers{known: map[string][]byte{}}
	var start fsm.State
	err := a.read(func(from fsm.State) { start = from }, func(e *audit.Entry) {
		entry := diagnose.Entry{Event: e.Event, Digest: e.Digest}
		if e.Recorded != nil {
			entry.Recorded = log.keep(e.Recorded)
		}
		log.entries = append(log.entries, entry)
	})
	if err != nil {
		return err
	}
	bar := newCount(-1)
	var mu sync.Mutex
	over := false
	a.report, err = audit.Examine(context.Background(), audit.Log{Start: start, Entries: log.entries}, audit.Options{
		Time: time,
		Progress: func(operations int64) {
			mu.Lock()
			defer mu.Unlock()
			if !over { // a model may still be in the middle of an operation
				bar.at(operations)
			}
		},
	})
	mu.Lock()
	defer mu.Unlock()
	over = true
	bar.finish()
	if err == nil && a.report == nil {
		return fmt.Errorf("%s has changed while it was read", a.name)
	}
	return err
}

// instantOf is the instant of an event, behind a comma.
func instantOf(e events.Event) string {
	if ts, ok := e.Instant(); ok {
		return fmt.Sprintf(", at %d", ts)
	}
	return ""
}
