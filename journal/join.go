package journal

import "fmt"

// VerifyJoin proves that an archive holds the records before a compacted
// journal's base: that it is a whole, intact journal with the same genesis and
// that its head at the base is the one which the journal goes on from. Where
// the archive holds later records too, they must be the journal's own.
func VerifyJoin(journal, archive string) error {
	newer, err := Open(journal, Options{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("journal: %s: %w", journal, err)
	}
	defer newer.Close()
	older, err := Open(archive, Options{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("journal: %s: %w", archive, err)
	}
	defer older.Close()
	base := newer.Genesis().Base
	switch {
	case newer.Genesis().identity() != older.Genesis().identity():
		return fmt.Errorf("%w: journal %x, archive of %x", ErrJoin, newer.Genesis().ID, older.Genesis().ID)
	case base.Sequence == 0:
		return fmt.Errorf("%w: it begins with record 1 and has none", ErrJoin)
	case older.Genesis().Base.Sequence >= base.Sequence || older.Last() < base.Sequence:
		return fmt.Errorf("%w: the journal goes on after record %d, the archive holds %d to %d",
			ErrJoin, base.Sequence, older.Genesis().Base.Sequence+1, older.Last())
	}
	if _, err := Verify(archive, VerifyOptions{Head: &base}); err != nil {
		return fmt.Errorf("%w: %w", ErrJoin, err)
	}
	return sameRecords(newer, older)
}

// sameRecords checks that the archive's last record, if the journal holds it
// too, ends the same chain in both.
func sameRecords(newer, older *File) error {
	end := min(newer.Last(), older.Last())
	if end == newer.Genesis().Base.Sequence {
		return nil
	}
	here, err := headAt(newer, end)
	if err != nil {
		return err
	}
	there, err := headAt(older, end)
	if err != nil {
		return err
	}
	if here != there {
		return fmt.Errorf("%w: after record %d they go different ways", ErrJoin, newer.Genesis().Base.Sequence)
	}
	return nil
}

// headAt computes the head at a sequence from the records.
func headAt(f *File, sequence uint64) (Head, error) {
	c := chainOf(f.genesis)
	var entry []byte
	for r, err := range f.Scan(0, sequence) {
		if err != nil {
			return Head{}, err
		}
		entry = r.append(entry[:0])
		c.add(entry[keySize:])
	}
	return c.head(), nil
}
