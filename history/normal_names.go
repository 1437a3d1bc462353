package history

import (
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// role is what a name stands for in an operation.
type role uint8

const (
	clientRole role = iota
	lockRole
	keyRole
	valueRole
	roles
)

// plainNames are the names of a normal form, first to last. No letter serves in
// two roles, so a name tells what it is a name of.
var plainNames = [roles]string{
	clientRole: "abcdefghij",
	lockRole:   "LMNOPQRSTUVWXYZ",
	keyRole:    "klmnopqrstu",
	valueRole:  "vwxyz",
}

// plainName is the i-th plain name of a role, i from 0: its letters, and then
// its first letter with a number.
func plainName(r role, i int) string {
	letters := plainNames[r]
	if i < len(letters) {
		return letters[i : i+1]
	}
	return letters[:1] + strconv.Itoa(i-len(letters)+1)
}

// plainIndex is the reverse of plainName; ok is false for any other name.
func plainIndex(r role, name string) (i int, ok bool) {
	letters := plainNames[r]
	if len(name) == 1 {
		i = strings.IndexByte(letters, name[0])
		return i, i >= 0
	}
	if len(name) == 0 || len(name) > 7 || name[0] != letters[0] {
		return 0, false
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 1 || plainName(r, n+len(letters)-1) != name {
		return 0, false
	}
	return n + len(letters) - 1, true
}

// namesIn lists the names of a role in the order in which a history first uses
// them, those inside of invalid operations and templates included.
func namesIn(h History, r role) []string {
	var names []string
	seen := map[string]bool{}
	for _, e := range h.Events {
		eachName(e, func(of role, name string) {
			if of == r && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		})
	}
	return names
}

// eachName calls use with every name of an event.
func eachName(e events.Event, use func(role, string)) {
	switch e := e.(type) {
	case events.Acquire:
		use(clientRole, e.Client)
		use(lockRole, e.Lock)
	case events.Renew:
		use(clientRole, e.Client)
		use(lockRole, e.Lock)
	case events.Release:
		use(clientRole, e.Client)
		use(lockRole, e.Lock)
	case events.Write:
		use(lockRole, e.Lock)
		use(keyRole, e.Key)
		use(valueRole, e.Value)
	case events.Read:
		use(lockRole, e.Lock)
		use(keyRole, e.Key)
	case events.Inspect:
		use(lockRole, e.Lock)
	case events.Status:
		use(clientRole, e.Client)
	case events.Repeat:
		eachNameInText(e.Template, inTemplate, use)
	case events.Invalid:
		eachNameInText(e.Raw, inOperation, use)
	}
}

// renamed gives an event other names. An operation that is kept as text keeps
// what cannot be read as a name.
func renamed(rules events.Rules, e events.Event, to func(role, string) string) events.Event {
	switch e := e.(type) {
	case events.Acquire:
		e.Client, e.Lock = to(clientRole, e.Client), to(lockRole, e.Lock)
		return e
	case events.Renew:
		e.Client, e.Lock = to(clientRole, e.Client), to(lockRole, e.Lock)
		return e
	case events.Release:
		e.Client, e.Lock = to(clientRole, e.Client), to(lockRole, e.Lock)
		return e
	case events.Write:
		e.Lock, e.Key, e.Value = to(lockRole, e.Lock), to(keyRole, e.Key), to(valueRole, e.Value)
		return e
	case events.Read:
		e.Lock, e.Key = to(lockRole, e.Lock), to(keyRole, e.Key)
		return e
	case events.Inspect:
		e.Lock = to(lockRole, e.Lock)
		return e
	case events.Status:
		e.Client = to(clientRole, e.Client)
		return e
	case events.Repeat:
		e.Template = renamedText(e.Template, inTemplate, to)
		return e
	case events.Invalid:
		return parsed(rules, renamedText(e.Raw, inOperation, to))
	}
	return e
}

// renameAll gives every event of a history other names.
func renameAll(h History, to func(role, string) string) History {
	changed := History{Rules: h.Rules, Events: make([]events.Event, len(h.Events))}
	for i, e := range h.Events {
		changed.Events[i] = renamed(h.Rules, e, to)
	}
	return changed
}
