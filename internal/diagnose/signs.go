package diagnose

import (
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// signs are what is seen of an operation and its effects: the places where
// rules apply, and so where a deviation from them may. A repeat, whose runs are
// not looked at, has the signs of any operation.
type signs uint32

const (
	acquires signs = 1 << iota
	renews
	releases
	writes
	reads
	inspects
	asksStatus
	repeats
	isInvalid // for its shape, its type or its range
	hasShared // a shared request, now or earlier
	hasUpper  // a client whose name is not all lower case
	hasLong   // a ttl of 86,400 ticks or more
	hasGreat  // a token that a float64 cannot hold
	isBefore0 // an instant below 0
	granted
	handedOver // granted from a queue
	handedOverByRelease
	handedOverByWithdrawal
	queued
	renewed
	expired
	ended // a lease, or a wait
	aborted
	refusedBusy
	refusedNotHolder
	refusedStale
	refusedWentBack

	anyOperation = acquires | renews | releases | writes | reads | inspects | asksStatus | repeats |
		isInvalid | hasShared | hasUpper | hasLong | hasGreat | isBefore0
)

// signsOf are those of an operation with what came of it.
func signsOf(e events.Event, effects []events.Effect) signs {
	s := signsOfEvent(e)
	if ts, ok := e.Instant(); ok && ts < 0 {
		s |= isBefore0
	}
	for i := range effects {
		s |= signsOfEffect(&effects[i])
	}
	return s
}

func signsOfEvent(e events.Event) signs {
	switch e := e.(type) {
	case events.Acquire:
		s := acquires | signsOfClient(e.Client) | signsOfTTL(e.TTL)
		if e.Mode != events.Exclusive {
			s |= hasShared
		}
		return s
	case events.Renew:
		return renews | signsOfClient(e.Client) | signsOfTTL(e.TTL)
	case events.Release:
		return releases | signsOfClient(e.Client)
	case events.Write:
		if e.Token > 1<<53 {
			return writes | hasGreat
		}
		return writes
	case events.Read:
		return reads
	case events.Inspect:
		return inspects
	case events.Status:
		return asksStatus | signsOfClient(e.Client)
	case events.Invalid:
		if !strings.HasPrefix(e.Raw, `["repeat"`) {
			return anyOperation &^ repeats // whoever forgives its fault may take it for any of these
		}
	}
	return anyOperation
}

func signsOfClient(name string) signs {
	if strings.ToLower(name) != name {
		return hasUpper
	}
	return 0
}

func signsOfTTL(ttl int64) signs {
	if ttl >= 86400 {
		return hasLong
	}
	return 0
}

func signsOfEffect(e *events.Effect) (s signs) {
	switch e.Kind {
	case events.EffectGranted:
		s = granted | signsOfGrant(e.Cause)
	case events.EffectQueued:
		s = queued
	case events.EffectRenewed:
		s = renewed
	case events.EffectReleased, events.EffectWithdrawn:
		s = ended
	case events.EffectExpired:
		s = ended | expired
	case events.EffectAborted:
		s = aborted
	case events.EffectRefused:
		s = signsOfRefusal(e.Refusal)
	}
	return s
}

func signsOfGrant(cause events.Cause) signs {
	switch cause {
	case events.CauseFree:
		return 0
	case events.CauseRelease:
		return handedOver | handedOverByRelease
	case events.CauseWithdrawal:
		return handedOver | handedOverByWithdrawal
	}
	return handedOver
}

func signsOfRefusal(refusal events.Refusal) signs {
	switch refusal {
	case events.ClientBusy:
		return refusedBusy
	case events.NotHolder:
		return refusedNotHolder
	case events.StaleToken:
		return refusedStale
	case events.ClockWentBack:
		return refusedWentBack
	}
	return isInvalid
}

// sighting gathers the signs of a run, operation by operation.
type sighting struct {
	all    map[signs]bool // of single operations
	sticky signs
}

// add takes down the signs of an operation.
func (s *sighting) add(e events.Event, effects []events.Effect) {
	if s.all == nil {
		s.all = map[signs]bool{}
	}
	found := signsOf(e, effects) | s.sticky
	s.sticky = found & hasShared
	s.all[found] = true
}

// may tells whether a deviation may have shown itself by now in the answers, had
// it been added to the run. What is told apart by the table of wants is told
// soundly: it is tested that none shows itself earlier.
func (s *sighting) may(deviation string) bool {
	alternatives, known := wants[deviation]
	if !known {
		return true
	}
	for _, wanted := range alternatives {
		for found := range s.all {
			if found&wanted == wanted {
				return true
			}
		}
	}
	return false
}
