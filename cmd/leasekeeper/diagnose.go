package main

import (
	"bufio"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/spf13/cobra"
)

func newDiagnose() *cobra.Command {
	f := diagnoseFlags{recordedFlags: recordedFlags{time: time.Minute}}
	cmd := &cobra.Command{
		Use:   "diagnose FILE|-",
		Short: "Name the mistake that explains the wrong answers of a recorded history",
		Long: `Diagnose holds the recorded answers of a history against the rules. If some are
wrong, it looks among the known deviations for the one that gives every recorded
answer, or else for two that do so together, or else for what explains a part. It
takes what import takes, journals too; operations without an answer only count as
operations. The history has to begin with a fresh service.

A deviation is ruled out by one operation that it would have answered otherwise; --all
lists them. If several are left, a short history is shown that tells them apart: give
it to the service, and diagnose its answers.

The search ends when everything has been tried, or when the time is up (--for).

Exit codes: 0 the answers are those of the rules, 1 some are not, explained or not,
2 bad usage or input, 3 a failure of the machine.`,
		Example: `  leasekeeper diagnose audit.ndjson
  leasekeeper diagnose --map '{op: ["release", .time, .who, .lock], result: .answer}' audit.log`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			out := newOutput()
			return flush(out, f.run(args[0], out))
		},
	}
	f.register(cmd, "")
	cmd.Flags().BoolVar(&f.all, "all", false, "list every deviation, and what rules it out")
	cmd.MarkFlagsMutuallyExclusive("all", "json")
	return cmd
}

// diagnoseFlags are the flags of diagnose.
type diagnoseFlags struct {
	recordedFlags
	all bool
}

// run diagnoses an input, and reports errDiffers if its answers are not those of
// the rules.
func (f *diagnoseFlags) run(name string, out *bufio.Writer) error {
	log, err := f.loadAnswers(name)
	if err != nil {
		return err
	}
	begin := time.Now()
	d, err := f.search(log)
	if err != nil {
		return err
	}
	s := diagnosed{log, d, time.Since(begin)}
	if f.asJSON {
		e := json.NewEncoder(visibly{out, forTerminals()})
		e.SetEscapeHTML(false)
		if err := e.Encode(s.data()); err != nil {
			return outputError(err)
		}
	} else {
		s.print(newReport(out), f)
	}
	if d.Wrong > 0 {
		return errDiffers
	}
	return nil
}

// search makes the diagnosis behind a count of what the models have answered.
func (f *diagnoseFlags) search(log *answers) (*diagnose.Diagnosis, error) {
	ctx, cancel := context.WithTimeout(context.Background(), f.time)
	defer cancel()
	bar := newCount(-1)
	var mu sync.Mutex
	over := false
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		over = true // a model may still be in the middle of an operation
		bar.finish()
	}()
	return diagnose.Diagnose(ctx, log.rules, log.entries, diagnose.Options{
		Progress: func(operations int64) {
			mu.Lock()
			defer mu.Unlock()
			if !over {
				bar.at(operations)
			}
		},
	})
}

// diagnosed is a diagnosis and what it is about.
type diagnosed struct {
	*answers
	*diagnose.Diagnosis
	took time.Duration
}
