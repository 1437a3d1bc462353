package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot returns the command with all of its commands. What cobra and they do
// not print in a buffer of their own goes to out.
func newRoot(out io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "leasekeeper",
		Short: "Lease locks whose every answer can be derived again",
		Long: `Leasekeeper answers lock operations by the rules of leases, fencing tokens and
deadlock victims. The same operations always give the same answers.

Histories come from a FILE, or from standard input for -, in one of three forms:
an array of operations, an object with operations and recorded results, or lines
(NDJSON) of operations or of {"op": […], "result": …}. A JOURNAL is a file that
run --journal or import has made. Whatever takes a FILE takes a JOURNAL too, but for
run and import, and what export prints of one as well, but for redact.

Exit codes: 0 fine, 1 a difference was found, 2 bad usage or input, 3 a failure of
the machine (disk, permission); of fuzz also 4 to 6, see leasekeeper help fuzz.`,
		Example:       "  leasekeeper replay docs/incidents/inc-5127.json",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		RunE:          help,
	}
	root.SetOut(out)
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newRun(), newReplay(), newInspect(), newStatus())
	root.AddCommand(newVerify(), newHead(), newExport(), newImport(), newSnapshot(), newCompact())
	root.AddCommand(newExplain(), newHolders(), newWhoWaits(), newGraph())
	root.AddCommand(newFuzz(), newDiagnose(), newLab())
	root.AddCommand(newAudit(), newTimeline(), newDiff(), newRedact())
	root.AddCommand(newVersion())
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = help // so that a shell that it does not know is an error
	}
	root.InitDefaultHelpCmd()
	if about, _, err := root.Find([]string{"help"}); err == nil {
		about.Run, about.RunE = nil, helpAbout
	}
	return root
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// helpAbout explains the command that the arguments name.
func helpAbout(cmd *cobra.Command, args []string) error {
	about, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("there is no command %q", strings.Join(args, " "))
	}
	about.InitDefaultHelpFlag()
	about.InitDefaultVersionFlag()
	return about.Help()
}

// exclusiveFlags is what cobra says of flags of which there may be one only.
var exclusiveFlags = regexp.MustCompile(`^if any flags in the group \[[^\]]*\] are set none of the others can be; \[([^\]]*)\] were all set$`)

// onOneLine is an error of cobra in one line. It proposes commands on lines of
// their own, and names flags without their dashes.
func onOneLine(err error) error {
	if err == nil {
		return nil
	}
	if exclusive := exclusiveFlags.FindStringSubmatch(err.Error()); exclusive != nil {
		return errors.New("--" + strings.Join(strings.Fields(exclusive[1]), " and --") + " do not go together")
	}
	text, proposed, found := strings.Cut(err.Error(), "\n\nDid you mean this?\n")
	if !found {
		return err
	}
	return errors.New(text + "; did you mean " + strings.Join(strings.Fields(proposed), " or ") + "?")
}

// arguments returns a check of how many arguments a command gets; usage names
// them.
func arguments(least, most int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s takes %s; see leasekeeper help %[1]s", cmd.Name(), usage)
		}
		return nil
	}
}
