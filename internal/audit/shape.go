package audit

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// shape is an answer taken apart: what kind it is, and its parts as compact JSON
// texts. An answer of a stranger may be anything; what no operation answers is of
// the kind "other" and has no parts.
type shape struct {
	kind  string
	parts []part
}

type part struct {
	name  string
	value string // null if it is missing
}

// listParts are the parts of answers that are lists, behind their first element.
var listParts = map[string][]string{
	"granted":  {"token", "end", "victims"},
	"queued":   {"position", "victims"},
	"deadlock": {"victims"},
	"renewed":  {"end"},
}

// objectParts are the fields of answers that are objects, by their kind.
var objectParts = []struct {
	kind   string
	fields []string
}{
	{"view", []string{"holders", "queue"}},
	{"status", []string{"age", "holds", "waiting"}},
	{"tally", []string{"ops", "results"}},
}

// words are the answers that are strings, values that were read apart.
var words = func() (words []string) {
	for _, done := range []events.Done{events.Released, events.Withdrawn, events.Accepted} {
		words = append(words, done.String())
	}
	for r := events.UnknownOperation; r <= events.StaleToken; r++ {
		words = append(words, r.String())
	}
	return words
}()

// shapeOf takes the answer to an operation apart. A hash, given as nil, is of no
// known kind.
func shapeOf(e events.Event, answer []byte) shape {
	answer = bytes.TrimSpace(answer)
	other := shape{kind: "other"}
	if len(answer) == 0 || !json.Valid(answer) {
		return other
	}
	switch answer[0] {
	case '"':
		return shapeOfText(e, answer)
	case '[':
		var list []json.RawMessage
		var kind string
		if json.Unmarshal(answer, &list) != nil || len(list) == 0 || json.Unmarshal(list[0], &kind) != nil {
			return other
		}
		names, known := listParts[kind]
		if !known || len(list)-1 > len(names) {
			return other
		}
		s := shape{kind: kind}
		for i, name := range names {
			s.parts = append(s.parts, part{name, element(list, i+1)})
		}
		return s
	case '{':
		return shapeOfObject(answer)
	case 'n':
		return shape{kind: "null"}
	}
	return other
}

func shapeOfText(e events.Event, answer []byte) shape {
	var text string
	if json.Unmarshal(answer, &text) != nil {
		return shape{kind: "other"}
	}
	_, reads := e.(events.Read)
	refusal := slices.Contains(words[3:], text)
	switch {
	case refusal, !reads && slices.Contains(words, text):
		return shape{kind: text}
	case reads:
		return shape{kind: "value", parts: []part{{"text", string(answer)}}}
	}
	return shape{kind: "other"}
}

func shapeOfObject(answer []byte) shape {
	var fields map[string]json.RawMessage
	if json.Unmarshal(answer, &fields) != nil {
		return shape{kind: "other"}
	}
	for _, o := range objectParts {
		if len(fields) != len(o.fields) || fields[o.fields[0]] == nil {
			continue
		}
		s := shape{kind: o.kind}
		for _, name := range o.fields {
			s.parts = append(s.parts, part{name, compacted(fields[name])})
		}
		return s
	}
	return shape{kind: "other"}
}

func element(list []json.RawMessage, i int) string {
	if i >= len(list) {
		return "null"
	}
	return compacted(list[i])
}

func compacted(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return "null"
	}
	return b.String()
}

// part is a part of the answer by its name, "" if there is none.
func (s shape) part(name string) string {
	for _, p := range s.parts {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// differing are the names of the parts in which two answers of one kind differ.
func differing(a, b shape) (names []string) {
	for i, p := range a.parts {
		if p != b.parts[i] {
			names = append(names, p.name)
		}
	}
	return names
}
