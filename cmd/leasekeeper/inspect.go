package main

import (
	"bufio"

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

// query is a question about the state at one place of a history.
type query struct {
	rules  rulesFlags
	span   spanFlags
	asJSON bool
}

func (q *query) register(cmd *cobra.Command) {
	q.rules.register(cmd)
	q.span.register(cmd)
	cmd.Flags().BoolVar(&q.asJSON, "json", false, "print the answer that the operation would get")
}

// answer derives the state, and prints the answer.
func (q *query) answer(name string, ask func(fsm.State) events.Answer, show func(*view.Report, fsm.State, events.Answer)) error {
	state, err := q.span.state(name, &q.rules)
	if err != nil {
		return err
	}
	out := newOutput()
	return flush(out, q.print(out, state, ask(state), show))
}

func (q *query) print(out *bufio.Writer, s fsm.State, answer events.Answer, show func(*view.Report, fsm.State, events.Answer)) error {
	if q.asJSON {
		_, err := out.Write(forTerminals()(append(answer.AppendJSON(nil), '\n')))
		return outputError(err)
	}
	r := newReport(out)
	show(r, s, answer)
	return outputError(r.Err())
}
