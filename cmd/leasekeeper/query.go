package main

import (
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/spf13/cobra"
)

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
	answer := ask(state)
	if q.asJSON {
		_, err = out.Write(forTerminals()(append(answer.AppendJSON(nil), '\n')))
	} else {
		show(newReport(out), state, answer)
	}
	return flush(out, outputError(err))
}
