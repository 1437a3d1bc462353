package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	var flags rulesFlags
	var journal journalFlags
	cmd := &cobra.Command{
		Use:   "run [FILE|-]",
		Short: "Answer the operations of a history",
		Long: `Run answers the operations of a history in order, against a fresh service, and
prints the answers: as an array for an array or an object, as lines for lines.

Operations are read, answered and printed one by one. A program may send one
operation as a line and wait for its answer before it sends the next.

Recorded answers are read over; to compare with them use replay.

With --journal, the operations are kept in a file, and the next call goes on where
it ends. An answer is printed once its event is durable.`,
		Example: `  leasekeeper run docs/incidents/inc-5127.json
  echo '["acquire", 0, "etl-a", "exports/daily", 30]' | leasekeeper run
  leasekeeper run --journal night.journal operations.ndjson`,
		Args: arguments(0, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "-"
			if len(args) == 1 {
				name = args[0]
			} else if isTerminal(os.Stdin) {
				return errors.New("nothing to run: name a FILE, pipe operations in, or give - to type them")
			}
			out := newOutput()
			if journal.file != "" {
				return flush(out, runDurable(name, &flags, &journal, out))
			}
			if err := journal.none(); err != nil {
				return err
			}
			return flush(out, runHistory(name, &flags, out))
		},
	}
	flags.register(cmd)
	journal.register(cmd)
	return cmd
}

// framing is what stands around and between answers.
type framing struct{ open, between, behind, end, none string }

// In lines, each answer ends its line at once: a client may be waiting for it.
var (
	asLines = framing{behind: "\n"}
	asArray = framing{open: "[\n", between: ",\n", end: "\n]\n", none: "[]\n"}
)

// runHistory prints the answers to a history.
func runHistory(name string, flags *rulesFlags, out *bufio.Writer) error {
	h, err := flags.openHistory(name, flushing(out))
	if err != nil {
		return err
	}
	defer h.close()
	f := asArray
	if h.Header().Form == oplog.Lines {
		f = asLines
	}
	end, err := printAnswers(h, f, out)
	if err != nil {
		return err
	}
	_, err = out.WriteString(end)
	return outputError(err)
}

// printAnswers prints all answers in their framing and returns its end.
func printAnswers(h *history, f framing, out *bufio.Writer) (end string, err error) {
	safe := forTerminals()
	var text []byte
	end = f.none
	for before := f.open; ; before, end = f.between, f.end {
		_, event, err := h.next()
		if err == io.EOF {
			return end, nil
		}
		if err != nil {
			return "", err
		}
		text = append(text[:0], before...)
		text = h.machine.Apply(event).Answer.AppendJSON(text)
		text = append(text, f.behind...)
		if _, err := out.Write(safe(text)); err != nil {
			return "", outputError(err)
		}
	}
}
