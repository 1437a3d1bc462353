package main

import (
	"os"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/spf13/cobra"
)

func newExport() *cobra.Command {
	var fallback bool
	cmd := &cobra.Command{
		Use:   "export JOURNAL",
		Short: "Print a journal as lines that import takes back",
		Long: `Export prints a journal as lines (NDJSON): a first one with the edition of the rules
and the clock unit, then one for each event, with its operation, the recorded answer
and the fingerprint of the state after it. Nothing is lost: import makes a journal of
them that is exported to the same bytes.`,
		Example: `  leasekeeper export night.journal | jq -c 'select(.op[0] == "write")'`,
		Args:    arguments(1, 1, "a JOURNAL"),
		RunE: func(_ *cobra.Command, args []string) error {
			j, err := openFallback(args[0], fallback)
			if err != nil {
				return err
			}
			defer j.Close()
			bar := newCount(int64(j.Last() - j.Genesis().Base.Sequence))
			bar.wanted = bar.wanted && !isTerminal(os.Stdout) // where the events are
			defer bar.finish()
			out := newOutput()
			err = transfer.Export(visibly{out, forTerminals()}, j, func(events int64) {
				if events%1024 == 0 {
					bar.at(events)
				}
			})
			if transfer.IsWriteError(err) {
				return outputError(err)
			}
			return flush(out, journalError(err))
		},
	}
	addFallback(cmd, &fallback, "")
	return cmd
}
