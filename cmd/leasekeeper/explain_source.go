package main

import (
	"errors"
	"io"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/internal/explain"
	"github.com/spf13/cobra"
)

// lookFlags say how a history is looked at to explain something in it.
type lookFlags struct {
	rules  rulesFlags
	most   int64
	back   int64
	asJSON bool
	silent bool // the answer says itself where the record differs
}

func (f *lookFlags) register(cmd *cobra.Command) {
	f.rules.register(cmd)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
}

// registerMost adds the flag --most for commands that tell lists.
func (f *lookFlags) registerMost(cmd *cobra.Command) {
	f.most = 10
	addFlag(cmd, &f.most, "most", "N", "tell at most so many items of a long list", parseAtLeast(1))
}

// registerBack adds the flag --back for commands that say since when.
func (f *lookFlags) registerBack(cmd *cobra.Command) {
	f.back = explain.DefaultBudget
	addFlag(cmd, &f.back, "back", "N", "of a journal: to say since when, look back over so many events before the nearest snapshot", parseAtLeast(1))
}

// look opens a journal or reads a history, gives it to a function, and prints
// what that says.
func (f *lookFlags) look(name string, span *spanFlags, answer func(explain.Source, explain.Options) error) error {
	is, err := isJournal(name)
	if err != nil {
		return err
	}
	if !is {
		return f.ofHistory(name, span, answer)
	}
	j, err := openJournal(name)
	if err != nil {
		return err
	}
	defer j.Close()
	if err := f.rules.agree(name, j.Genesis().Rules); err != nil {
		return err
	}
	if err := span.within(j.Genesis().Rules); err != nil {
		return err
	}
	if err := span.reached("the journal", j.Last()); err != nil {
		return err
	}
	return explained(answer(explain.NewJournal(j, warn), f.options()))
}

func (f *lookFlags) ofHistory(name string, span *spanFlags, answer func(explain.Source, explain.Options) error) error {
	h, err := f.rules.openHistory(name, noWait)
	if err != nil {
		return err
	}
	defer h.close()
	if err := span.within(h.rules); err != nil {
		return err
	}
	source, err := explain.NewMemory(h.rules)
	if err != nil {
		return err
	}
	var beyond uint64 // an event of which only a part may lie before the end
	for {
		entry, event, err := h.next()
		if err == io.EOF {
			if err := span.reached(h.name, source.Last()); err != nil {
				return err
			}
			break
		}
		if err != nil {
			return err
		}
		if span.set("until") && source.Last() == span.until {
			break
		}
		source.Add(event, entry.Recorded)
		if span.ends(h.rules, event, source.Last()) { // a repeat may have begun
			beyond = 1
			break
		}
	}
	if !f.silent {
		if sequence := source.FirstDifference(source.Last() - beyond); sequence > 0 {
			warnUnlike(sequence)
		}
	}
	return explained(answer(source, f.options()))
}

func (f *lookFlags) options() explain.Options {
	return explain.Options{Most: int(f.most), Budget: f.back}
}

// explained tells what an error of an explanation means to the exit code.
func explained(err error) error {
	if errors.Is(err, errDiffers) {
		return err
	}
	return journalError(err)
}

// printJSON prints a value as JSON on one line.
func printJSON(value any) error {
	out := newOutput()
	text, err := explain.JSON(value)
	if err != nil {
		return err
	}
	_, err = out.Write(forTerminals()(append(text, '\n')))
	return flush(out, outputError(err))
}

// printSentences prints sentences, each on a line of its own behind a mark.
func printSentences(r *view.Report, sentences []string) {
	for _, sentence := range sentences {
		r.Paragraph("· ", sentence, screenWidth())
	}
}
