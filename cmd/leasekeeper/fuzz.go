package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	histories "github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/campaign"
	"github.com/leasekeeper/leasekeeper/internal/conformance"
	"github.com/spf13/cobra"
)

func newFuzz() *cobra.Command {
	f := fuzzFlags{
		duration: 10 * time.Second, operations: 50, jobs: int64(runtime.NumCPU()), faults: 1,
		timeout: conformance.DefaultTimeout, shrink: 20 * time.Second,
	}
	cmd := &cobra.Command{
		Use:   "fuzz",
		Short: "Try random histories on this implementation of the rules, or on another one",
		Long: `Fuzz draws histories and looks for one that is answered wrongly. By default it holds
the state machine of this program against a slow and obvious model of the rules, in
answers and effects.

With --against, it tries another program: in any language, over its standard input
and output. Operations and answers are JSON. A program that is started once for each
history reads an array of operations and prints the answers; one that is started once
for all reads lines, and answers each by a line. docs/conformance shows both. The
command is split into words like in a shell, but no shell is run.

A history that shows a fault is made as short and plain as it can be, and told with
the answer that was required and the one that was given, the rule that is broken, and
the known deviation that explains the answers, if there is one. That may take as long as
--shrink for each fault, after the time of --for. The same --seed draws
the same histories. With --corpus, saved histories go first.

Without --edition and --unit, this implementation is tried under all of them, and another
one under edition 3 in seconds.

With --exhaustive, nothing is random: every history over a small alphabet is tried, to
a depth, or until there is nothing new.

Exit codes: 0 all agree, 1 wrong answer, 4 crash, 5 hang, 6 output that is no answer or
too few or too many answers, 2 bad usage or input, 3 a failure of the machine.`,
		Example: `  leasekeeper fuzz --for 30s
  leasekeeper fuzz --against 'python3 docs/conformance/python/lockservice.py'
  leasekeeper fuzz --exhaustive --clients 2 --locks 1`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := newOutput()
			return flush(out, f.run(cmd, out))
		},
	}
	f.register(cmd)
	return cmd
}

// fuzzFlags are the flags of fuzz.
type fuzzFlags struct {
	rules      rulesFlags
	seed       uint64
	histories  int64
	duration   time.Duration
	operations int64
	profile    histories.Profile
	jobs       int64
	faults     int64
	shrink     time.Duration

	against  string
	protocol conformance.Protocol
	timeout  time.Duration
	planted  []string

	corpus, save, junit string
	asJSON              bool

	exhaustive exhaustiveFlags
}

func (f *fuzzFlags) register(cmd *cobra.Command) {
	profiles := histories.Profiles()
	f.profile = profiles[len(profiles)-1]
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	f.rules.register(cmd)
	addFlag(cmd, &f.seed, "seed", "N", "seed of the first history; the others follow (default a random one)", parseSequence)
	addFlag(cmd, &f.duration, "for", "DURATION", "how long to draw histories", parseSpan)
	addFlag(cmd, &f.histories, "histories", "N", "how many histories to draw, instead of for how long", parseAtLeast(1))
	addFlag(cmd, &f.operations, "operations", "N", "operations in a history", parseAtLeast(1))
	addProfile(cmd, &f.profile, names)
	f.rules.complete(cmd, "profile", names...)
	addFlag(cmd, &f.jobs, "jobs", "N", "histories that are tried at once", parseAtLeast(1))
	addFlag(cmd, &f.faults, "faults", "N", "different faults to find before it stops", parseAtLeast(1))
	addFlag(cmd, &f.shrink, "shrink", "DURATION", "how long to make a history simpler", parseSpan)
	cmd.Flags().StringVar(&f.against, "against", "", "the command of an implementation to try")
	addFlag(cmd, &f.protocol, "protocol", "PROTOCOL", "how to talk to it: "+choice(conformance.Protocols), conformance.ParseProtocol)
	f.rules.complete(cmd, "protocol", conformance.Protocols...)
	addFlag(cmd, &f.timeout, "timeout", "DURATION", "how long it may take for a history", parseSpan)
	cmd.Flags().StringArrayVar(&f.planted, "plant", nil, "try a model of the rules that gets one wrong: a deviation's name")
	cmd.Flags().StringVar(&f.corpus, "corpus", "", "a directory of histories that go first")
	cmd.Flags().StringVar(&f.save, "save", "", "a directory to keep failing histories in")
	cmd.Flags().StringVar(&f.junit, "junit", "", "a file for a JUnit report")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
	f.exhaustive.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("against", "plant")
	cmd.MarkFlagsMutuallyExclusive("for", "histories")
	for _, flag := range []string{"seed", "for", "histories", "operations", "profile", "faults", "shrink", "against", "protocol", "timeout", "corpus", "save", "junit"} {
		cmd.MarkFlagsMutuallyExclusive("exhaustive", flag)
	}
}

