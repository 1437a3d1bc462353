package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
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
for all reads lines, and answers each by a line. docs/fuzzing.md shows both. The
command is split into words like in a shell, but no shell is run.

A history that shows a fault is made as short and plain as it can be, and told with
the answer that was required and the one that was given, the rule that is broken, and
the known deviation that explains the answers, if there is one. The same --seed draws
the same histories. With --corpus, saved histories go first.

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

// addProfile adds a flag that names a profile.
func addProfile(cmd *cobra.Command, to *histories.Profile, names []string) {
	p := profileValue{to}
	cmd.Flags().Var(p, "profile", "what histories are about: "+choice(names))
}

// profileValue is a flag that names a profile. It implements pflag.Value.
type profileValue struct{ to *histories.Profile }

func (p profileValue) Set(text string) (err error) {
	if *p.to, err = histories.ProfileNamed(text); err != nil {
		return errors.New(untagged(err))
	}
	return nil
}
func (p profileValue) String() string { return p.to.Name }
func (p profileValue) Type() string   { return "PROFILE" }

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
		if given(flag) && f.against == "" {
			return fmt.Errorf("--%s says something only together with --against", flag)
		}
	}
	if !given("seed") {
		f.seed = rand.Uint64N(1_000_000_000)
	}
	if given("histories") {
		f.duration = 0
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
	if err != nil {
		return stopped(ctx, err)
	}
	report, err := f.understand(ctx, subject, outcome)
	if err != nil {
		return stopped(ctx, err)
	}
	return f.tell(fuzzed{report, outcome, f, subject.name}, out)
}

// stopped says of an error whether it is that of somebody who did not want to
// wait any longer, or of a command that cannot be run.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure{errors.New("interrupted")}
	}
	return failure{err}
}

// subject is what is tried.
type subject struct {
	name   string
	target conformance.Target // of a program
	open   func(context.Context) (campaign.Subject, error)
}

// subject finds out what to try, and how to talk to it.
func (f *fuzzFlags) subject(ctx context.Context) (*subject, error) {
	switch {
	case f.rules.set("against"):
		words, err := conformance.SplitCommand(f.against)
		if err != nil {
			return nil, fmt.Errorf("--against: %s", untagged(err))
		}
		target := conformance.Target{Command: words, Protocol: f.protocol, Rules: f.rules.Rules, Timeout: f.timeout}
		if target.Protocol == conformance.Auto {
			if target.Protocol, err = conformance.Detect(ctx, target); err != nil {
				return nil, stopped(ctx, err)
			}
		}
		return &subject{f.against, target, campaign.Program(target)}, nil
	case len(f.planted) > 0:
		open := campaign.Model(f.planted...)
		if _, err := open(ctx); err != nil {
			return nil, fmt.Errorf("--plant: %s", untagged(err))
		}
		return &subject{name: "the model of the rules, with " + listed(f.planted), open: open}, nil
	}
	return &subject{name: "the state machine, against the model of the rules", open: campaign.Itself}, nil
}

// options are those of the campaign.
func (f *fuzzFlags) options(s *subject) (campaign.Options, error) {
	options := campaign.Options{
		Seed: f.seed, Histories: uint64(f.histories), For: f.duration, Operations: int(f.operations),
		Profile: f.profile, Workers: int(f.jobs), Faults: int(f.faults), Open: s.open,
		Rules: f.drawnRules(),
	}
	if f.corpus == "" {
		return options, nil
	}
	cases, err := conformance.Corpus(f.corpus, f.rules.Rules)
	if err != nil {
		return options, inputError(err)
	}
	for _, c := range cases {
		options.Corpus = append(options.Corpus, campaign.Entry{Name: c.Path, History: c.History})
	}
	return options, nil
}

// fixedRules are those that every history is under; an edition or a unit that is
// zero may be any. Another program is taken to know only those that the flags
// name; our own and the model know all.
func (f *fuzzFlags) fixedRules() (fixed events.Rules) {
	if f.rules.set("edition") || f.against != "" {
		fixed.Edition = f.rules.Edition
	}
	if f.rules.set("unit") || f.against != "" {
		fixed.Unit = f.rules.Unit
	}
	return fixed
}

// drawnRules are the rules of a history, by its seed.
func (f *fuzzFlags) drawnRules() func(uint64) events.Rules {
	fixed := f.fixedRules()
	return func(seed uint64) events.Rules {
		drawn := histories.DrawRules(seed)
		if fixed.Edition != 0 {
			drawn.Edition = fixed.Edition
		}
		if fixed.Unit != 0 {
			drawn.Unit = fixed.Unit
		}
		return drawn
	}
}

// understand makes the histories of the faults simple, explains and keeps them.
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
	opened, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	effort := campaign.Effort{Shrink: f.shrink, Explain: f.shrink, Reproduce: 3, Coarse: f.faults == 1, Only: f.fixedRules()}
	for _, fault := range outcome.Faults {
		failure, err := campaign.Understand(ctx, opened, fault, effort)
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
