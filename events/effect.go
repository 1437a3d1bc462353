package events

// Result is all that one event brought about.
type Result struct {
	// Sequence numbers the event in its history, from 1.
	Sequence uint64
	// Answer is what the caller is told.
	Answer Answer
	// Effects lists what happened, in the order in which it happened: first
	// the leases that had lapsed by the event's instant, each at its own
	// instant, then what the operation itself did.
	Effects []Effect
}

// EffectKind says what happened.
type EffectKind uint8

// The kinds of effects. Beside Instant, Sequence and Kind, which every effect
// has, the comment names the fields that are set.
const (
	EffectGranted   EffectKind = iota + 1 // Lock, Client, Mode, Token, ExpiresAt, Cause (why the lock was free)
	EffectQueued                          // Lock, Client, Mode, Position
	EffectRenewed                         // Lock, Client, Mode, Token, ExpiresAt (the new end)
	EffectReleased                        // Lock, Client, Mode, Token, ExpiresAt (the end it would have had), Cause (release or abort)
	EffectWithdrawn                       // Lock, Client, Mode, Cause (release or abort)
	EffectExpired                         // Lock, Client, Mode, Token, ExpiresAt (= Instant), Cause (expiry)
	EffectAborted                         // Client, Cause (abort); what the abort ended follows it
	EffectWritten                         // Lock, Key, Token
	EffectRefused                         // Refusal, and Lock, Client, Key, Token as far as the operation named them validly
	effectKinds
)

var effectNames = [effectKinds]string{
	EffectGranted: "granted", EffectQueued: "queued", EffectRenewed: "renewed",
	EffectReleased: "released", EffectWithdrawn: "withdrawn", EffectExpired: "expired",
	EffectAborted: "aborted", EffectWritten: "written", EffectRefused: "refused",
}

// String is the kind in one lower-case word.
func (k EffectKind) String() string {
	if k > 0 && k < effectKinds {
		return effectNames[k]
	}
	return "invalid effect"
}

// Cause says why a lease or a wait began or ended.
type Cause uint8

// The causes.
const (
	CauseNone       Cause = iota
	CauseFree             // granted on the spot: nothing was in the way (R10)
	CauseExpiry           // a lease reached its end (R2)
	CauseRelease          // a holder released, or a waiter took its own request back (R7)
	CauseWithdrawal       // granted because a request ahead was withdrawn (R13)
	CauseAbort            // a deadlock victim was aborted (R19)
	causes
)

var causeNames = [causes]string{
	CauseNone: "", CauseFree: "free", CauseExpiry: "expiry", CauseRelease: "release",
	CauseWithdrawal: "withdrawal", CauseAbort: "abort",
}

// String is the cause in one lower-case word, and "" for CauseNone.
func (c Cause) String() string {
	if c < causes {
		return causeNames[c]
	}
	return "invalid cause"
}

// Effect is one thing that happened: the derived half of a history. Instant
// is when it happened, which for a lapse and the hand-over that follows it is
// the end of the lease (R3), not the instant of the event that noticed it;
// Sequence is that event's. Fields that a kind does not use are zero.
//
// An abort grants with CauseAbort whether it took back a request or a lease.
type Effect struct {
	Kind      EffectKind
	Mode      Mode
	Cause     Cause
	Refusal   Refusal
	Instant   int64
	Sequence  uint64
	Lock      string
	Client    string
	Key       string
	Token     int64
	ExpiresAt int64
	Position  int
}
