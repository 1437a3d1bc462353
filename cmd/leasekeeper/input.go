package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/transfer"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// rulesFlags are the flags that say by which rules a history is judged.
type rulesFlags struct {
	events.Rules
	set func(flag string) bool
}

func (f *rulesFlags) register(cmd *cobra.Command) {
	f.Rules = events.Current
	addFlag(cmd, &f.Edition, "edition", "N", "edition of the rules: 1, 2 or 3", parseEdition)
	addFlag(cmd, &f.Unit, "unit", "UNIT", "clock unit: "+choice(unitNames()), parseUnit)
	f.set = cmd.Flags().Changed
	f.complete(cmd, "edition", "1", "2", "3")
	f.complete(cmd, "unit", unitNames()...)
}

func unitNames() (names []string) {
	for _, u := range events.Units {
		names = append(names, u.String())
	}
	return names
}

// choice joins at least two words: a, b or c.
func choice(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// complete offers the values of a flag to the shell.
func (f *rulesFlags) complete(cmd *cobra.Command, flag string, values ...cobra.Completion) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // there is no such flag
	}
}

// rules settles the rules for one input: what it says itself, else the flags.
// They must not contradict each other.
func (f *rulesFlags) rules(name string, header oplog.Header) (events.Rules, error) {
	rules := f.Rules
	if header.Edition != 0 {
		if f.set("edition") && header.Edition != rules.Edition {
			return rules, fmt.Errorf("%s is of edition %d, but --edition %d was given", name, header.Edition, rules.Edition)
		}
		rules.Edition = header.Edition
	}
	if header.Unit != 0 {
		if f.set("unit") && header.Unit != rules.Unit {
			return rules, fmt.Errorf("%s counts in %ss, but --unit %s was given", name, header.Unit, rules.Unit)
		}
		rules.Unit = header.Unit
	}
	return rules, nil
}

// agree refuses flags that contradict the rules of a journal.
func (f *rulesFlags) agree(name string, rules events.Rules) error {
	_, err := f.rules(name, oplog.Header{Edition: rules.Edition, Unit: rules.Unit})
	return err
}

// history is an opened input and the machine that answers it.
type history struct {
	*entries
	name     string
	rules    events.Rules
	machine  *fsm.Machine
	file     *os.File
	progress *progress
}

// openHistory opens a file, or standard input for "-". It calls wait whenever
// the input might have to be waited for, to give out all answers: a client may
// wait for each one before it sends the next operation.
func (f *rulesFlags) openHistory(name string, wait func() error) (*history, error) {
	file, size, err := openInput(name)
	if err != nil {
		return nil, err
	}
	name = inputName(name)
	h := &history{name: name, file: file, progress: newProgress(size)}
	var input io.Reader = file
	if size < 0 {
		input = &attentive{file, wait}
	}
	if h.entries, err = readEntries(name, input, transfer.Reading{}); err != nil {
		_ = file.Close()
		return nil, inputError(err)
	}
	if h.rules, err = f.rules(name, h.Header()); err == nil {
		var initial fsm.State
		initial, err = fsm.New(h.rules)
		h.machine = fsm.NewMachine(initial)
	}
	if err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// noWait is for commands that have nothing to give out while they wait for input.
func noWait() error { return nil }

// inputName is what messages call an input.
func inputName(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}

// noSuchFile are the errors of a name that no file has, or can have.
var noSuchFile = []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP}

func isAny(err error, targets []error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// openInput opens a file and finds its size, -1 for what is not a regular file.
func openInput(name string) (file *os.File, size int64, err error) {
	file = os.Stdin
	if name != "-" {
		if file, err = os.Open(name); isAny(err, noSuchFile) {
			return nil, 0, err
		} else if err != nil {
			return nil, 0, failure{err}
		}
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, 0, failure{err}
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s is a directory", inputName(name))
	case info.Mode().IsRegular():
		return file, info.Size(), nil
	}
	return file, -1, nil
}

// next reads the next entry and parses its operation.
func (h *history) next() (oplog.Entry, events.Event, error) {
	h.progress.at(h.Offset())
	entry, err := h.Next()
	if err == io.EOF {
		return entry, nil, err
	}
	if err != nil {
		return entry, nil, inputError(err)
	}
	event, err := h.rules.Parse(entry.Operation)
	if err != nil {
		return entry, nil, &oplog.SyntaxError{Name: h.name, Line: entry.Line, Column: entry.Column, Message: err.Error()}
	}
	return entry, event, nil
}

// close gives back what the history holds. What it could report does not
// matter to anybody: all has been read.
func (h *history) close() {
	h.progress.finish()
	_ = h.entries.Close()
	_ = h.file.Close()
}

// inputError tells bad input from input that could not be read.
func inputError(err error) error {
	var syntax *oplog.SyntaxError
	if !errors.As(err, &syntax) {
		return failure{err}
	}
	if syntax.UnknownField {
		hinted := *syntax
		hinted.Message += "; of another service's log, import --map makes a journal, and audit and diagnose take --map too"
		return &hinted
	}
	return syntax
}

// attentive calls a function before it waits for more input, and reads no more
// once that has failed.
type attentive struct {
	io.Reader
	wait func() error
}

func (a *attentive) Read(p []byte) (int, error) {
	if err := a.wait(); err != nil {
		return 0, err
	}
	return a.Reader.Read(p)
}

// isTerminal tells whether a person sits at a file's other end.
func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
