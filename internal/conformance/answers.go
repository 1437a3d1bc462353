package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// readAnswers reads what a process has printed: one array of answers, or the answers
// one by one. What cannot be read is a fault; the answers in front of it are
// returned as well. White space counts for nothing, and neither does a byte order
// mark.
//
// An answer can be an array too. A single array is the array of all answers, unless
// one answer is required and it looks like one.
func readAnswers(output []byte, required int) ([]json.RawMessage, *fault) {
	mark := len(output) - len(bytes.TrimPrefix(output, []byte("\uFEFF")))
	if offset := invalidUTF8(output); offset >= 0 {
		return nil, faultAt(output, offset, "no UTF-8")
	}
	values, offset, err := readValues(output[mark:])
	if err == nil {
		return spread(values, required), nil
	}
	if len(values) == 0 {
		values = readBegun(output[mark:])
	} else {
		values = spread(values, required)
	}
	return values, faultAt(output, mark+offset, "no JSON")
}

// spread returns the elements of a single array of answers, and anything else as
// it is.
func spread(values []json.RawMessage, required int) []json.RawMessage {
	var elements []json.RawMessage
	if len(values) != 1 || values[0][0] != '[' || json.Unmarshal(values[0], &elements) != nil {
		return values
	}
	if required == 1 && isAnswer(elements) {
		return values
	}
	return elements
}

// readValues reads JSON values up to the end or the first fault, and tells where
// that is.
func readValues(text []byte) (values []json.RawMessage, offset int, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		switch err := decoder.Decode(&value); {
		case err == io.EOF:
			return values, 0, nil
		case err != nil:
			return values, placeOf(err, decoder, len(text)), err
		}
		values = append(values, value)
	}
}

// placeOf is the offset of the byte that a decoder stopped at.
func placeOf(err error, decoder *json.Decoder, length int) int {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return length
	case errors.As(err, &syntax):
		return min(max(int(syntax.Offset)-1, 0), length)
	}
	return int(decoder.InputOffset())
}

// readBegun reads the elements of an array that breaks off. If the first is a
// string, the array may be a single answer, and there is none.
func readBegun(text []byte) (elements []json.RawMessage) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('[') {
		return nil
	}
	for decoder.More() {
		var element json.RawMessage
		if decoder.Decode(&element) != nil {
			break
		}
		elements = append(elements, element)
	}
	if len(elements) > 0 && elements[0][0] == '"' {
		return nil
	}
	return elements
}

// isAnswer tells whether the elements look like one answer and not like an array
// of one.
func isAnswer(elements []json.RawMessage) bool {
	lists := []string{`"granted"`, `"queued"`, `"deadlock"`, `"renewed"`}
	return len(elements) > 1 && slices.Contains(lists, string(elements[0]))
}
