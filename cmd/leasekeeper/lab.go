package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/lab"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/spf13/cobra"
)

func newLab() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Show by experiment why a correct lock is not enough",
		Long: `The lab carries out experiments on leases, late writes and fencing tokens. Every
lease, refusal and value in them is what the service answered; chance comes from a
seed, and the same seed always gives the same figures.`,
		Example: `  leasekeeper lab list
  leasekeeper lab run fencing
  leasekeeper lab verify`,
		Args: labArguments(0, 0, "list, run or verify"),
		RunE: help,
	}
	cmd.AddCommand(newLabList(), newLabRun(), newLabVerify())
	return cmd
}

func newLabList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the experiments",
		Args:  labArguments(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			out := newOutput()
			for _, x := range lab.All() {
				fmt.Fprintf(out, "%-14s%s\n", x.Name, x.Question)
			}
			return flush(out, nil)
		},
	}
}

// labArguments is arguments for a command below another one, which has to be
// called by both names.
func labArguments(least, most int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
			return fmt.Errorf("%s takes %s; see leasekeeper help %[1]s", name, usage)
		}
		return nil
	}
}

// labFlags say how experiments are carried out.
type labFlags struct {
	seed       uint64
	operations int64
	deviation  string
	set        func(flag string) bool
}

func (f *labFlags) register(cmd *cobra.Command) {
	f.operations = lab.Operations
	addFlag(cmd, &f.seed, "seed", "N", "seed of what is left to chance, instead of the experiment's own", parseSeed)
	cmd.Flags().Lookup("seed").DefValue = ""
	addFlag(cmd, &f.operations, "n", "N", "number of operations", parseAtLeast(1))
	cmd.Flags().StringVar(&f.deviation, "deviation", "", "ask a service that gets one rule wrong, by the name of what it does (such as stale-token-accepted)")
	names := make([]cobra.Completion, 0, 100)
	for _, d := range naive.Deviations() {
		names = append(names, d.Name)
	}
	if err := cmd.RegisterFlagCompletionFunc("deviation", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
	f.set = cmd.Flags().Changed
}

// parseSeed parses a seed. Like all numbers of flags, it has one spelling.
func parseSeed(text string) (uint64, error) {
	n, err := parseSequence(text)
	if err != nil {
		return 0, errors.New("this is not a number from 0 to 18446744073709551615")
	}
	return n, nil
}

// setting is how one experiment is to be carried out.
func (f *labFlags) setting(x lab.Experiment) (lab.Setting, error) {
	s := x.Reference()
	if f.set("seed") {
		s.Seed = f.seed
	}
	if f.operations > lab.MaxOperations {
		return s, fmt.Errorf("--n %d is more than %d", f.operations, lab.MaxOperations)
	}
	s.Operations = int(f.operations)
	if f.deviation != "" {
		s.Engine = lab.Deviating(f.deviation)
		if _, err := s.Engine(events.Current); err != nil {
			return s, err
		}
	}
	return s, nil
}

// chosen returns the experiments of the given names, all for none.
func chosen(names []string) ([]lab.Experiment, error) {
	if len(names) == 0 {
		return lab.All(), nil
	}
	var list []lab.Experiment
	for _, name := range names {
		x, err := lab.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// labNames completes the names of experiments.
func labNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, x := range lab.All() {
		names = append(names, cobra.CompletionWithDesc(x.Name, x.Question))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
