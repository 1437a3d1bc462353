package main

import (
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/spf13/cobra"
)

func newStatus() *cobra.Command {
	var q query
	cmd := &cobra.Command{
		Use:   "status FILE|- CLIENT",
		Short: "Show what a client held and what it waited for",
		Long: `Status shows a client's age, the leases that it holds and the lock that it waits for,
with the clients that it waits for, at the end of a journal or of a history, after
the event --until SEQ, or as of the instant --at TS, with every lease that had
lapsed by then retired.`,
		Example: `  leasekeeper status --until 2 docs/incidents/inc-5127.json etl-b`,
		Args:    arguments(2, 2, "a FILE (or -) and a CLIENT"),
		RunE: func(_ *cobra.Command, args []string) error {
			return q.answer(args[0], func(s fsm.State) events.Answer { return s.Client(args[1]) },
				func(r *view.Report, s fsm.State, answer events.Answer) {
					r.Title("client " + view.Name(args[1]) + " · " + standing(s))
					r.Client(answer.(events.ClientView), s.WaitsFor(args[1]))
				})
		},
	}
	q.register(cmd)
	return cmd
}
