package redact

import (
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// names are the names of a history.
type names struct {
	client, lock, key, value *kind
	// other are texts of answers that no rule gives.
	other *kind
}

// What says what gets pseudonyms.
type What struct {
	Names  bool // clients and locks
	Values bool // keys and values
}

func newNames(what What) *names {
	none := func(string) bool { return false }
	return &names{
		client: newKind("client", !what.Names, none), lock: newKind("lock", !what.Names, none),
		key: newKind("key", !what.Values, none), value: newKind("value", !what.Values, isWord),
		other: newKind("text", false, isWord),
	}
}

// kinds are all of them, in the order in which they are told.
func (n *names) kinds() []*kind { return []*kind{n.client, n.lock, n.key, n.value, n.other} }

func (n *names) seal() {
	for _, k := range n.kinds() {
		k.seal(n.unlike)
	}
}

// telling is how long, in bytes, a name is of which a part of a pseudonym could
// be taken for the name.
const telling = 4

// unlike tells whether a prefix reminds of no name: none contains it, and it
// contains none.
func (n *names) unlike(prefix string) bool {
	for _, k := range n.kinds() {
		for _, texts := range []map[string]bool{k.names, k.patterns} {
			for text := range texts {
				if strings.Contains(text, prefix) || len(text) >= telling && strings.Contains(prefix, text) {
					return false
				}
			}
		}
	}
	return true
}

// reader is what is done with each name that is come across: it is noted, or
// replaced.
type reader struct {
	name    func(k *kind, text string) string
	pattern func(k *kind, text string) string
}

var (
	collecting = reader{
		name:    func(k *kind, text string) string { k.collect(text); return text },
		pattern: func(k *kind, text string) string { k.collectPattern(text); return text },
	}
	replacing = reader{name: (*kind).pseudonym, pattern: (*kind).pattern}
)

// event is an event with its names read.
func (n *names) event(r reader, rules events.Rules, e events.Event) events.Event {
	switch e := e.(type) {
	case events.Acquire:
		e.Client, e.Lock = r.name(n.client, e.Client), r.name(n.lock, e.Lock)
		return e
	case events.Renew:
		e.Client, e.Lock = r.name(n.client, e.Client), r.name(n.lock, e.Lock)
		return e
	case events.Release:
		e.Client, e.Lock = r.name(n.client, e.Client), r.name(n.lock, e.Lock)
		return e
	case events.Write:
		e.Lock, e.Key, e.Value = r.name(n.lock, e.Lock), r.name(n.key, e.Key), r.name(n.value, e.Value)
		return e
	case events.Read:
		e.Lock, e.Key = r.name(n.lock, e.Lock), r.name(n.key, e.Key)
		return e
	case events.Inspect:
		e.Lock = r.name(n.lock, e.Lock)
		return e
	case events.Status:
		e.Client = r.name(n.client, e.Client)
		return e
	case events.Repeat:
		e.Template = n.template(r, rules, e.Template)
		return e
	case events.Invalid:
		return plain(rules, e)
	}
	return e
}

// effect is an effect with its names replaced.
func (n *names) effect(e events.Effect) events.Effect {
	if e.Client != "" {
		e.Client = n.client.pseudonym(e.Client)
	}
	if e.Lock != "" {
		e.Lock = n.lock.pseudonym(e.Lock)
	}
	if e.Key != "" {
		e.Key = n.key.pseudonym(e.Key)
	}
	return e
}
