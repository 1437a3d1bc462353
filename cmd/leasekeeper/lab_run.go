package main

import (
	"bufio"
	"fmt"

	"github.com/leasekeeper/leasekeeper/internal/lab"
	"github.com/leasekeeper/leasekeeper/internal/lab/picture"
	"github.com/spf13/cobra"
)

func newLabRun() *cobra.Command {
	var r labRun
	cmd := &cobra.Command{
		Use:   "run NAME",
		Short: "Carry out an experiment and show what it measured",
		Long: `Run carries out an experiment and prints what it measured, what is to be learnt from
it, and the rules that are at work. With its own seed and 20,000 operations an
experiment gives figures that are known exactly; beside them stands the range in
which the figures of 99 % of all seeds lie.

--csv and --json print the table for programs. --svg draws a picture of a sweep.
--history writes the operations and answers down for replay and the other commands:
all of them, or, of an experiment with many operations, the first one that went wrong.`,
		Example: `  leasekeeper lab run sizing
  leasekeeper lab run gap --seed 7 --svg gap.svg
  leasekeeper lab run fencing --history late.json && leasekeeper replay late.json`,
		Args:              labArguments(1, 1, "the NAME of an experiment; lab list has them"),
		ValidArgsFunction: labNames,
		RunE: func(_ *cobra.Command, args []string) error {
			out := newOutput()
			return flush(out, r.run(args[0], out))
		},
	}
	r.flags.register(cmd)
	cmd.Flags().BoolVar(&r.asCSV, "csv", false, "print the table as CSV")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the outcome as JSON")
	cmd.Flags().StringVar(&r.svg, "svg", "", "draw a picture into this new file")
	cmd.Flags().StringVar(&r.history, "history", "", "write the operations and answers into this new file")
	cmd.MarkFlagsMutuallyExclusive("csv", "json")
	return cmd
}

// labRun is one run of an experiment.
type labRun struct {
	flags         labFlags
	asCSV, asJSON bool
	svg, history  string
}

func (r *labRun) run(name string, out *bufio.Writer) error {
	x, err := lab.Find(name)
	if err != nil {
		return err
	}
	if err := r.fits(x); err != nil {
		return err
	}
	setting, err := r.flags.setting(x)
	if err != nil {
		return err
	}
	files, err := draftFiles(r.svg, r.history)
	if err != nil {
		return err
	}
	defer files.discard()
	outcome, err := x.Run(setting)
	if err != nil {
		return err
	}
	if r.svg != "" {
		files.write(r.svg, picture.SVG(outcome.Plot))
	}
	if r.history != "" {
		if outcome.History == nil {
			return fmt.Errorf("no operation went wrong, so there is no history for %s", r.history)
		}
		files.write(r.history, outcome.History.AppendJSON(nil))
	}
	if err := files.publish(); err != nil {
		return err
	}
	return r.print(x, setting, outcome, out)
}

// fits refuses flags that would change nothing about an experiment.
func (r *labRun) fits(x lab.Experiment) error {
	for _, flag := range []string{"seed", "n"} {
		if x.Seed == 0 && r.flags.set(flag) {
			return fmt.Errorf("%s leaves nothing to chance: it takes no --%s", x.Name, flag)
		}
	}
	if r.svg != "" && !x.HasPlot {
		return fmt.Errorf("there is no picture of %s, only of the sweeps sizing and gap", x.Name)
	}
	if r.history != "" && !x.HasHistory {
		return fmt.Errorf("%s has many services at once, and so no history", x.Name)
	}
	return nil
}

// print prints an outcome.
func (r *labRun) print(x lab.Experiment, s lab.Setting, o *lab.Outcome, out *bufio.Writer) error {
	switch {
	case r.asCSV:
		return outputError(o.Table.WriteCSV(out))
	case r.asJSON:
		return outputError(x.WriteJSON(out, s, o))
	}
	show := labReport{newReport(out), out}
	show.head(x, s, r.flags.deviation)
	show.outcome(x, o)
	for _, file := range []struct{ label, name string }{{"picture", r.svg}, {"history", r.history}} {
		if file.name != "" {
			show.Line(file.label, "%s", file.name)
		}
	}
	return nil
}