// run holds a campaign and tells what it has found.
func (f *fuzzFlags) run(cmd *cobra.Command, out *bufio.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	given := cmd.Flags().Changed
	if f.exhaustive.wanted {
		return f.exhaustive.run(ctx, &f.rules, int(f.jobs), f.planted, f.asJSON, out)
	}
	if flag := f.exhaustive.useless(given); flag != "" {
		return fmt.Errorf("--%s says something only together with --exhaustive", flag)
	}
	for _, flag := range []string{"protocol", "timeout"} {
		if given(flag) && !given("against") {
			return fmt.Errorf("--%s says something only together with --against", flag)
		}
	}
	if !given("seed") {
		f.seed = rand.Uint64N(1_000_000_000)
	}
	if given("histories") {
		f.duration = 0
	}
	if err := f.prepare(); err != nil {
		return err
	}
	subject, err := f.subject(ctx)
	if err != nil {
		return err
	}
	options, err := f.options(subject)
	if err != nil {
		return err
	}
	shown := begin(-1, progressOfHistories()...)
	options.Progress = func(c campaign.Count) { shown.at(int64(c.Histories)) }
	outcome, err := campaign.Run(ctx, options)
	shown.finish()
	if err != nil && ctx.Err() == nil {
		return failure{err}
	}
	report, err := f.understand(ctx, subject, outcome)
	if err != nil {
		return failure{err}
	}
	err = f.tell(fuzzed{report, outcome, f, subject.name}, out)
	if ctx.Err() != nil { // what was found by then has been told
		return stopped(ctx, err)
	}
	return err
}

// prepare looks at the places for what will be found, before anything is looked
// for.
func (f *fuzzFlags) prepare() error {
	if f.junit != "" {
		if info, err := os.Stat(f.junit); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("--junit: %s is no regular file", f.junit)
		}
		if info, err := os.Stat(filepath.Dir(f.junit)); err != nil || !info.IsDir() {
			return fmt.Errorf("--junit: there is no directory %s", filepath.Dir(f.junit))
		}
	}
	if f.save != "" {
		if err := os.MkdirAll(f.save, 0o777); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	return nil
}

// stopped says of an error whether it is that of somebody who did not want to
// wait any longer, or of a command that cannot be run.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure{errors.New("interrupted")}
	}
	return failure{err}
}

// understand makes the histories of the faults simple, explains and keeps them.
// Once the context is over, the rest is reported as it was found.
func (f *fuzzFlags) understand(ctx context.Context, s *subject, outcome campaign.Outcome) (*conformance.Report, error) {
	report := &conformance.Report{
		Command: s.target.Command, Protocol: s.target.Protocol,
		Histories: int(outcome.Histories), Operations: int64(outcome.Operations), Elapsed: outcome.Elapsed,
	}
	if report.Command == nil {
		report.Command = []string{s.name} // nothing was started
	}
	if len(outcome.Faults) == 0 {
		return report, nil
	}
	opened, err := s.open(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	effort := campaign.Effort{Shrink: f.shrink, Explain: f.shrink, Reproduce: 3, Coarse: f.faults == 1, Only: f.fixedRules()}
	for _, fault := range outcome.Faults {
		failure, err := campaign.Understand(ctx, opened, fault, effort)
		if ctx.Err() != nil {
			failure, err = campaign.AsFound(fault), nil
		}
		if err != nil {
			return nil, err
		}
		if f.save != "" {
			if failure.Saved, err = conformance.Save(f.save, failure.Title, failure.History); err != nil {
				return nil, err
			}
		}
		report.Failures = append(report.Failures, failure)
	}
	return report, nil
}
