package projection

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// Lease is the life of a lease: it was valid from Began.Instant up to, not
// including, Ended.Instant (R2).
type Lease struct {
	Lock   string
	Client string
	Mode   events.Mode
	Token  int64
	// Began is the grant.
	Began Moment
	// Why says why the lock was free for it: free, expiry, release, withdrawal or abort
	// (R10, R11). CauseNone if Began is Earlier.
	Why events.Cause
	// Ended is the zero Moment while the lease is in force.
	Ended Moment
	// How says how it ended: expiry, release or abort. CauseNone while it is in
	// force.
	How events.Cause
	// ExpiresAt is the end that was promised last, in ticks. A lease that
	// lapsed ended then; one that was released or aborted, not later.
	ExpiresAt int64
	// Renewals counts the renewals that the projection has seen.
	Renewals int
}

// At tells whether the lease was in force at an instant. For a lease that began
// Earlier, the answer is good from that instant on.
func (l *Lease) At(ts int64) bool {
	return l.Began.Instant <= ts && (!l.Ended.Happened() || ts < l.Ended.Instant)
}

// Length is how long the lease was in force, in ticks, up to now if it is
// still; from the projection's beginning if it began Earlier.
func (l *Lease) Length(now int64) uint64 { return length(l.Began, l.Ended, now) }

// String is the lease in one line.
func (l *Lease) String() string {
	text := fmt.Sprintf("%s token %d: %s %s from %s (%s)", name(l.Lock), l.Token, name(l.Client), l.Mode, l.Began, dash(l.Why.String()))
	if l.Ended.Happened() {
		return text + fmt.Sprintf(" to %s (%s)", l.Ended, l.How)
	}
	return text + fmt.Sprintf(", in force until %d", l.ExpiresAt)
}

// Renewal is a new end of a lease (R2).
type Renewal struct {
	Lock, Client string
	Token        int64
	At           Moment
	Before       int64 // the end that was promised before, in ticks
	ExpiresAt    int64 // the new end; it may be the earlier one
}

// String is the renewal in one line.
func (r *Renewal) String() string {
	return fmt.Sprintf("%s token %d: %s renewed at %s until %d, not %d", name(r.Lock), r.Token, name(r.Client), r.At, r.ExpiresAt, r.Before)
}

// Ending is what became of a request that had to wait.
type Ending uint8

// The endings.
const (
	StillWaiting Ending = iota
	WasGranted          // it got its lease (R11)
	WasWithdrawn        // its client took it back (R13)
	WasAborted          // its client was the victim of a deadlock (R19)
)

// String is the ending in words.
func (e Ending) String() string {
	return [...]string{"waiting", "granted", "withdrawn", "aborted"}[e&3]
}

// Wait is the life of a request in a queue: it stood there from Began.Instant
// up to, not including, Ended.Instant.
type Wait struct {
	Lock   string
	Client string
	Mode   events.Mode
	// Began is the request.
	Began Moment
	// Position is the place in the queue, 1 for the head (R4), when the
	// request joined it; before the aborts that it brought about, if any. If
	// Began is Earlier, it is the place when the projection began.
	Position int
	// Ended is the zero Moment while the request waits. The Moment of a grant
	// is also the one at which the lease began.
	Ended  Moment
	Ending Ending
	// Token is that of the lease if it was granted, otherwise 0.
	Token int64
}

// At tells whether the request waited at an instant. For one that began
// Earlier, the answer is good from that instant on.
func (w *Wait) At(ts int64) bool {
	return w.Began.Instant <= ts && (!w.Ended.Happened() || ts < w.Ended.Instant)
}

// Length is how long the request waited, in ticks, up to now if it still does;
// from the projection's beginning if it began Earlier.
func (w *Wait) Length(now int64) uint64 { return length(w.Began, w.Ended, now) }

// String is the wait in one line.
func (w *Wait) String() string {
	text := fmt.Sprintf("%s: %s %s waits from %s at %d", name(w.Lock), name(w.Client), w.Mode, w.Began, w.Position)
	if w.Ended.Happened() {
		return text + fmt.Sprintf(" to %s (%s)", w.Ended, w.Ending)
	}
	return text
}

// Write is a write that the store took, or that was refused although all of
// its arguments were right (R6).
type Write struct {
	Lock, Key string
	Token     int64
	// At is when it came. The instant of a write that is refused because its
	// clock went back lies before what came earlier (R26).
	At      Moment
	Refusal events.Refusal // NotRefused if the store took it
	// Holder is the client whose lease in force had the token when the write
	// came, "" if there was none.
	Holder string
}

// String is the write in one line.
func (w *Write) String() string {
	return fmt.Sprintf("%s key %s token %d at %s: %s, %s", name(w.Lock), name(w.Key), w.Token, w.At, accepted(w.Refusal), holding(w.Holder))
}

func holding(holder string) string {
	if holder == "" {
		return "not by a holder"
	}
	return "by the holder " + name(holder)
}

func length(began, ended Moment, now int64) uint64 {
	if ended.Happened() {
		now = ended.Instant
	}
	return ticks(began.Instant, now)
}

// writeOf reads a write out of an effect. A refused operation that names a key
// and a token is a write: no other has both.
func writeOf(e *events.Effect, at Moment) (w Write, ok bool) {
	if e.Kind != events.EffectWritten && (e.Kind != events.EffectRefused || e.Key == "" || e.Token == 0) {
		return Write{}, false
	}
	return Write{Lock: e.Lock, Key: e.Key, Token: e.Token, At: at, Refusal: e.Refusal}, true
}
