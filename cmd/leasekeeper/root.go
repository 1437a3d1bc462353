package main

import (
	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "leasekeeper",
		Short: "Lease locks whose every answer can be derived again",
		Long: `Leasekeeper answers lock operations by the rules of leases, fencing tokens and
deadlock victims. The same operations always give the same answers.

Histories come from a FILE, or from standard input for -, in one of three forms:
an array of operations, an object with operations and recorded results, or lines
(NDJSON) of operations or of {"op": […], "result": …}. A JOURNAL is a file that
run --journal or import has made; replay, inspect and status take it as a FILE too.

Exit codes: 0 fine, 1 a difference was found, 2 bad usage or input, 3 a failure of
the machine (disk, permission).`,
		Example:       "  leasekeeper replay docs/incidents/inc-5127.json",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          help,
	}
	root.AddCommand(newRun(), newReplay(), newInspect(), newStatus())
	root.AddCommand(newVerify(), newHead(), newExport(), newImport(), newSnapshot(), newCompact())
	root.AddCommand(newVersion())
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = help // so that a shell that it does not know is an error
	}
	return root
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }
