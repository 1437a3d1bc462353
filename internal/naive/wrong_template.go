package naive

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
)

// placeholder matches {i}, {i+A}, {i%K} and {i+A%K} (R28).
var placeholder = regexp.MustCompile(`\{i(?:\+([0-9]+))?(?:%([0-9]+))?\}`)

// misexpand are the deviations of placeholders: it rewrites those that run i
// gets wrong and leaves the rest as they are.
func (m *Model) misexpand(template string, i int64) string {
	if !m.wrong[modulusIgnored] && !m.wrong[offsetAfterModulus] {
		return template
	}
	return placeholder.ReplaceAllStringFunc(template, func(text string) string {
		add, modulus := placeholderNumbers(text)
		switch {
		case m.wrong[modulusIgnored] && modulus > 0:
			return strconv.FormatInt(i+add, 10)
		case m.wrong[offsetAfterModulus] && modulus > 0:
			return strconv.FormatInt(i%modulus+add, 10)
		}
		return text
	})
}

// writtenOut is run i of a template, at an instant, as the text of an
// operation, for the deviations of reading to look at. Unlike package events
// it does not see a placeholder whose braces are escaped.
func writtenOut(template string, at, i int64) string {
	var fields []json.RawMessage
	if json.Unmarshal([]byte(template), &fields) != nil || len(fields) == 0 {
		return template
	}
	for n, field := range fields {
		if n > 0 && field[0] == '"' {
			fields[n] = placeholder.ReplaceAllFunc(field, func(text []byte) []byte {
				value, modulus := placeholderNumbers(string(text))
				if value += i; modulus > 0 {
					value %= modulus
				}
				return strconv.AppendInt(nil, value, 10)
			})
		}
	}
	fields = slices.Insert(fields, 1, json.RawMessage(strconv.FormatInt(at, 10)))
	text, err := json.Marshal(fields)
	if err != nil {
		return template
	}
	return string(text)
}

// placeholderNumbers are A and K of a placeholder, 0 for one that is absent.
func placeholderNumbers(text string) (add, modulus int64) {
	parts := placeholder.FindStringSubmatch(text)
	add, _ = strconv.ParseInt(parts[1], 10, 64)
	modulus, _ = strconv.ParseInt(parts[2], 10, 64)
	return add, modulus
}
