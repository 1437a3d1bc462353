package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// SyntaxError is text that is not one JSON value, and so no operation at all.
type SyntaxError struct {
	// Offset is the index of the byte that cannot stand where it stands, or
	// the text's length if the text ends too early.
	Offset int64
	// Reason says what is wrong there.
	Reason string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("events: not one JSON value: %s (at byte %d)", e.Reason, e.Offset)
}

// Parse reads one operation in its outside form, ["name", ts, arguments…].
//
// Whatever is one JSON value becomes an event: an operation that breaks the
// contract becomes an Invalid, with the refusal that comes first in the order
// of checks (R23). The error is a *SyntaxError, and the event nil, only if
// text is not one valid JSON value, white space around it apart, or nests
// deeper than 10,000 levels. Numbers are exact (R24), and so are strings
// (R25). The event shares no memory with text.
//
// Parse takes time and memory linear in the text, except that a repeat's
// template is read more than once.
func (r Rules) Parse(text []byte) (Event, error) {
	if !json.Valid(text) {
		return nil, syntaxError(text)
	}
	e, invalid := r.parse(text)
	if invalid.Refusal == NotRefused {
		return e, nil
	}
	invalid.Raw = compactJSON(text)
	return invalid, nil
}

// parse goes through the checks in their order (R23). The event counts if
// invalid has no refusal.
func (r Rules) parse(text []byte) (e Event, invalid Invalid) {
	var elements [2 + maxArguments][]byte
	operation, isList := openList(text)
	if !isList {
		return nil, Invalid{Refusal: InvalidArguments}
	}
	n := operation.split(elements[:])
	if n < 2 {
		return nil, Invalid{Refusal: InvalidArguments}
	}
	k := readName(elements[0])
	if !r.knows(k) {
		return nil, Invalid{Refusal: UnknownOperation}
	}
	at, ok := r.instant(elements[1])
	if !ok {
		return nil, Invalid{Refusal: InvalidArguments}
	}
	if !r.takes(k, n-2) {
		return nil, Invalid{Refusal: InvalidArguments, At: at, MovesClock: true}
	}
	var arguments [maxArguments]argument
	for i, element := range elements[2:n] {
		arguments[i] = readArgument(element)
	}
	e, refusal := r.build(k, at, arguments[:n-2])
	if refusal != NotRefused {
		return nil, Invalid{Refusal: refusal, At: at, MovesClock: true}
	}
	return e, Invalid{}
}

// readName finds the operation whose name is the given JSON value.
func readName(value []byte) kind {
	if value[0] != '"' {
		return kindUnknown
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return kindOf(string(value[1 : len(value)-1])) // does not allocate
	}
	name, _ := unquote(value)
	return kindOf(name)
}

// compactJSON is valid JSON text without insignificant white space.
func compactJSON(text []byte) string {
	var compact bytes.Buffer
	_ = json.Compact(&compact, text) // fails only on text that is not valid
	return compact.String()
}

// syntaxError says what keeps text from being one JSON value.
func syntaxError(text []byte) *SyntaxError {
	const early = "unexpected end of JSON input"
	var found *json.SyntaxError
	if !errors.As(json.Unmarshal(text, new(json.RawMessage)), &found) {
		return &SyntaxError{Offset: int64(len(text)), Reason: early}
	}
	at, reason := found.Offset, found.Error()
	if strings.HasPrefix(reason, "invalid character") {
		at-- // the library counts the bytes read, the bad one among them
		if text[at] != ' ' && strings.HasPrefix(reason, "invalid character ' '") {
			// It tries a space after the last byte to see whether more was due.
			at, reason = int64(len(text)), early
		}
	}
	return &SyntaxError{Offset: at, Reason: reason}
}
