package journal

import (
	"errors"
	"fmt"
	"os"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// Damage says which part of a journal is damaged, where it lies in the file,
// and how that was noticed. It implements error and matches ErrDamaged.
type Damage struct {
	// Part names the part, such as "record 812" or "snapshot 40".
	Part string
	// Sequence is the record's, or the snapshot's; 0 for other parts.
	Sequence uint64
	// Offset and Length are the bytes in question, from the file's beginning.
	// Length is 0 where no bytes can be named: in memory.
	Offset, Length int64
	// Reason says what is wrong with them.
	Reason string
}

// Error implements error.
func (d *Damage) Error() string {
	are := "is"
	if d.Part == recordsPart || d.Part == chunksPart {
		are = "are"
	}
	if d.Length == 0 {
		return fmt.Sprintf("journal: %s %s damaged: %s", d.Part, are, d.Reason)
	}
	return fmt.Sprintf("journal: %s %s damaged: %s (bytes %d to %d of the file, page %d)",
		d.Part, are, d.Reason, d.Offset, d.Offset+d.Length-1, d.Offset/pages.Size)
}

// Is makes a Damage match ErrDamaged.
func (d *Damage) Is(target error) bool { return target == ErrDamaged }

// located turns what reading a part of the file came to into an error of this
// package.
func located(part string, sequence uint64, err error) error {
	var p *pages.Damage
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return &Damage{Part: part, Sequence: sequence, Offset: p.Offset, Length: p.Length, Reason: p.Reason}
	case errors.Is(err, os.ErrClosed):
		return ErrClosed
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrFormat): // has been here before
		return err
	}
	return fmt.Errorf("journal: %s: %w", part, err)
}

// broken is the Damage of what lies in one element of a page.
func broken(part string, sequence uint64, e *pages.Element, reason string) error {
	return &Damage{Part: part, Sequence: sequence, Offset: e.Offset, Length: int64(len(e.Value)), Reason: reason}
}

// Parts that are many.
const (
	recordsPart = "the records"
	chunksPart  = "the chunks"
)

// recordPart and snapshotPart name parts.
func recordPart(sequence uint64) string   { return fmt.Sprintf("record %d", sequence) }
func snapshotPart(sequence uint64) string { return fmt.Sprintf("snapshot %d", sequence) }
