package main

import (
	"context"
	"errors"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/spf13/cobra"
)

func newSnapshot() *cobra.Command {
	var f journalFlags
	cmd := &cobra.Command{
		Use:   "snapshot JOURNAL",
		Short: "Take a snapshot of a journal's last state",
		Long: `Snapshot keeps the state after the last event beside the events, so that opening the
journal need not replay them, and so that the journal can be compacted there. Of older
snapshots the newest are kept.`,
		Args: arguments(1, 1, "a JOURNAL"),
		RunE: func(_ *cobra.Command, args []string) error {
			f.file = args[0]
			if err := mustBeJournal(f.file); err != nil {
				return err
			}
			k, err := f.open(events.Rules{})
			if err != nil {
				return err
			}
			err = k.Snapshot(context.Background())
			state, rules := k.State(), k.Rules()
			if err := errors.Join(err, k.Close()); err != nil {
				return journalError(err)
			}
			out := newOutput()
			r := newReport(out)
			r.Title(f.file + " · " + rulesText(rules))
			switch {
			case state.Sequence() == 0:
				r.Line("snapshot", "none: there is no event yet")
			default:
				r.Line("snapshot", "at %d, of state %s", state.Sequence(), state.Fingerprint())
			}
			return flush(out, nil)
		},
	}
	f.registerKeep(cmd)
	return cmd
}
