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
		return about{err, name}
	}
	return err
}

// inputFaults are the errors that whoever called the command can do something
// about: another file, another name, other flags.
var inputFaults = []error{
	fs.ErrExist, journal.ErrDamaged, journal.ErrFormat, journal.ErrArchived,
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
