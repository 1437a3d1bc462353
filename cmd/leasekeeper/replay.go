package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strconv"

	"github.com/charmbracelet/lipgloss"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/spf13/cobra"
)

func newReplay() *cobra.Command {
	var flags replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE|-",
		Short: "Show what happened in a history, or prove a journal by deriving it again",
		Long: `Replay answers the operations of a history in order, against a fresh service, and
shows each operation with its answer. What happened besides stands on lines of its
own, marked by a dot, at the instant when it happened: a lease that lapsed before an
operation came stands in front of it.

Where the history records an answer that differs, both are shown, and the exit code
is 1.

In a terminal, long names are cut to fit. With --json, every event is one line:
{"sequence", "op", "answer", "effects", "recorded" if there is one, "differs"}.

Of a journal, replay derives every answer and every fingerprint again, compares them
with those recorded, and each snapshot with the state that the events give. It prints
the verdict and the first difference; with --show or --json, it shows the events.`,
		Example: `  leasekeeper replay docs/incidents/inc-5127.json
  leasekeeper replay --json audit.ndjson | jq -c 'select(.differs)'
  leasekeeper replay --every-snapshot night.journal`,
		Args: arguments(1, 1, "one FILE, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			is, err := isJournal(args[0])
			if err != nil {
				return err
			}
			out := newOutput()
			if is {
				return flush(out, replayJournal(args[0], &flags, out))
			}
			if err := flags.proof.none(args[0]); err != nil {
				return err
			}
			return flush(out, replayHistory(args[0], &flags, out))
		},
	}
	flags.rules.register(cmd)
	flags.span.register(cmd)
	flags.proof.register(cmd)
	cmd.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON object for each event")
	return cmd
}

// replayFlags are the flags of replay.
type replayFlags struct {
	rules  rulesFlags
	span   spanFlags
	proof  proofFlags
	asJSON bool
}

// printer is what shows the events.
func (f *replayFlags) printer(out *bufio.Writer) printer {
	if f.asJSON {
		return &jsonPrinter{out: out, safe: forTerminals()}
	}
	return view.NewTable(out, screenWidth(), lipgloss.NewRenderer(os.Stdout))
}

// printer shows a replay.
type printer interface {
	Head(title string) error
	Step(view.Step) error
	Foot(view.Summary) error
}

// replayHistory prints a history, and reports errDiffers if a recorded answer
// is not the one that the rules give.
func replayHistory(name string, flags *replayFlags, out *bufio.Writer) error {
	h, err := flags.rules.openHistory(name, flushing(out))
	if err != nil {
		return err
	}
	defer h.close()
	if err := flags.span.within(h.rules); err != nil {
		return err
	}
	summary, err := replayInto(flags.printer(out), h, &flags.span)
	if err != nil {
		return err
	}
	if summary.Differences > 0 {
		return errDiffers
	}
	return nil
}

// replayInto replays a history into a printer.
func replayInto(p printer, h *history, span *spanFlags) (summary view.Summary, err error) {
	if err := p.Head(title(h)); err != nil {
		return summary, outputError(err)
	}
	for {
		entry, event, err := h.next()
		if err == nil && span.ends(h.rules, event, h.machine.Sequence()+1) {
			err = io.EOF
		}
		if err == io.EOF {
			if err := span.reached(h.name, h.machine.Sequence()); err != nil {
				return summary, err
			}
			summary.Fingerprint = h.machine.Fingerprint().String()
			return summary, outputError(p.Foot(summary))
		}
		if err != nil {
			return summary, err
		}
		step := view.Step{Event: event, Result: h.machine.Apply(event), Operation: entry.Operation, Recorded: entry.Recorded}
		step.Differs = entry.Recorded != nil && !oplog.SameAnswer(entry.Recorded, step.Result.Answer.AppendJSON(nil))
		count(&summary, step)
		if err := p.Step(step); err != nil {
			return summary, outputError(err)
		}
	}
}

// count adds a step to the summary.
func count(s *view.Summary, step view.Step) {
	s.Events++
	if step.Recorded != nil {
		s.Compared++
	}
	if step.Differs {
		s.Differences++
		if s.FirstDifference == 0 {
			s.FirstDifference = step.Result.Sequence
		}
	}
}

// title says what is replayed and by which rules.
func title(h *history) string { return h.title() + " · " + rulesText(h.rules) }

// jsonPrinter prints one object for each step and nothing else.
type jsonPrinter struct {
	out  io.Writer
	safe func([]byte) []byte
	buf  bytes.Buffer
	text []byte
}

func (p *jsonPrinter) Head(string) error       { return nil }
func (p *jsonPrinter) Foot(view.Summary) error { return nil }

func (p *jsonPrinter) Step(s view.Step) error {
	p.buf.Reset()
	_ = json.Compact(&p.buf, s.Operation) // the reader has seen that it is JSON
	text := append(p.text[:0], `{"sequence":`...)
	text = strconv.AppendUint(text, s.Result.Sequence, 10)
	text = append(append(text, `,"op":`...), p.buf.Bytes()...)
	text = s.Result.Answer.AppendJSON(append(text, `,"answer":`...))
	text = append(text, `,"effects":[`...)
	for i, e := range s.Result.Effects {
		if i > 0 {
			text = append(text, ',')
		}
		text = e.AppendJSON(text)
	}
	text = append(text, ']')
	if s.Recorded != nil {
		p.buf.Reset()
		_ = json.Compact(&p.buf, s.Recorded)
		text = append(append(text, `,"recorded":`...), p.buf.Bytes()...)
	}
	text = appendMarks(text, s)
	text = strconv.AppendBool(append(text, `,"differs":`...), s.Differs)
	p.text = append(text, "}\n"...)
	_, err := p.out.Write(p.safe(p.text))
	return err
}
