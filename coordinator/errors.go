package coordinator

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Errors to match with errors.Is. Those about a lease come in an *Error.
var (
	// ErrLeaseHeld: somebody has the key, or stands in line for it.
	ErrLeaseHeld = errors.New("coordinator: the key is held")
	// ErrLeaseNotFound: there is no such lease, or it was released, or the key
	// has been granted again since.
	ErrLeaseNotFound = errors.New("coordinator: no such lease")
	// ErrLeaseExpired: the lease was the key's last one and reached its end.
	ErrLeaseExpired = errors.New("coordinator: the lease has expired")
	// ErrInvalidTimeout: the timeout is not positive, or more than a day
	// together with the margin (R2).
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

// Error is a refusal with what it was about.
type Error struct {
	// Op is what was asked for: "grant", "wait", "renew" or "release".
	Op  string
	Key string
	// Instant is the coordinator's clock when it decided; zero if the arguments
	// were at fault and it did not look.
	Instant time.Time
	// Token is that of the lease that decided: the one in the way, the one that
	// expired, or the last one if there is no such lease; 0 if there never was
	// one.
	Token uint64
	// ExpiresAt is when the lease that decided ends or ended; zero for none.
	ExpiresAt time.Time
	// Err is one of the package's errors.
	Err error
}

// Unwrap lets errors.Is see Err.
func (e *Error) Unwrap() error { return e.Err }

// Error implements error, in one line whatever the key is made of.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Err.Error())
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
