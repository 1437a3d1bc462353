package main

import (
	"fmt"
	"strings"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/explain"
	"github.com/spf13/cobra"
)

func newHolders() *cobra.Command {
	var f tableFlags
	cmd := &cobra.Command{
		Use:   "holders FILE|- [--lock LOCK]",
		Short: "Show who held a lock, or all that were held, and since when and why",
		Long: `Holders shows who holds a lock, or every lock that is held: with which token, until
when, since when, by which event, and how it came to that. It does so for the end of a
journal or of a history, for the place after the event --until SEQ, or for the instant
--at TS, which may lie between two events.`,
		Example: `  leasekeeper holders docs/incidents/inc-5127.json --lock exports/daily --at 51`,
		Args:    arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			return f.run(args[0], "locks held", func(t *explain.Tables) {
				for i := range t.Locks {
					t.Locks[i].Waiters = nil
				}
			}, showHolders)
		},
	}
	f.register(cmd)
	return cmd
}

// tableFlags are the flags of commands that show who held and who waited.
type tableFlags struct {
	look lookFlags
	span spanFlags
	lock string
}

func (f *tableFlags) register(cmd *cobra.Command) {
	f.look.register(cmd)
	f.look.registerBack(cmd)
	f.span.register(cmd)
	cmd.Flags().StringVar(&f.lock, "lock", "", "only this lock")
}

// run makes the tables, leaves out what is not wanted, and shows the rest.
func (f *tableFlags) run(name, title string, trim func(*explain.Tables), show func(*view.Report, *explain.Tables)) error {
	return f.look.look(name, &f.span, func(source explain.Source, options explain.Options) error {
		tables, err := explain.Standing(source, f.lock, f.place(), options)
		if err != nil {
			return err
		}
		trim(tables)
		if f.look.asJSON {
			return printJSON(tables)
		}
		out := newOutput()
		r := newReport(out)
		r.Title(title + " · " + standing(tables.State))
		show(r, tables)
		return flush(out, nil)
	})
}

// place is where the question is asked.
func (f *tableFlags) place() explain.Place { return placeOf(&f.span) }

func placeOf(span *spanFlags) (where explain.Place) {
	switch {
	case span.set("at"):
		where.At = &span.at
	case span.set("until"):
		where.After = &span.until
	}
	return where
}

// showHolders prints a line for each lease.
func showHolders(r *view.Report, t *explain.Tables) {
	for _, l := range t.Locks {
		label := view.Name(l.Name)
		if len(l.Holders) == 0 {
			r.Line(label, "nobody")
		}
		for i := range l.Holders {
			h := &l.Holders[i]
			r.Line(label, "%s %s token %d until %d, %s", view.Name(h.Client), h.Mode, h.Token, *h.Ends, h.Since())
			label = ""
		}
	}
	if len(t.Locks) == 0 {
		r.Line("held", "nothing")
	}
}

// names joins names by commas, so many of them at most.
func names(list []string, most int) string {
	shown := make([]string, 0, most+1)
	for i, name := range list {
		if i == most {
			shown = append(shown, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		shown = append(shown, view.Name(name))
	}
	return strings.Join(shown, ", ")
}
