package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
	"github.com/spf13/cobra"
)

func newVerify() *cobra.Command {
	var noted string
	var v verifying
	cmd := &cobra.Command{
		Use:   "verify JOURNAL",
		Short: "Prove that a journal is whole, or say what is broken in it",
		Long: `Verify reads all of a journal: the account of its pages, the genesis, every record
with its checksum and its place in the sequence, the chain of hashes, and every
snapshot with its content. It says what is broken, in which bytes of the file. It
changes nothing, and the journal may be in use.

With --head, it proves that the file is the one whose head was noted elsewhere. With
--archive, it proves that a compacted journal goes on where its archive has them.

It looks at bytes. Whether the answers are those that the rules give is for replay to
say.`,
		Example: `  leasekeeper verify --head "$(cat night.head)" night.journal`,
		Args:    arguments(1, 1, "a JOURNAL"),
		RunE: func(_ *cobra.Command, args []string) error {
			v.name = args[0]
			if noted != "" {
				head, err := journal.ParseHead(noted)
				if err != nil {
					return err
				}
				v.head = &head
			}
			out := newOutput()
			return flush(out, v.run(newReport(out)))
		},
	}
	cmd.Flags().StringVar(&noted, "head", "", "the head that was noted, as the command head prints it")
	cmd.Flags().StringVar(&v.archive, "archive", "", "the journal that this one was compacted from")
	addFallback(cmd, &v.fallback, "")
	cmd.MarkFlagsMutuallyExclusive("archive", "fallback")
	return cmd
}

// verifying is the verification of one journal.
type verifying struct {
	name, archive string
	head          *journal.Head
	fallback      bool
}

// run verifies, and prints what is whole and what is not.
func (v *verifying) run(r *view.Report) error {
	for _, name := range []string{v.name, v.archive} {
		if name == "" {
			continue
		}
		if err := mustBeJournal(name); err != nil {
			return err
		}
	}
	report, err := verifyFile(v.name, journal.VerifyOptions{Head: v.head, Fallback: v.fallback})
	broken := isBroken(err)
	if err != nil && !broken {
		return journalError(named(v.name, err))
	}
	v.print(r, &report)
	if !broken && v.archive != "" {
		if err = journal.VerifyJoin(v.name, v.archive); err == nil {
			r.Line("archive", "%s has the records up to %d", v.archive, report.Genesis.Base.Sequence)
		} else if broken = isBroken(err); !broken {
			return journalError(err)
		}
	}
	if broken {
		r.Alarm("verdict", "%s", untagged(err))
		if !v.fallback && isTorn(v.name) {
			r.Line("", "the other meta page is whole: --fallback goes by that one")
		}
		return errDiffers
	}
	r.Line("head", "%v", report.Head)
	if v.fallback && isTorn(v.name) {
		r.Alarm("verdict", "whole, but for one of the two meta pages: the last commit may be lost")
		return errDiffers
	}
	r.Good("verdict", "whole")
	return nil
}

// print says what has been found whole.
func (v *verifying) print(r *view.Report, report *journal.Report) {
	g := report.Genesis
	if g.Format == 0 {
		r.Title(v.name)
		return
	}
	r.Title(v.name + " · " + rulesText(g.Rules))
	r.Line("journal", "%x", g.ID)
	if g.Base.Sequence > 0 {
		r.Line("compacted", "the records up to %d are in an archive", g.Base.Sequence)
	}
	records := view.Count(report.Records, "record", "records")
	if report.Records > 0 {
		records += fmt.Sprintf(", %d to %d", g.Base.Sequence+1, g.Base.Sequence+report.Records)
	}
	r.Line("whole", "%s", records)
	for _, s := range report.Snapshots {
		r.Line("", "snapshot at %d, %s", s.Sequence, view.Count(s.Bytes, "byte", "bytes"))
	}
	if report.Unfinished > 0 {
		r.Line("unfinished", "%s", view.Count(report.Unfinished, "snapshot", "snapshots"))
	}
	switch {
	case report.Moving:
		r.Line("pages", "not accounted for, because the journal is being written")
	case report.Pages > 0:
		r.Line("pages", "%d, %d of them free", report.Pages, report.Free)
	}
	if v.head != nil && report.Records+g.Base.Sequence >= v.head.Sequence {
		r.Line("noted", "%v", v.head)
	}
}

// isBroken tells a broken journal, or another one than was expected, from one
// that could not be read.
func isBroken(err error) bool {
	return errors.Is(err, journal.ErrDamaged) || errors.Is(err, journal.ErrHead) ||
		errors.Is(err, journal.ErrJoin) || errors.Is(err, leasekeeper.ErrSnapshot)
}

// verifyFile verifies a journal behind a progress bar: its bytes, and that each
// snapshot is a sound state.
func verifyFile(name string, options journal.VerifyOptions) (journal.Report, error) {
	total := int64(-1)
	if j, err := journal.Open(name, journal.Options{ReadOnly: true, Fallback: options.Fallback}); err == nil {
		total = int64(j.Last() - j.Genesis().Base.Sequence)
		_ = j.Close()
	}
	bar := newCount(total)
	defer bar.finish()
	read := int64(0)
	options.Record = func(journal.Record) error {
		if read++; read%1024 == 0 {
			bar.at(read)
		}
		return nil
	}
	options.Snapshot = verifySnapshot
	return journal.Verify(name, options)
}

// verifySnapshot reads a snapshot's content: a sound state, and the one that
// it is said to be.
func verifySnapshot(info journal.Snapshot, r io.Reader) error {
	state, err := snapshot.Read(r)
	var below *journal.Damage
	switch {
	case errors.As(err, &below): // of the journal's own checksums
		return below
	case errors.Is(err, snapshot.ErrCorrupt), errors.Is(err, snapshot.ErrVersion):
	case err != nil:
		return err
	case state.Sequence() != info.Sequence:
		err = fmt.Errorf("it is of event %d", state.Sequence())
	case state.Fingerprint() != info.Fingerprint:
		err = fmt.Errorf("its fingerprint is %s, not %x", state.Fingerprint(), info.Fingerprint)
	}
	if err != nil {
		return fmt.Errorf("%w at event %d: %w", leasekeeper.ErrSnapshot, info.Sequence, err)
	}
	return nil
}
