package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
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

// errNoJournal says what a file is not.
var errNoJournal = errors.New("is no journal")

// mustBeJournal refuses a file that is none.
func mustBeJournal(name string) error {
	is, err := isJournal(name)
	if is || err != nil {
		return err
	}
	if name != "-" {
		if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file, as journals are", name) // to open it may take for ever
		}
		file, _, err := openInput(name)
		if err != nil {
			return err
		}
		_ = file.Close()
	}
	return fmt.Errorf("%s %w", name, errNoJournal)
}

// openJournal opens a journal for reading. Nobody is held up by that.
func openJournal(name string) (*journal.File, error) { return openFallback(name, false) }

// openFallback opens a journal for reading, if fallback is wanted even one of
// which a meta page is broken.
func openFallback(name string, fallback bool) (*journal.File, error) {
	if err := mustBeJournal(name); err != nil {
		return nil, err
	}
	j, err := journal.Open(name, journal.Options{ReadOnly: true, Fallback: fallback})
	return j, journalError(named(name, err))
}

// named says which journal is damaged or too new, and whether it can be read
// nevertheless; other errors name their file themselves.
func named(name string, err error) error {
	if errors.Is(err, journal.ErrDamaged) && isTorn(name) {
		err = fmt.Errorf("%w; the other one is whole, and verify, replay and export take --fallback", err)
	}
	if errors.Is(err, journal.ErrDamaged) || errors.Is(err, journal.ErrFormat) {
		return about{err, name}
	}
	return err
}

// isTorn tells whether all that keeps a journal from being opened is one of
// its two meta pages.
func isTorn(name string) bool {
	opens := func(fallback bool) error {
		j, err := journal.Open(name, journal.Options{ReadOnly: true, Fallback: fallback})
		if err == nil {
			_ = j.Close()
		}
		return err
	}
	return errors.Is(opens(false), journal.ErrDamaged) && opens(true) == nil
}

// addFallback adds the flag --fallback to a command.
func addFallback(cmd *cobra.Command, to *bool, of string) {
	cmd.Flags().BoolVar(to, "fallback", false, of+"read it even if one of its two meta pages is broken; its last commit may be lost")
}

// inputFaults are the errors that whoever called the command can do something
// about: another file, another name, other flags.
var inputFaults = []error{
	fs.ErrExist, journal.ErrDamaged, journal.ErrFormat, journal.ErrArchived, journal.ErrNothingToCut,
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
	if isAny(err, inputFaults) || isAny(err, noSuchFile) {
		return err
	}
	return failure{err}
}
