package snapshot

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt is matched by every error that says that the bytes are not a
	// sound snapshot; errors.As finds a *Damage in it, which says where.
	ErrCorrupt = errors.New("snapshot: corrupt")
	// ErrVersion is matched by the error for a snapshot in a version of the
	// format that this package does not know.
	ErrVersion = errors.New("snapshot: unknown version of the format")
)

// Damage says which bytes of a stream cannot be right, and why. It matches
// ErrCorrupt, io.ErrUnexpectedEOF if the stream ends early, and
// fsm.ErrRestore if its rows do not make up a state.
type Damage struct {
	// Chunk is the number of the frame at fault: 0 is the header, 1 the first
	// chunk of rows. It is -1 if the stream is wrong as a whole.
	Chunk int
	// Offset and Length are the bytes of that frame in the stream, as far as
	// they are there.
	Offset, Length int64
	// Reason says what is wrong with them.
	Reason string
	// Err is the cause, if there is more to say than Reason does.
	Err error
}

// Error implements error.
func (d *Damage) Error() string {
	place := "as a whole"
	if d.Chunk >= 0 {
		place = fmt.Sprintf("chunk %d", d.Chunk)
	}
	if d.Length > 0 {
		place += fmt.Sprintf(" (bytes %d to %d)", d.Offset, d.Offset+d.Length-1)
	} else {
		place += fmt.Sprintf(" (at byte %d)", d.Offset)
	}
	text := fmt.Sprintf("%v, %s: %s", ErrCorrupt, place, d.Reason)
	if d.Err != nil {
		text += ": " + d.Err.Error()
	}
	return text
}

// Unwrap makes the error match ErrCorrupt and the cause.
func (d *Damage) Unwrap() []error {
	if d.Err == nil {
		return []error{ErrCorrupt}
	}
	return []error{ErrCorrupt, d.Err}
}
