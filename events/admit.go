package events

// Admit judges an event before any state is looked at, however the event was
// made: by Parse, by Decode or by hand.
//
// If moves is true, the event's instant at moves the clock (R1), even if the
// event is refused. If refusal is not NotRefused, it is the event's answer.
// An instant after MaxInstant, an operation that the edition does not know,
// and a value that is no event (nil, a pointer, an Invalid that Parse could
// not have made) leave the clock alone.
//
// Admit never panics and, a Repeat apart, does not allocate. Its time grows
// with the bytes of the names and of the template.
func (r Rules) Admit(e Event) (at int64, moves bool, refusal Refusal) {
	switch e := e.(type) {
	case Acquire:
		at, refusal = e.At, r.admitAcquire(&e)
	case Renew:
		at, refusal = e.At, r.admitLease(e.Client, e.Lock, e.TTL)
	case Release:
		at, refusal = e.At, unless(IsText(e.Client) && IsText(e.Lock))
	case Write:
		at, refusal = e.At, unless(IsText(e.Lock) && IsText(e.Key) && IsText(e.Value) && e.Token >= 1)
	case Read:
		at, refusal = e.At, unless(IsText(e.Lock) && IsText(e.Key))
	case Inspect:
		at, refusal = e.At, unless(IsText(e.Lock))
	case Status:
		if !r.knows(kindStatus) {
			return 0, false, UnknownOperation
		}
		at, refusal = e.At, unless(IsText(e.Client))
	case Repeat:
		at, refusal = e.At, unless(e.wellFormed())
	case Invalid:
		if !e.possible() {
			return 0, false, InvalidArguments
		}
		if !e.MovesClock {
			return 0, false, e.Refusal
		}
		at, refusal = e.At, e.Refusal
	default:
		return 0, false, InvalidArguments
	}
	if at > r.MaxInstant() {
		return 0, false, InvalidArguments
	}
	return at, true, refusal
}

// unless refuses the arguments unless they are good.
func unless(good bool) Refusal {
	if good {
		return NotRefused
	}
	return InvalidArguments
}

func (r Rules) admitAcquire(e *Acquire) Refusal {
	switch {
	case e.Mode == Exclusive:
	case e.Mode == Shared && r.Edition >= Edition2:
	default:
		return InvalidArguments
	}
	return r.admitLease(e.Client, e.Lock, e.TTL)
}

// admitLease checks the types first and the range of the ttl last (R23).
func (r Rules) admitLease(client, lock string, ttl int64) Refusal {
	if !IsText(client) || !IsText(lock) {
		return InvalidArguments
	}
	if ttl < 1 || ttl > r.MaxTTL() {
		return InvalidTTL
	}
	return NotRefused
}

// wellFormed checks the arguments of a repeat (R27).
func (e Repeat) wellFormed() bool {
	if e.Count < 1 || e.Count > MaxRepeat || e.Step < 0 {
		return false
	}
	template, ok := CompileTemplate(e.Template)
	return ok && template.Fits(e.Count)
}

// possible tells whether Parse could have made the event: an unknown
// operation never moves the clock, and a ttl is only looked at once the clock
// has moved (R23).
func (e Invalid) possible() bool {
	switch e.Refusal {
	case UnknownOperation:
		return !e.MovesClock
	case InvalidArguments:
		return true
	case InvalidTTL:
		return e.MovesClock
	}
	return false
}
