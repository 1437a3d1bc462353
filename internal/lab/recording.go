package lab

import (
	"encoding/json"
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// Recording is a history with the answers that the engine gave.
type Recording struct {
	Name    string // what it shows
	Rules   events.Rules
	Events  []events.Event
	Answers []events.Answer
}

func (r *Recording) add(e events.Event, a events.Answer) {
	r.Events = append(r.Events, e)
	r.Answers = append(r.Answers, a)
}

// AppendJSON appends the history as one object, an operation and an answer a
// line, in the form that the commands read.
func (r *Recording) AppendJSON(dst []byte) []byte {
	name, _ := json.Marshal(r.Name) // a string is always fine
	dst = fmt.Appendf(dst, "{\n  \"name\": %s,\n  \"edition\": %d,\n  \"unit\": %q,\n  \"operations\": [", name, r.Rules.Edition, r.Rules.Unit)
	for i, e := range r.Events {
		dst = events.AppendJSON(append(dst, separator(i)...), e)
	}
	dst = append(dst, "\n  ],\n  \"results\": ["...)
	for i, a := range r.Answers {
		dst = a.AppendJSON(append(dst, separator(i)...))
	}
	return append(dst, "\n  ]\n}\n"...)
}

// separator stands in front of an element, by its index.
func separator(i int) string {
	if i == 0 {
		return "\n    "
	}
	return ",\n    "
}

// recorded carries out an operation once more and writes it down.
func (d design) recorded(s *stage, o operation, index int, seed uint64) *Recording {
	r := &Recording{
		Name:  fmt.Sprintf("%s: operation %d of seed %d", d.name, index+1, seed),
		Rules: rulesIn(events.Microsecond),
	}
	s.record = r
	d.try(s, o)
	return r
}
