package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// checkpoints goes through the checkpoints of a chain, while the records go
// by.
type checkpoints struct {
	cursor  *pages.Cursor
	genesis Genesis
	last    uint64

	next  Head // the next one to be met; its Sequence is 0 if there is none
	at    *pages.Element
	good  uint64 // sequence of the last one that fitted
	odd   *Head  // the first one that did not
	oddAt *pages.Element
}

// advance reads the next checkpoint.
func (c *checkpoints) advance() error {
	e, err := c.cursor.Next()
	if errors.Is(err, io.EOF) {
		c.next = Head{}
		return nil
	}
	if err != nil {
		return missing("the chain", err)
	}
	if sequence, ok := parseSequence(e); ok && sequence > c.last {
		c.next = Head{} // written since the verification began, or met by the next one
		return nil
	}
	at := *e // the cursor goes on
	c.at = &at
	c.next, err = parseCheckpoint(e, c.genesis, c.last)
	return err
}

// compare compares the checkpoint with what the chain comes to there.
func (c *checkpoints) compare(link Head) error {
	switch {
	case link == c.next:
		c.good = link.Sequence
	case c.odd == nil:
		odd := c.next
		c.odd, c.oddAt = &odd, c.at
	}
	return c.advance()
}

// snapshots reads all chunks of all snapshots.
func (v *verification) snapshots() error {
	var list []Snapshot
	err := v.file.Read(func(view pages.View) (err error) {
		list, err = listSnapshots(view, v.Genesis)
		return err
	})
	if err != nil {
		return located("the list of snapshots", 0, err)
	}
	for _, s := range list {
		if s.Sequence > v.Head.Sequence {
			if slices.Contains(v.complete, s) {
				return &Damage{Part: snapshotPart(s.Sequence), Sequence: s.Sequence, Reason: fmt.Sprintf("the records end at %d", v.Head.Sequence)}
			}
			continue // written since the verification began
		}
		err := v.content(s)
		if errors.Is(err, fs.ErrNotExist) && !v.file.Still {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		v.Snapshots = append(v.Snapshots, s)
	}
	return nil
}

// content reads all chunks of a snapshot.
func (v *verification) content(s Snapshot) error {
	r := openChunks(v.file, s)
	if v.options.Snapshot != nil {
		if err := v.options.Snapshot(s, r); err != nil {
			return err
		}
	}
	_, err := io.Copy(io.Discard, r)
	return err
}

// accountAttempts is how often account tries to fall between two commits.
const accountAttempts = 20

// account accounts for every page of the file.
func (v *verification) account() error {
	for range accountAttempts {
		view, err := v.file.View()
		if err != nil {
			return located("the file", 0, err)
		}
		complete, err := listSnapshots(view, v.Genesis)
		if err == nil {
			err = onlyKnown(view)
		}
		var list []uint64
		if err == nil {
			list, err = unfinished(view, complete)
		}
		var a pages.Account
		if err == nil {
			a, err = view.Check(hasBuckets)
		}
		if pages.Moved(err) {
			continue
		}
		if err != nil {
			return located("the account of pages", 0, err)
		}
		v.Unfinished, v.Pages, v.Free = len(list), a.Pages, a.Free
		return nil
	}
	v.Moving = true
	return nil
}

// onlyKnown refuses buckets, and elements of metaBucket, that no journal has:
// the chain of hashes does not cover them.
func onlyKnown(view pages.View) error {
	for _, level := range []struct {
		path    []string
		known   []string
		buckets bool
	}{
		{nil, buckets, true},
		{[]string{metaBucket}, []string{genesisKey, headKey}, false},
	} {
		for c := view.Cursor(level.path...); ; {
			e, err := c.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			if !slices.Contains(level.known, string(e.Key)) || e.Bucket != level.buckets {
				return broken("the file", 0, e, fmt.Sprintf("no journal has %q there", e.Key))
			}
		}
	}
	return nil
}
