package main

import (
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/spf13/cobra"
)

func newInspect() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:   "inspect FILE|- LOCK",
		Short: "Show who held a lock and who waited for it",
		Long: `Inspect shows who holds a lock and who waits for it, at the end of a journal or of a
history, after the event --until SEQ, or as of the instant --at TS, with every lease
that had lapsed by then retired.`,
		Example: `  leasekeeper inspect --at 55 docs/incidents/inc-5127.json exports/daily`,
		Args:    arguments(2, 2, "a FILE (or -) and a LOCK"),
		RunE: func(_ *cobra.Command, args []string) error {
			return q.answer(args[0], func(s fsm.State) events.Answer {
				return events.LockView{Holders: s.Holders(args[1]), Queue: s.Queue(args[1])}
			}, func(r *view.Report, s fsm.State, answer events.Answer) {
				r.Title("lock " + view.Name(args[1]) + " · " + standing(s))
				r.Lock(answer.(events.LockView), s.Mark(args[1]))
			})
		},
	}
	q.register(cmd)
	return cmd
}
