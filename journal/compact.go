package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// compactRecords is how many records Compact puts into one commit.
const compactRecords = 4096

// Compact writes a journal without the records before a snapshot to a new
// file, target. The snapshot is the newest one whose sequence is at most
// before; 0 takes the newest of all. The new journal keeps that snapshot and
// the later ones, and the records after it, together with those few before it
// that belong to the same link of the chain. It has the same identity and the
// same heads. The source is left as it is and becomes the new journal's
// archive (VerifyJoin).
//
// A replay of the new journal begins at a snapshot, so its oldest one is worth
// more than before: verify the source first. The error matches ErrNothingToCut
// if there are no records that could be left out, and fs.ErrNotExist too if
// that is for want of a snapshot. target appears under its name only when it is
// whole.
//
// The source may be in use. Where its writer deletes a snapshot that is about
// to be copied, Compact starts over with those that there are by then.
func Compact(source, target string, before uint64) (Genesis, error) {
	src, err := Open(source, Options{ReadOnly: true})
	if err != nil {
		return Genesis{}, err
	}
	defer src.Close()
	for attempt := 1; ; attempt++ {
		genesis, err := compact(src, target, before)
		if !errors.Is(err, errVanished) || attempt == compactAttempts {
			return genesis, err
		}
	}
}

// compactAttempts is how often Compact starts over.
const compactAttempts = 20

// errVanished says that a snapshot was deleted before it had been copied.
var errVanished = errors.New("journal: the source's snapshots are deleted faster than they can be copied")

// compact is one attempt of Compact.
func compact(src *File, target string, before uint64) (Genesis, error) {
	keep, err := keptSnapshots(src, before)
	if err != nil {
		return Genesis{}, err
	}
	genesis := src.Genesis()
	cut := keep[0].Sequence - keep[0].Sequence%linkRecords
	if cut <= genesis.Base.Sequence {
		return Genesis{}, fmt.Errorf("%w: the snapshot at %d is too near to the beginning", ErrNothingToCut, keep[0].Sequence)
	}
	if genesis.Base, err = headAt(src, cut); err != nil {
		return Genesis{}, err
	}
	if _, err := os.Lstat(target); err == nil {
		return Genesis{}, fmt.Errorf("journal: %s: %w", target, fs.ErrExist)
	}
	draft, err := draftFile(target, genesis)
	if err != nil {
		return Genesis{}, wrap(err)
	}
	if err := copyInto(draft, src, keep); err != nil {
		os.Remove(draft)
		return Genesis{}, err
	}
	if err := Publish(draft, target); err != nil {
		os.Remove(draft)
		return Genesis{}, wrap(err)
	}
	return genesis, nil
}

// keptSnapshots lists the snapshots that the new journal has: the newest not
// after before, and all later ones. They are listed before the source is
// brought up to date, so that none of them lies beyond its last record.
func keptSnapshots(src *File, before uint64) ([]Snapshot, error) {
	list, err := src.Snapshots()
	if err != nil {
		return nil, err
	}
	if err := src.Refresh(); err != nil {
		return nil, err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if before == 0 || list[i].Sequence <= before {
			return list[i:], nil
		}
	}
	what := "there is no snapshot"
	if before != 0 {
		what = fmt.Sprintf("there is no snapshot up to record %d", before)
	}
	return nil, fmt.Errorf("%w: %w", ErrNothingToCut, noneOf{what})
}

// noneOf says that something does not exist, and matches fs.ErrNotExist.
type noneOf struct{ text string }

func (n noneOf) Error() string        { return n.text }
func (n noneOf) Is(target error) bool { return target == fs.ErrNotExist }

// copyInto fills a journal with the records and snapshots of another.
func copyInto(path string, src *File, keep []Snapshot) (err error) {
	dst, err := Open(path, Options{bulk: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	if err := copyRecords(dst, src); err != nil {
		return err
	}
	for _, s := range keep {
		if err := copySnapshot(dst, src, s); err != nil {
			return err
		}
	}
	if dst.Head() != src.Head() {
		return fmt.Errorf("journal: compacted to head %s from %s: %w", dst.Head(), src.Head(), ErrDamaged)
	}
	return nil
}

// copyRecords copies the records after dst's base.
func copyRecords(dst, src *File) error {
	batch := make([]Record, 0, compactRecords)
	var arena []byte // the batch's events and answers
	flush := func() error {
		err := dst.Append(batch...)
		batch, arena = batch[:0], arena[:0]
		return err
	}
	if src.Last() == dst.Last() {
		return nil
	}
	for r, err := range src.Scan(dst.Last()+1, 0) {
		if err != nil {
			return err
		}
		start := len(arena)
		arena = append(append(arena, r.Event...), r.Answer.kept...)
		middle := start + len(r.Event)
		r.Event, r.Answer.kept = arena[start:middle:middle], arena[middle:]
		if batch = append(batch, r); len(batch) == cap(batch) || len(arena) > MaxEvent {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// copySnapshot copies one snapshot, if it is still there.
func copySnapshot(dst, src *File, s Snapshot) error {
	w, err := dst.CreateSnapshot(s.Sequence, s.Fingerprint)
	if err != nil {
		return err
	}
	defer w.Close()
	r, err := src.OpenSnapshot(s.Sequence)
	if err == nil {
		_, err = io.Copy(w, r)
		err = errors.Join(err, r.Close())
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%d)", errVanished, s.Sequence)
	}
	if err != nil {
		return err
	}
	return w.Commit()
}
