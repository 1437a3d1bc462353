package pages

import (
	"errors"
	"fmt"
)

// Damage says which bytes of a file cannot be right, and why. It implements
// error.
type Damage struct {
	// Offset and Length are the bytes in question, counted from the file's
	// beginning. Length is at least 1.
	Offset, Length int64
	// Reason says what is wrong with them.
	Reason string
}

// Error implements error.
func (d *Damage) Error() string {
	return fmt.Sprintf("bytes %d to %d: %s", d.Offset, d.Offset+d.Length-1, d.Reason)
}

// errMoved reports that the file has a newer tree than the view: what was
// read may have been overwritten meanwhile.
var errMoved = errors.New("pages: the file has been written to")

// ErrBusy reports that the file was written to so fast that not one read fell
// between two commits.
var ErrBusy = errors.New("pages: the file is written to faster than it can be read")

// damaged is a Damage of length bytes at offset.
func damaged(offset, length int64, format string, arguments ...any) error {
	return &Damage{Offset: offset, Length: max(length, 1), Reason: fmt.Sprintf(format, arguments...)}
}

// pageDamaged is a Damage of one whole page.
func pageDamaged(id uint64, format string, arguments ...any) error {
	return damaged(int64(id)*Size, Size, "page %d "+format, append([]any{id}, arguments...)...)
}

// Moved tells whether an error only says that the file was written to while
// it was read in one go.
func Moved(err error) bool { return errors.Is(err, errMoved) }
