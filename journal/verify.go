package journal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// VerifyOptions say what Verify has to do beside its own checks.
type VerifyOptions struct {
	// Head, if not nil, is a head that was noted elsewhere. Verify proves that
	// this is the journal it was taken of, however much has been added since,
	// or fails with ErrHead.
	Head *Head
	// Fallback is as in Options.
	Fallback bool
	// Record, if not nil, is called with every record in order; the record's
	// bytes are valid until it returns. An error ends the verification.
	Record func(Record) error
	// Snapshot, if not nil, is called with the content of every snapshot, and
	// has to read all of it. An error ends the verification.
	Snapshot func(Snapshot, io.Reader) error
}

// Report is what Verify has found in order, up to the first fault.
type Report struct {
	Genesis   Genesis
	Head      Head
	Records   uint64     // intact, and without a gap
	Snapshots []Snapshot // intact
	// Unfinished counts snapshots whose writing was never completed. They are
	// invisible, and the next writer removes them.
	Unfinished int
	Pages      uint64 // of the file, each in use once or free
	Free       uint64
	// Moving says that the file was written to while it was verified, so that
	// the account of its pages (Pages, Free) could not be taken.
	Moving bool
}

// Verify reads all of a journal file and proves that it is whole: the meta
// pages, the genesis, every record with its checksum and sequence, the chain
// with all its checkpoints up to the head, every chunk of every snapshot, and
// the account of all pages. The error names the first fault, usually as a
// Damage; the report tells what had been proved before. The file is opened for
// reading only, without a lock; its journal may be in use. Memory does not
// depend on its length.
func Verify(path string, options VerifyOptions) (Report, error) {
	file, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	source := pages.New(fileSource{file})
	source.Fallback = options.Fallback
	return verify(source, options)
}

// verify is Verify for an open file.
func verify(file *pages.File, options VerifyOptions) (Report, error) {
	v := verification{file: file, options: options}
	for _, step := range []func() error{v.begin, v.records, v.ending, v.snapshots, v.account} {
		if err := step(); err != nil {
			return v.Report, err
		}
	}
	return v.Report, nil
}

// verification is one run of Verify.
type verification struct {
	Report
	file    *pages.File
	options VerifyOptions

	chain    *chain
	headAt   *pages.Element
	noted    bool // the noted head has been met
	complete []Snapshot
	passed   int // how many of them the records have gone by
	steps    checkpoints
}

// begin reads what stands at the beginning, and where the end is.
func (v *verification) begin() error {
	err := v.file.Read(func(view pages.View) (err error) {
		if v.Genesis, err = readGenesis(view); err != nil {
			return err
		}
		if v.Head, v.headAt, err = readHead(view, v.Genesis); err != nil {
			return err
		}
		_, err = lastCheckpoint(view, v.Genesis, v.Head.Sequence) // later ones will be new
		return err
	})
	if err != nil {
		return located("the file", 0, err)
	}
	err = v.file.Read(func(view pages.View) (err error) {
		v.complete, err = listSnapshots(view, v.Genesis)
		return err
	})
	if err = located("the file", 0, err); err != nil && !errors.Is(err, ErrDamaged) {
		return err // damage has to wait until the records have been looked at
	}
	v.chain = chainOf(v.Genesis)
	v.steps = checkpoints{cursor: v.file.Cursor(chainBucket), genesis: v.Genesis, last: v.Head.Sequence}
	return v.steps.advance()
}

// records goes through all records.
func (v *verification) records() error {
	c := recordsOf(v.file, v.Genesis.Base.Sequence+1, v.Head.Sequence)
	if err := v.meet(v.Genesis.Base.Sequence); err != nil {
		return err
	}
	for {
		err := c.step()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		r, reason := decodeRecord(c.at.Entry)
		if reason != "" {
			return c.damaged(reason)
		}
		v.chain.add(c.at.Value)
		if s := v.snapshotAt(r.Sequence); s != nil && s.Fingerprint != r.Fingerprint {
			return broken(snapshotPart(s.Sequence), s.Sequence, c.at,
				fmt.Sprintf("its fingerprint %x is not that of its record, %x", s.Fingerprint, r.Fingerprint))
		}
		if err := v.meet(r.Sequence); err != nil {
			return err
		}
		if v.options.Record != nil {
			if err := v.options.Record(r); err != nil {
				return err
			}
		}
		v.Records++
	}
}

// snapshotAt is the complete snapshot at a sequence, or nil. Sequences come in
// order.
func (v *verification) snapshotAt(sequence uint64) *Snapshot {
	for ; v.passed < len(v.complete); v.passed++ {
		if s := &v.complete[v.passed]; s.Sequence == sequence {
			return s
		} else if s.Sequence > sequence {
			break
		}
	}
	return nil
}

// meet compares the chain with the checkpoint and the noted head that stand at
// a sequence.
func (v *verification) meet(sequence uint64) error {
	if sequence == v.steps.next.Sequence && sequence > 0 {
		if err := v.steps.compare(v.chain.last); err != nil {
			return err
		}
	}
	if noted := v.options.Head; noted != nil && sequence == noted.Sequence {
		if got := v.chain.head(); got != *noted {
			return fmt.Errorf("%w: it is %s, and %s was noted", ErrHead, got, noted)
		}
		v.noted = true
	}
	return nil
}

// ending compares the chain's end with the head, and judges checkpoints that
// did not fit.
func (v *verification) ending() error {
	matches := v.chain.head() == v.Head
	switch {
	case v.steps.odd != nil && matches:
		return broken("the chain", 0, v.steps.oddAt, fmt.Sprintf("its checkpoint at %d is wrong; the records and the head agree", v.steps.odd.Sequence))
	case v.steps.odd != nil:
		return broken("the chain", 0, v.steps.oddAt, fmt.Sprintf("records %d to %d are not those that were written", v.steps.good+1, v.steps.odd.Sequence))
	case !matches:
		return broken("the head", 0, v.headAt, fmt.Sprintf("records %d to %d are not those that were written, or it is not their hash", v.steps.good+1, v.Head.Sequence))
	case v.options.Head == nil || v.noted:
		return nil
	case v.options.Head.Sequence < v.Genesis.Base.Sequence:
		return fmt.Errorf("%w: record %d is in an archive, the journal begins after %d", ErrHead, v.options.Head.Sequence, v.Genesis.Base.Sequence)
	}
	return fmt.Errorf("%w: it ends at %d, before %d", ErrHead, v.Head.Sequence, v.options.Head.Sequence)
}
