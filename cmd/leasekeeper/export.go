package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/spf13/cobra"
)

func newExport() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export JOURNAL | export --sqlite OUT.db FILE|-",
		Short: "Print a journal as lines that import takes back, or make an SQLite database",
		Long: `Export prints a journal as lines (NDJSON): a first one with the edition of the rules
and the clock unit, then one for each event, with its operation, the recorded answer
and the fingerprint of the state after it. Nothing is lost: import makes a journal of
them that is exported to the same bytes.

With --sqlite it makes a database of a journal or a history instead: the events with
their answers, by the rules and as recorded, the effects, and what they come to:
leases, waits, writes, deadlocks, clients. docs/sql.md says what to ask. A compacted
journal's begins at its oldest snapshot. The file must not exist; it appears when it
is whole.`,
		Example: `  leasekeeper export night.journal | jq -c 'select(.op[0] == "write")'
  leasekeeper export --sqlite night.db night.journal
  sqlite3 night.db 'SELECT * FROM longest_waits LIMIT 10'`,
		Args: arguments(1, 1, "a JOURNAL, or with --sqlite one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case f.set("sqlite"):
				return f.toSQLite(args[0])
			case f.set("edition") || f.set("unit"):
				return errors.New("--edition and --unit are for the histories that --sqlite takes; a journal has its own")
			}
			return f.toLines(args[0])
		},
	}
	f.set = cmd.Flags().Changed
	f.rules.register(cmd)
	cmd.Flags().StringVar(&f.sqlite, "sqlite", "", "make this SQLite database, of a journal or a history")
	addFallback(cmd, &f.fallback, "of a journal: ")
	return cmd
}

// exportFlags are the flags of export.
type exportFlags struct {
	rules    rulesFlags
	sqlite   string
	fallback bool
	set      func(flag string) bool
}

// toLines prints a journal as lines.
func (f *exportFlags) toLines(name string) error {
	j, err := openFallback(name, f.fallback)
	if errors.Is(err, errNoJournal) {
		return fmt.Errorf("%w; of a history, export --sqlite makes a database, and import a journal", err)
	}
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
}
