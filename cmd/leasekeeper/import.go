package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/spf13/cobra"
)

func newImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import JOURNAL [FILE|-]",
		Short: "Make a journal of an exported one, or of another service's log",
		Long: `Import makes a new journal of operations. Those of an exported journal keep all that
was recorded beside them. Those of another service keep the answers that it gave, as
another service's, beside the states that the rules give; replay then says which
answer was the first one to differ. A history may have any form that replay takes.

With --map, each line of FILE is given to a jq program, which makes operations of it:
lists such as ["read", 5, "L", "k"], or objects {"op": […], "result": …}. A line that
it makes nothing of (empty, select) is passed over.

An input at fault is reported with its line, and then no journal is made. With
--skip-bad, lines at fault are reported, counted and left out. An operation before
the clock is a fault too; with --clamp it is taken to have come at the clock, and
marked.`,
		Example: `  leasekeeper export night.journal | leasekeeper import copy.journal
  leasekeeper import audit.journal audit.log \
    --map '{op: ["release", .time, .who, .lock], result: .answer}'`,
		Args: arguments(1, 2, "a JOURNAL to be made and, if you like, a FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "-"
			if len(args) == 2 {
				name = args[1]
			} else if isTerminal(os.Stdin) {
				return errors.New("nothing to import: name a FILE, pipe operations in, or give - to type them")
			}
			out := newOutput()
			return flush(out, f.run(args[0], name, out))
		},
	}
	f.rules.register(cmd)
	cmd.Flags().StringVar(&f.program, "map", "", "a jq program that makes operations of each line")
	cmd.Flags().BoolVar(&f.skipBad, "skip-bad", false, "leave out lines that are at fault")
	cmd.Flags().BoolVar(&f.clamp, "clamp", false, "take an operation before the clock to have come at the clock")
	return cmd
}

// importFlags are the flags of import.
type importFlags struct {
	rules          rulesFlags
	program        string
	skipBad, clamp bool
}

// run makes the journal target of the input name.
func (f *importFlags) run(target, name string, out *bufio.Writer) error {
	how := transfer.Reading{Separate: f.skipBad}
	if f.program != "" {
		var err error
		if how.Program, err = transfer.Compile(f.program); err != nil {
			return err
		}
	}
	if err := transfer.Vacant(target); err != nil {
		return err // before an input is waited for
	}
	file, size, err := openInput(name)
	if err != nil {
		return err
	}
	defer file.Close()
	name = inputName(name)
	source, header, err := transfer.Open(name, file, how)
	if err != nil {
		return inputError(err)
	}
	if header.Exported && (f.skipBad || f.clamp) {
		return fmt.Errorf("%s is an exported journal, which is taken as it is, without --skip-bad and --clamp", name)
	}
	rules, err := f.rules.rules(name, header.Header)
	if err != nil {
		return err
	}
	draft, err := transfer.NewDraft(target)
	if err != nil {
		return journalError(err)
	}
	defer draft.Discard()
	defer discardWhenInterrupted(draft)()
	i := importing{flags: f, name: name, source: source, progress: newProgress(size)}
	i.progress.wanted = isTerminal(os.Stderr) // what is printed comes at the end
	if err := i.make(draft.Path(), rules); err != nil {
		return draft.Named(err)
	}
	if err := draft.Publish(); err != nil {
		return journalError(draft.Named(err))
	}
	i.report(newReport(out), target+" · "+rulesText(rules))
	return nil
}

// importing is one import.
type importing struct {
	flags    *importFlags
	name     string
	source   transfer.Source
	progress *progress
	bad      transfer.Count // lines
	lastBad  uint64         // of them
	summary  transfer.Summary
}

// mostBad is how many lines at fault are reported one by one.
const mostBad = 20

// make makes the journal and closes it.
func (i *importing) make(path string, rules events.Rules) (err error) {
	genesis, err := journal.NewGenesis(rules, nil)
	if err != nil {
		return err
	}
	j, err := journal.Create(path, genesis, journal.Options{})
	if err != nil {
		return journalError(err)
	}
	defer func() {
		if closed := j.Close(); closed != nil && err == nil {
			err = failure{closed}
		}
	}()
	return i.into(j)
}

// into reads the source to its end and fills the journal.
func (i *importing) into(j journal.Journal) error {
	defer i.progress.finish()
	importer, err := transfer.NewImporter(i.name, j)
	if err != nil {
		return err
	}
	importer.Clamp = i.flags.clamp
	for {
		i.progress.at(i.source.Offset())
		item, err := i.source.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			if err := i.fault(err); err != nil {
				return err
			}
			continue
		}
		if err := importer.Add(item); err != nil {
			if err := i.fault(err); err != nil {
				return err
			}
		}
	}
	if i.summary, err = importer.Finish(); err != nil {
		return journalError(err)
	}
	if i.summary.Events == 0 && i.bad.Events > 0 {
		return fmt.Errorf("%s: not one line could be taken", i.name)
	}
	return nil
}

// fault passes over a line that cannot be taken, if that is wanted. Of a line
// with several operations, those are passed over that cannot be taken.
func (i *importing) fault(err error) error {
	var syntax *oplog.SyntaxError
	if !errors.As(err, &syntax) {
		return journalError(err) // what cannot be read is the machine's fault too
	}
	if !i.flags.skipBad {
		return syntax
	}
	i.progress.finish()
	if i.bad.Events < mostBad {
		tell("", syntax)
	} else if i.bad.Events == mostBad {
		tell("", errors.New("more such lines are only counted"))
	}
	if line := uint64(syntax.Line); line != i.lastBad {
		i.bad.Add(line)
		i.lastBad = line
	}
	return nil
}

// report says what the import has come to.
func (i *importing) report(r *view.Report, title string) {
	s := &i.summary
	r.Title(title)
	r.Line("imported", "%s, %s with an answer", view.Count(s.Events, "event", "events"), view.Count(s.Recorded, "of them", "of them"))
	i.count(r, s.Differs, "answer differs from what the rules give", "answers differ from what the rules give", "event")
	i.count(r, s.States, "fingerprint differs from what the rules give", "fingerprints differ from what the rules give", "event")
	i.count(r, s.Clamped, "event clamped to the clock", "events clamped to the clock", "event")
	i.count(r, i.bad, "line left out", "lines left out", "line")
	if passed := i.source.Passed(); passed > 0 {
		r.Line("", "%s", view.Count(passed, "line passed over by the jq program", "lines passed over by the jq program"))
	}
	r.Line("state", "%s", s.Final)
}

func (i *importing) count(r *view.Report, c transfer.Count, one, many, what string) {
	if c.Events > 0 {
		r.Line("", "%s, the first is %s %d", view.Count(c.Events, one, many), what, c.First)
	}
}
