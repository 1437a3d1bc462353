package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/spf13/cobra"
)

// isJournal tells a journal from a history by its content: one of its first
// two pages begins like those of a bbolt file.
func isJournal(name string) (bool, error) {
	if name == "-" {
		return false, nil
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false, nil // whoever opens it says what is wrong
	}
	file, _, err := openInput(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	const pageSize, magicOffset, magic = 4096, 16, 0xed0cdaed
	for _, page := range []int64{0, pageSize} {
		var found [4]byte
		if _, err := file.ReadAt(found[:], page+magicOffset); err == nil && binary.LittleEndian.Uint32(found[:]) == magic {
			return true, nil
		}
	}
	return false, nil
}

// mustBeJournal refuses a file that is none.
func mustBeJournal(name string) error {
	is, err := isJournal(name)
	if is || err != nil {
		return err
	}
	if name != "-" {
		file, _, err := openInput(name)
		if err != nil {
			return err
		}
		_ = file.Close()
	}
	return fmt.Errorf("%s is no journal", name)
}

// openJournal opens a journal for reading. Nobody is held up by that.
func openJournal(name string) (*journal.File, error) {
	if err := mustBeJournal(name); err != nil {
		return nil, err
	}
	j, err := journal.Open(name, journal.Options{ReadOnly: true})
	return j, journalError(named(name, err))
}

// named says which journal is damaged; other errors do so themselves.
func named(name string, err error) error {
	if errors.Is(err, journal.ErrDamaged) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// inputFaults are the errors that whoever called the command can do something
// about: another file, another name, other flags.
var inputFaults = []error{
	fs.ErrNotExist, fs.ErrExist, journal.ErrDamaged, journal.ErrFormat, journal.ErrArchived,
	leasekeeper.ErrOptions, leasekeeper.ErrSnapshot,
}

// journalError tells what a journal's error means to the exit code. A recorded
// answer that is not the derived one is a difference; what is not the input's
// fault is the machine's.
func journalError(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, leasekeeper.ErrMismatch) {
		return finding{err}
	}
	var undecoded *events.DecodeError
	if errors.As(err, &undecoded) {
		return err
	}
	for _, fault := range inputFaults {
		if errors.Is(err, fault) {
			return err
		}
	}
	return failure{err}
}

// warn tells what a journal can be used in spite of.
func warn(err error) { tell(fmt.Sprintf("warning: %v", err)) }

// agree refuses flags that contradict the rules of a journal.
func (f *rulesFlags) agree(name string, rules events.Rules) error {
	_, err := f.rules(name, oplog.Header{Edition: rules.Edition, Unit: rules.Unit})
	return err
}

// rulesText is by which rules something is judged.
func rulesText(rules events.Rules) string {
	units := map[events.Unit]string{
		events.Second: "seconds", events.Millisecond: "milliseconds",
		events.Microsecond: "microseconds", events.Nanosecond: "nanoseconds",
	}
	return fmt.Sprintf("edition %d · %s", rules.Edition, units[rules.Unit])
}

// newReport returns a report on standard output.
func newReport(out *bufio.Writer) *view.Report {
	return view.NewReport(out, isTerminal(os.Stdout), lipgloss.NewRenderer(os.Stdout))
}

// arguments returns a check of how many arguments a command gets; usage names
// them.
func arguments(least, most int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s takes %s; see leasekeeper help %[1]s", cmd.Name(), usage)
		}
		return nil
	}
}
