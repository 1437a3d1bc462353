package main

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/explain"
	"github.com/spf13/cobra"
)

func newWhoWaits() *cobra.Command {
	var f tableFlags
	cmd := &cobra.Command{
		Use:   "who-waits FILE|- [--lock LOCK]",
		Short: "Show who waited, for how long, and behind whom",
		Long: `Who-waits shows every request that waits, of all locks or of one: its position, since
when and by which event, for how many ticks so far, and behind whom. That is the one
directly ahead in the queue, and for the head of a queue whoever holds the lock, --most
of them. It does
so for the end of a journal or of a history, for the place after the event --until SEQ,
or for the instant --at TS, which may lie between two events.`,
		Example: `  leasekeeper who-waits docs/incidents/inc-5127.json --at 12`,
		Args:    arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			return f.run(args[0], "who waits", func(t *explain.Tables) {
				for i := range t.Locks {
					t.Locks[i].Holders = nil
				}
				if f.lock == "" {
					t.Locks = slices.DeleteFunc(t.Locks, func(l explain.Lock) bool { return len(l.Waiters) == 0 })
				}
			}, func(r *view.Report, t *explain.Tables) { showWaiters(r, t, int(f.look.most)) })
		},
	}
	f.register(cmd)
	f.look.registerMost(cmd)
	return cmd
}

// showWaiters prints a line for each request.
func showWaiters(r *view.Report, t *explain.Tables, most int) {
	for _, l := range t.Locks {
		label := view.Name(l.Name)
		if len(l.Waiters) == 0 {
			r.Line(label, "nobody")
		}
		for i := range l.Waiters {
			w := &l.Waiters[i]
			how := w.Since()
			if w.Waited != nil {
				how += ", for " + view.Count(*w.Waited, "tick", "ticks")
			}
			r.Line(label, "%d  %s %s %s, behind %s", w.Position, view.Name(w.Client), w.Mode, how, names(w.Behind, most))
			label = ""
		}
	}
	if len(t.Locks) == 0 {
		r.Line("waiting", "nobody")
	}
}
