package events

import "strconv"

// AppendJSON implements Answer: ["granted",token,expires_at], and the victims
// as one more element if there are any.
func (a Granted) AppendJSON(dst []byte) []byte {
	dst = append(dst, `["granted"`...)
	dst = appendNextInt(appendNextInt(dst, a.Token), a.ExpiresAt)
	return append(appendVictims(dst, a.Victims), ']')
}

// AppendJSON implements Answer: ["queued",position], and the victims as one
// more element if there are any.
func (a Queued) AppendJSON(dst []byte) []byte {
	dst = appendNextInt(append(dst, `["queued"`...), int64(a.Position))
	return append(appendVictims(dst, a.Victims), ']')
}

// AppendJSON implements Answer: ["deadlock",victims].
func (a Deadlock) AppendJSON(dst []byte) []byte {
	if len(a.Victims) == 0 {
		return append(dst, `["deadlock",[]]`...)
	}
	return append(appendVictims(append(dst, `["deadlock"`...), a.Victims), ']')
}

// appendVictims appends a further element of a list, none for no victims.
func appendVictims(dst []byte, victims []string) []byte {
	for i, victim := range victims {
		if i == 0 {
			dst = append(dst, ",["...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, victim)
	}
	if len(victims) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// AppendJSON implements Answer: ["renewed",expires_at].
func (a Renewed) AppendJSON(dst []byte) []byte {
	return append(appendNextInt(append(dst, `["renewed"`...), a.ExpiresAt), ']')
}

// String is the answer as the contract spells it.
func (a Done) String() string {
	switch a {
	case Released:
		return "released"
	case Withdrawn:
		return "withdrawn"
	case Accepted:
		return "ok"
	}
	return "invalid answer"
}

// AppendJSON implements Answer: "released", "withdrawn" or "ok".
func (a Done) AppendJSON(dst []byte) []byte { return appendQuoted(dst, a.String()) }

// AppendJSON implements Answer: the text, or null.
func (a Value) AppendJSON(dst []byte) []byte {
	if !a.Found {
		return append(dst, "null"...)
	}
	return appendQuoted(dst, a.Text)
}

// AppendJSON implements Answer:
// {"holders":[[client,mode,token,expires_at]…],"queue":[[client,mode]…]}.
func (a LockView) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"holders":[`...)
	for i, h := range a.Holders {
		dst = appendRow(dst, i, h.Client, h.Mode)
		dst = append(appendNextInt(appendNextInt(dst, h.Token), h.ExpiresAt), ']')
	}
	dst = append(dst, `],"queue":[`...)
	for i, w := range a.Queue {
		dst = append(appendRow(dst, i, w.Client, w.Mode), ']')
	}
	return append(dst, "]}"...)
}

// AppendJSON implements Answer:
// {"age":age,"holds":[[lock,mode,token,expires_at]…],"waiting":lock}, with
// null for no age and for no lock.
func (a ClientView) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"age":`...)
	if a.Age == 0 {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendInt(dst, a.Age, 10)
	}
	dst = append(dst, `,"holds":[`...)
	for i, h := range a.Holds {
		dst = appendRow(dst, i, h.Lock, h.Mode)
		dst = append(appendNextInt(appendNextInt(dst, h.Token), h.ExpiresAt), ']')
	}
	dst = append(dst, `],"waiting":`...)
	if a.Waiting == "" {
		dst = append(dst, "null"...)
	} else {
		dst = appendQuoted(dst, a.Waiting)
	}
	return append(dst, '}')
}

// appendRow opens row i of a list of rows with a name and a mode.
func appendRow(dst []byte, i int, name string, mode Mode) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return appendNext(appendQuoted(append(dst, '['), name), mode.String())
}

// AppendJSON implements Answer: {"ops":count,"results":{answer:times…}}.
func (a Tally) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"ops":`...), a.Ops, 10)
	dst = append(dst, `,"results":{`...)
	for i, count := range a.Results {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, count.Answer), ':')
		dst = strconv.AppendInt(dst, count.Times, 10)
	}
	return append(dst, "}}"...)
}

// AppendJSON implements Answer: "error: …".
func (r Refusal) AppendJSON(dst []byte) []byte { return appendQuoted(dst, r.String()) }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Granted) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Queued) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Deadlock) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Renewed) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Done) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Value) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a LockView) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a ClientView) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (a Tally) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil), nil }

// MarshalJSON implements json.Marshaler with AppendJSON.
func (r Refusal) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }
