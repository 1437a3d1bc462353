package events

// Decode reads the canonical msgpack form of one event: Append makes the same
// bytes of it again. The error is a *DecodeError, and the event nil, for any
// other encoding of an event, an unknown kind, a mode or a refusal outside its
// set, a string that is empty or not UTF-8, and bytes left over. Ranges and
// templates depend on the Rules and are left to Admit.
//
// The bytes may come from a stranger: lengths are checked against what is left
// before memory is taken, at most twice the input and 4 KiB in all. The event
// shares no memory with b.
func Decode(b []byte) (Event, error) {
	d := decoder{data: b}
	e := d.event()
	if d.err == nil && d.at != len(b) {
		d.fail(d.at, "bytes left over")
	}
	if d.err != nil {
		return nil, d.err
	}
	return e, nil
}

func (d *decoder) event() Event {
	length := d.arrayLength()
	at := d.at
	k := kind(d.within(int64(kindAcquire), int64(kindInvalid), "unknown kind"))
	if d.err != nil {
		return nil
	}
	if k == kindInvalid {
		return d.invalid(length)
	}
	if length != arrayLengths[k] {
		d.fail(at-1, "wrong array length")
		return nil
	}
	switch k {
	case kindAcquire:
		return Acquire{At: d.int(), Client: d.text(), Lock: d.text(), TTL: d.int(),
			Mode: Mode(d.within(int64(Exclusive), int64(Shared), "unknown mode"))}
	case kindRenew:
		return Renew{At: d.int(), Client: d.text(), Lock: d.text(), TTL: d.int()}
	case kindRelease:
		return Release{At: d.int(), Client: d.text(), Lock: d.text()}
	case kindWrite:
		return Write{At: d.int(), Lock: d.text(), Key: d.text(), Value: d.text(), Token: d.int()}
	case kindRead:
		return Read{At: d.int(), Lock: d.text(), Key: d.text()}
	case kindInspect:
		return Inspect{At: d.int(), Lock: d.text()}
	case kindStatus:
		return Status{At: d.int(), Client: d.text()}
	default: // kindRepeat: within has excluded the rest
		return Repeat{At: d.int(), Count: d.int(), Step: d.int(), Template: d.raw()}
	}
}

// arrayLengths are the lengths of the arrays, the kind counted; an invalid has
// 3 or 4.
var arrayLengths = [kindInvalid]int{
	kindAcquire: 6, kindRenew: 5, kindRelease: 4, kindWrite: 6,
	kindRead: 4, kindInspect: 3, kindStatus: 3, kindRepeat: 5,
}

func (d *decoder) invalid(length int) Event {
	if length != 3 && length != 4 {
		d.fail(0, "wrong array length")
		return nil
	}
	at := d.at
	e := Invalid{Refusal: Refusal(d.within(0, int64(refusals)-1, "unknown refusal")), MovesClock: length == 4}
	if d.err == nil && !e.possible() {
		d.fail(at, "not the refusal of an invalid operation")
	}
	e.Raw = d.raw()
	if e.MovesClock {
		e.At = d.int()
	}
	return e
}
