package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/spf13/cobra"
)

func newCompact() *cobra.Command {
	var before uint64
	cmd := &cobra.Command{
		Use:   "compact JOURNAL NEW",
		Short: "Make a shorter journal that begins at a snapshot",
		Long: `Compact makes a new journal that begins at a snapshot of an old one, the newest up to
--before, or the newest of all. It goes on with the same chain of hashes, so its heads
are those of the old one, and verify --archive proves that the two belong together.
The old journal is verified first. It stays as it is, and becomes the archive.`,
		Example: `  leasekeeper compact night.journal morning.journal
  leasekeeper verify morning.journal --archive night.journal`,
		Args: arguments(2, 2, "a JOURNAL and the NEW one"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := mustBeJournal(args[0]); err != nil {
				return err
			}
			if err := transfer.Vacant(args[1]); err != nil {
				return err
			}
			if _, err := verifyFile(args[0], journal.VerifyOptions{}); err != nil {
				if isBroken(err) {
					return about{err, args[0] + " is not whole"}
				}
				return journalError(named(args[0], err))
			}
			genesis, err := compact(args[0], args[1], before)
			if errors.Is(err, journal.ErrNothingToCut) && errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w (leasekeeper snapshot takes one)", err)
			}
			if err != nil {
				return journalError(err)
			}
			return compacted(args[0], args[1], genesis)
		},
	}
	addFlag(cmd, &before, "before", "SEQ", "compact at the newest snapshot up to this event", parseSequence)
	return cmd
}

// compact makes the new journal, which appears under its name only when it is
// whole. An interrupted compaction leaves nothing behind.
func compact(archive, name string, before uint64) (genesis journal.Genesis, err error) {
	draft, err := transfer.NewDraft(name)
	if err != nil {
		return genesis, err
	}
	defer draft.Discard()
	defer discardWhenInterrupted(draft)()
	if genesis, err = journal.Compact(archive, draft.Path(), before); err != nil {
		return genesis, draft.Named(err)
	}
	return genesis, draft.Named(draft.Publish())
}

// compacted says what the new journal has.
func compacted(archive, name string, genesis journal.Genesis) error {
	j, err := openJournal(name)
	if err != nil {
		return err
	}
	defer j.Close()
	list, err := j.Snapshots()
	if err != nil {
		return journalError(err)
	}
	out := newOutput()
	r := newReport(out)
	r.Title(name + " · " + rulesText(genesis.Rules))
	kept := "no event"
	if first := genesis.Base.Sequence + 1; first <= j.Last() {
		kept = fmt.Sprintf("events %d to %d", first, j.Last())
	}
	r.Line("kept", "%s, and the snapshot at %d to begin at", kept, list[0].Sequence)
	r.Line("archive", "%s has the events up to %d", archive, genesis.Base.Sequence)
	return flush(out, nil)
}
