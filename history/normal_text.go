package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// argumentRoles are the roles of the arguments of each operation that are names.
// They come before all others.
var argumentRoles = map[string][]role{
	"acquire": {clientRole, lockRole},
	"renew":   {clientRole, lockRole},
	"release": {clientRole, lockRole},
	"write":   {lockRole, keyRole, valueRole},
	"read":    {lockRole, keyRole},
	"inspect": {lockRole},
	"status":  {clientRole},
}

// elementsOf takes the text of a list apart; it is nil for any other text.
func elementsOf(text string) []string {
	var raw []json.RawMessage
	if !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(text), &raw) != nil {
		return nil
	}
	elements := make([]string, len(raw))
	for i, element := range raw {
		elements[i] = string(element)
	}
	return elements
}

// listOf is the reverse of elementsOf.
func listOf(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// quoted is a name as JSON, without HTML escapes.
func quoted(name string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(name) // a string can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// unquoted is the name that a JSON text stands for; ok is false if it is no
// string, or none that JSON can give back, such as one with half a surrogate
// pair.
func unquoted(text string) (name string, ok bool) {
	if !strings.HasPrefix(text, `"`) || json.Unmarshal([]byte(text), &name) != nil {
		return "", false
	}
	return name, name != "" && !strings.ContainsRune(name, '\uFFFD')
}

// The index of the first argument in an operation that is kept as text.
const (
	inTemplate  = 1
	inOperation = 2
)

// eachNameInText calls use with every name in an operation that is kept as
// text. Placeholders of a template are no names.
func eachNameInText(text string, first int, use func(role, string)) {
	renamedText(text, first, func(r role, name string) string {
		use(r, name)
		return name
	})
}

// renamedText gives an operation that is kept as text other names.
func renamedText(text string, first int, to func(role, string) string) string {
	elements := elementsOf(text)
	if len(elements) <= first {
		return text
	}
	operation, _ := unquoted(elements[0])
	changed := false
	for i, r := range argumentRoles[operation] {
		if first+i >= len(elements) {
			break
		}
		name, ok := unquoted(elements[first+i])
		if !ok || first == inTemplate && strings.Contains(name, "{i") {
			continue
		}
		if new := to(r, name); new != name {
			elements[first+i], changed = quoted(new), true
		}
	}
	if !changed {
		return text
	}
	return listOf(elements)
}

// parsed reads an operation that this package has put together.
func parsed(rules events.Rules, text string) events.Event {
	e, err := rules.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("history: %q: %v", text, err))
	}
	return e
}

// writtenInstant is the number that an operation has in the place of its
// instant, whether or not that counts (R23); ok is false if it has none.
func writtenInstant(e events.Event) (at int64, ok bool) {
	if e == nil {
		return 0, false
	}
	if at, ok := e.Instant(); ok {
		return at, true
	}
	if bad, isBad := e.(events.Invalid); isBad {
		if elements := elementsOf(bad.Raw); len(elements) > 1 {
			at, err := strconv.ParseInt(elements[1], 10, 64)
			return at, err == nil
		}
	}
	return 0, false
}

// movedTo moves an event to an instant. One without an instant stays as it is.
func movedTo(rules events.Rules, e events.Event, instant int64) events.Event {
	if bad, ok := e.(events.Invalid); ok {
		elements := elementsOf(bad.Raw)
		if _, ok := writtenInstant(e); !ok {
			return e
		}
		elements[1] = number(instant)
		return parsed(rules, listOf(elements))
	}
	f := fieldsOf(e)
	f.at = instant
	return f.event(rules)
}

// under reads the events of a history anew, under other rules. Whatever way an
// event was made, it becomes the one that its text stands for, and null, which
// is no operation, if that is no JSON.
func under(rules events.Rules, h History) History {
	changed := History{Rules: rules, Events: make([]events.Event, len(h.Events))}
	for i, e := range h.Events {
		read, err := rules.Parse(events.AppendJSON(nil, e))
		if err != nil {
			read = parsed(rules, "null")
		}
		changed.Events[i] = read
	}
	return changed
}
