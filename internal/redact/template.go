package redact

import (
	"encoding/json"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// operands are the kinds of the strings in a template, by operation, in order.
// The arguments behind them are numbers and a mode.
func (n *names) operands(operation string) []*kind {
	switch operation {
	case "acquire", "renew", "release":
		return []*kind{n.client, n.lock}
	case "write":
		return []*kind{n.lock, n.key, n.value}
	case "read":
		return []*kind{n.lock, n.key}
	case "inspect":
		return []*kind{n.lock}
	case "status":
		return []*kind{n.client}
	}
	return nil
}

// template is the text of a template with its names read. If its runs break the
// contract, which they do alike, another one that breaks it in the same way
// stands for it.
func (n *names) template(r reader, rules events.Rules, text string) string {
	compiled, ok := events.CompileTemplate(text)
	if !ok {
		return `["redacted"]` // no Parse makes such an event
	}
	if run, invalid := compiled.Event(rules, 0, 0).(events.Invalid); invalid {
		elements := plainElements(operationOf(text), run.Refusal)
		return string(list(elements))
	}
	var elements []json.RawMessage
	_ = json.Unmarshal([]byte(text), &elements) // it has been compiled
	for i, k := range n.operands(operationOf(text)) {
		var pattern string
		_ = json.Unmarshal(elements[i+1], &pattern)
		elements[i+1] = quoted(r.pattern(k, pattern))
	}
	return string(list(elements))
}

// plain is an operation that breaks the contract as another one does, and says
// nothing besides.
func plain(rules events.Rules, e events.Invalid) events.Event {
	name := operationOf(e.Raw)
	if e.Refusal == events.InvalidArguments && !e.MovesClock {
		name = "" // its shape or its instant is at fault
	}
	elements := plainElements(name, e.Refusal)
	if name != "" || e.Refusal == events.UnknownOperation {
		at := strconv.AppendInt(nil, e.At, 10)
		elements = append([]json.RawMessage{elements[0], at}, elements[1:]...)
	}
	again, err := rules.Parse(list(elements))
	if err != nil {
		panic("redact: " + err.Error())
	}
	return again
}

// plainElements are an operation without its instant that is refused. A known
// name is kept: it says nothing about anybody.
func plainElements(name string, refusal events.Refusal) []json.RawMessage {
	elements := []json.RawMessage{quoted("redacted")}
	if isOperation(name) {
		elements[0] = quoted(name)
	}
	if refusal == events.InvalidTTL {
		elements = append(elements, quoted("redacted"), quoted("redacted"), json.RawMessage("0"))
	}
	return elements
}

// operationOf is the name at the beginning of an operation's text, "" if there
// is none.
func operationOf(text string) string {
	var elements []json.RawMessage
	var name string
	if json.Unmarshal([]byte(text), &elements) == nil && len(elements) > 0 && json.Unmarshal(elements[0], &name) == nil {
		return name
	}
	return ""
}

func isOperation(name string) bool {
	switch name {
	case "acquire", "renew", "release", "write", "read", "inspect", "status", "repeat":
		return true
	}
	return false
}

// list is a JSON list without white space.
func list(elements []json.RawMessage) []byte {
	text := []byte{'['}
	for i, element := range elements {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, element...)
	}
	return append(text, ']')
}

// quoted is a JSON string, as answers spell it.
func quoted(text string) json.RawMessage {
	return events.Value{Text: text, Found: true}.AppendJSON(nil)
}
