package naive

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// rereading lists the deviations that look at the text of an operation which
// package events has found invalid.
var rereading = []deviation{
	booleansAreIntegers, fractionsAreIntegers, surrogatesReplaced, statusInEarlyEditions, modesInEdition1,
	ttlZeroAccepted, ttlAboveMaximumAccepted, ttlClamped,
	unknownOperationMovesClock, instantBeforeName,
	ageAtRefusedAcquire, busyBeforeValidation, holderBeforeRange, rangeBeforeType,
}

// misread are the deviations that take an operation for another one.
func (m *Model) misread(e events.Event) events.Event {
	if !m.deviant {
		return e
	}
	if bad, ok := e.(events.Invalid); ok && m.rereads {
		e = m.forgive(bad)
	}
	if m.wrong[namesFoldCase] {
		e = foldCase(e)
	}
	if write, ok := e.(events.Write); ok && m.wrong[tokensThroughFloat] {
		write.Token = throughFloat(write.Token)
		return write
	}
	return e
}

// forgive are the deviations that accept what should be refused.
func (m *Model) forgive(bad events.Invalid) events.Event {
	fields := fieldsOf(bad.Raw)
	if fields == nil {
		return bad
	}
	for i := range fields {
		fields[i] = m.forgiveField(fields[i])
	}
	rules := m.rules
	if m.wrong[statusInEarlyEditions] && textOf(fields[0]) == "status" {
		rules.Edition = events.Edition3
	}
	if m.wrong[modesInEdition1] && textOf(fields[0]) == "acquire" {
		rules.Edition = max(rules.Edition, events.Edition2)
	}
	e := parsed(rules, fields, bad)
	still, ok := e.(events.Invalid)
	if !ok || still.Refusal != events.InvalidTTL || len(fields) < 5 {
		return e
	}
	ttl, ok := m.forgivenTTL(string(fields[4]))
	if !ok {
		return e
	}
	fields[4] = json.RawMessage("1")
	switch e := parsed(rules, fields, bad).(type) {
	case events.Acquire:
		e.TTL = ttl
		return e
	case events.Renew:
		e.TTL = ttl
		return e
	}
	return e
}

// parsed reads an operation that has been changed, and keeps the original if
// that does not help.
func parsed(rules events.Rules, fields []json.RawMessage, original events.Invalid) events.Event {
	text, err := json.Marshal(fields)
	if err != nil {
		return original
	}
	e, err := rules.Parse(text)
	if err != nil {
		return original
	}
	return e
}

// forgiveField are the deviations of reading one field.
func (m *Model) forgiveField(field json.RawMessage) json.RawMessage {
	switch text := string(field); {
	case m.wrong[booleansAreIntegers] && text == "true":
		return json.RawMessage("1")
	case m.wrong[booleansAreIntegers] && text == "false":
		return json.RawMessage("0")
	case m.wrong[surrogatesReplaced] && field[0] == '"':
		replaced, _ := json.Marshal(textOf(field)) // a string can always be written
		return replaced
	case m.wrong[fractionsAreIntegers]:
		n, err := strconv.ParseFloat(text, 64)
		if err == nil && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return json.RawMessage(strconv.FormatInt(int64(n), 10))
		}
	}
	return field
}

// forgivenTTL is the ttl that is used for one out of range; ok is false if it
// is refused as it should be.
func (m *Model) forgivenTTL(text string) (ttl int64, ok bool) {
	ttl, err := strconv.ParseInt(text, 10, 64) // too long a number is the nearest one, and an error
	if m.wrong[ttlClamped] {
		return min(max(ttl, 1), m.rules.MaxTTL()), true
	}
	return ttl, err == nil && m.toleratesTTL(ttl)
}

// toleratesTTL are the deviations of the bounds of a ttl.
func (m *Model) toleratesTTL(ttl int64) bool {
	return m.wrong[ttlZeroAccepted] && ttl == 0 ||
		m.wrong[ttlAboveMaximumAccepted] && ttl == m.rules.MaxTTL()+1
}

// fieldsOf takes an operation apart. It is nil for what is not a list of two
// or more.
func fieldsOf(raw string) []json.RawMessage {
	var fields []json.RawMessage
	if json.Unmarshal([]byte(raw), &fields) != nil || len(fields) < 2 {
		return nil
	}
	return fields
}

// textOf is a field that is a string, and "" for any other.
func textOf(field json.RawMessage) string {
	var text string
	if json.Unmarshal(field, &text) != nil {
		return ""
	}
	return text
}

func foldCase(e events.Event) events.Event {
	switch e := e.(type) {
	case events.Acquire:
		e.Client = strings.ToLower(e.Client)
		return e
	case events.Renew:
		e.Client = strings.ToLower(e.Client)
		return e
	case events.Release:
		e.Client = strings.ToLower(e.Client)
		return e
	case events.Status:
		e.Client = strings.ToLower(e.Client)
		return e
	}
	return e
}

// throughFloat is what is left of an integer that has been a float64.
func throughFloat(n int64) int64 {
	if f := float64(n); f < math.MaxInt64 {
		return int64(f)
	}
	return math.MaxInt64
}
