package coordinator

import (
	"context"
	"fmt"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
)

// MaxToken is the highest token of a key, 2^62: no state with a higher one
// could be read back from a snapshot. At a million leases a second it lasts for
// a hundred thousand years.
const MaxToken uint64 = 1 << 62

// MaxKey is the longest key in bytes.
const MaxKey = 64 << 10

// longest is how long a lease may be (R2, R30).
const longest = 24 * time.Hour

// Lease is a lease as it was granted or renewed. It is a value that does not
// change: a renewal makes another one with the same ID and Token.
type Lease struct {
	Key string
	// ID is what Renew and Release ask for. It is not a secret, it is never
	// given to another lease of the key, and it is good after a restart over the
	// same journal.
	ID string
	// Token is the fencing token (R5).
	Token uint64
	// Since is when it was granted or renewed, ExpiresAt is Since + Timeout +
	// Margin, both by the coordinator's clock. At ExpiresAt it is over (R2).
	Since, ExpiresAt time.Time
	// Timeout is for how long the leader should count on the lease; Margin is
	// added for clocks that differ and messages that are late.
	Timeout, Margin time.Duration

	coordinator *Coordinator
}

// Done returns a channel that is closed when the lease ends, by its time or by
// a release; also when the coordinator stops and can vouch for it no longer.
// Renewals put it off, through whichever Lease of the same ID one asks. It is
// closed before anybody gets the key after it. From the first call to the end
// of the lease the coordinator keeps an alarm set.
func (l *Lease) Done() <-chan struct{} {
	c := l.coordinator
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.keys[l.Key]
	if c.stopped != nil || k.last.id != l.ID || !k.live(c.now()) {
		return ended
	}
	if k.last.done == nil {
		k.last.done = make(chan struct{})
		c.attend(k)
		c.setAlarm()
	}
	return k.last.done
}

var ended = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// terms is for how long a lease is asked.
type terms struct{ timeout, margin time.Duration }

func (t terms) ticks() int64 { return int64(t.timeout + t.margin) }

// lease makes the Lease of the key's lease in force. c.mu is held.
func (c *Coordinator) lease(k *key, t terms, since int64) *Lease {
	return &Lease{
		Key: k.name, ID: k.last.id, Token: uint64(k.highest),
		Since: instant(since), ExpiresAt: instant(k.last.expires),
		Timeout: t.timeout, Margin: t.margin, coordinator: c,
	}
}

// terms checks the arguments that need no state.
func (c *Coordinator) terms(ctx context.Context, op, name string, timeout time.Duration, margins []time.Duration) (terms, error) {
	t := terms{timeout, c.margin}
	if err := ctx.Err(); err != nil {
		return t, err
	}
	if len(margins) == 1 {
		t.margin = margins[0]
	}
	switch {
	case !validKey(name):
		return t, &Error{Op: op, Key: name, Err: ErrInvalidKey}
	case len(margins) > 1:
		return t, &Error{Op: op, Key: name, Err: fmt.Errorf("%w: %d are given, and at most one may be", ErrInvalidMargin, len(margins))}
	case t.margin < 0:
		return t, &Error{Op: op, Key: name, Err: fmt.Errorf("%w: %v is less than 0", ErrInvalidMargin, t.margin)}
	case timeout <= 0, t.margin > longest, timeout > longest-t.margin:
		return t, &Error{Op: op, Key: name, Err: badTimeout(timeout, t.margin)}
	}
	return t, nil
}

// badTimeout says what a timeout has to be, and is not.
func badTimeout(timeout, margin time.Duration) error {
	return fmt.Errorf("%w: %v with a margin of %v; the timeout has to be more than 0, and timeout + margin at most %v",
		ErrInvalidTimeout, timeout, margin, longest)
}

func validKey(name string) bool { return len(name) <= MaxKey && events.IsText(name) }

// refuse makes the error of a refusal that the state decided, with the lease
// that did: one that is in force, or the one that has expired. k may be nil.
func refuse(op, name string, k *key, now int64, why error) *Error {
	e := &Error{Op: op, Key: name, Instant: instant(now), Err: why}
	if k.live(now) || why == ErrLeaseExpired {
		e.Token, e.ExpiresAt = uint64(k.highest), instant(k.last.expires)
	}
	return e
}
