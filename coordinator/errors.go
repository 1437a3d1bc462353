package coordinator

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Errors to match with errors.Is. ErrLeaseHeld to ErrTokenSpaceExhausted come in
// an *Error where an operation fails with them; so does a context's error from
// Wait. The rest are bare, as they have to do with no key.
var (
	// ErrLeaseHeld: somebody has the key, or stands in line for it.
	ErrLeaseHeld = errors.New("coordinator: the key is held")
	// ErrLeaseNotFound: there is no such lease, or it was released, or the key
	// has been granted again since.
	ErrLeaseNotFound = errors.New("coordinator: no such lease")
	// ErrLeaseExpired: the lease was the key's last one and reached its end.
	ErrLeaseExpired = errors.New("coordinator: the lease has expired")
	// ErrInvalidTimeout: the timeout is not more than 0, or timeout + margin is
	// more than a day (R2): of 24 h, a margin of 1 s leaves 23h59m59s.
	ErrInvalidTimeout = errors.New("coordinator: invalid timeout")
	// ErrInvalidMargin: the margin is negative, or there is more than one.
	ErrInvalidMargin = errors.New("coordinator: invalid margin")
	// ErrInvalidKey: the key is empty, not UTF-8 (R25), or longer than MaxKey.
	ErrInvalidKey = errors.New("coordinator: invalid key")
	// ErrTokenSpaceExhausted: the key has had MaxToken leases.
	ErrTokenSpaceExhausted = errors.New("coordinator: no token is left for the key")
	// ErrOptions: New was given something that it cannot work with, such as a
	// journal that does not count in nanoseconds.
	ErrOptions = errors.New("coordinator: bad options")
	// ErrJournalShared: somebody else wrote to the coordinator's journal, so it
	// no longer knows the state. It has stopped.
	ErrJournalShared = errors.New("coordinator: somebody else writes to the journal")
	// ErrClosed: the Coordinator was closed.
	ErrClosed = errors.New("coordinator: the coordinator is closed")
)

// Error is what Grant, Wait, Renew and Release fail with because of their
// arguments, the key's lease, or, in Wait, the end of the context.
type Error struct {
	// Op is what was asked for: "grant", "wait", "renew" or "release".
	Op  string
	Key string
	// Instant is the coordinator's clock when it decided; zero if the arguments
	// or the context were at fault and it did not look.
	Instant time.Time
	// Token is that of the lease that decided: with ErrLeaseExpired the one that
	// has expired, otherwise the one in force that is in the way; 0 if none is.
	Token uint64
	// ExpiresAt is when the lease of Token ends or ended; zero for none.
	ExpiresAt time.Time
	// Err is one of the package's errors, or the context's.
	Err error
}

// Unwrap lets errors.Is see Err, such as ErrLeaseHeld or context.DeadlineExceeded.
func (e *Error) Unwrap() error { return e.Err }

// Error implements error, in one line whatever the key is made of.
func (e *Error) Error() string {
	var b strings.Builder
	message := e.Err.Error()
	if !strings.HasPrefix(message, "coordinator: ") {
		message = "coordinator: " + message // a context's error
	}
	b.WriteString(message)
	b.WriteString(" (" + e.Op + " of " + quoted(e.Key))
	if !e.Instant.IsZero() {
		b.WriteString(" at " + e.Instant.Format(time.RFC3339Nano))
	}
	if e.Token != 0 {
		b.WriteString("; token " + strconv.FormatUint(e.Token, 10))
	}
	if !e.ExpiresAt.IsZero() {
		b.WriteString(" until " + e.ExpiresAt.Format(time.RFC3339Nano))
	}
	b.WriteString(")")
	return b.String()
}

// quoted is a name as a Go string of bounded length.
func quoted(name string) string {
	const most = 80
	if len(name) > most {
		return strconv.Quote(name[:most]) + "…"
	}
	return strconv.Quote(name)
}
