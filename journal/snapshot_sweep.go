package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// readPages reads every page that holds chunks of a snapshot.
func readPages(file *pages.File, sequence uint64) error {
	for c := file.Cursor(chunksBucket, string(sequenceKey(sequence))); ; {
		if _, err := c.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return located(snapshotPart(sequence), sequence, err)
		}
	}
}

// unfinished lists the snapshots whose writing has not been completed.
func unfinished(v pages.View, complete []Snapshot) ([]uint64, error) {
	done := make(map[string]bool, len(complete))
	for _, s := range complete {
		done[string(sequenceKey(s.Sequence))] = true
	}
	var list []uint64
	for c := v.Cursor(chunksBucket); ; {
		e, err := c.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, missing(chunksPart, err)
		}
		if len(e.Key) != 8 || !e.Bucket {
			return nil, broken(chunksPart, 0, e, fmt.Sprintf("no snapshot can have the key %x", e.Key))
		}
		if !done[string(e.Key)] {
			list = append(list, binary.BigEndian.Uint64(e.Key))
		}
	}
}

// sweep removes what a crash has left of snapshots.
func (f *File) sweep(still *pages.File) error {
	v, err := still.View()
	if err != nil {
		return located("the file", 0, err)
	}
	complete, err := listSnapshots(v, f.genesis)
	if errors.Is(err, ErrDamaged) {
		return nil // not now: what looks unfinished may be complete
	}
	if err != nil {
		return err
	}
	list, err := unfinished(v, complete)
	if err != nil {
		return err
	}
	for _, sequence := range list {
		if err := readPages(still, sequence); err != nil {
			return err
		}
		if err := f.drop(sequence); err != nil {
			return err
		}
	}
	return nil
}
