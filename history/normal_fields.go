package history

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// kind is a kind of operation. The smaller is the simpler.
type kind uint8

const (
	inspectKind kind = iota
	readKind
	statusKind
	acquireKind
	releaseKind
	renewKind
	writeKind
	repeatKind
	invalidKind
)

// fields is an event in a form in which every field can be changed by itself.
// Those that its kind does not have are zero.
type fields struct {
	kind                     kind
	at                       int64
	client, lock, key, value string
	ttl, token               int64
	mode                     events.Mode
	count, step              int64
	text                     string // template, or text of an invalid operation
}

func fieldsOf(e events.Event) fields {
	switch e := e.(type) {
	case events.Inspect:
		return fields{kind: inspectKind, at: e.At, lock: e.Lock}
	case events.Read:
		return fields{kind: readKind, at: e.At, lock: e.Lock, key: e.Key}
	case events.Status:
		return fields{kind: statusKind, at: e.At, client: e.Client}
	case events.Acquire:
		return fields{kind: acquireKind, at: e.At, client: e.Client, lock: e.Lock, ttl: e.TTL, mode: e.Mode}
	case events.Release:
		return fields{kind: releaseKind, at: e.At, client: e.Client, lock: e.Lock}
	case events.Renew:
		return fields{kind: renewKind, at: e.At, client: e.Client, lock: e.Lock, ttl: e.TTL}
	case events.Write:
		return fields{kind: writeKind, at: e.At, lock: e.Lock, key: e.Key, value: e.Value, token: e.Token}
	case events.Repeat:
		return fields{kind: repeatKind, at: e.At, count: e.Count, step: e.Step, text: e.Template}
	case events.Invalid:
		at, _ := writtenInstant(e)
		return fields{kind: invalidKind, at: at, text: e.Raw}
	}
	return fields{kind: invalidKind}
}

// event is the event that the fields make up under the rules: an Invalid, if
// they break them.
func (f fields) event(rules events.Rules) events.Event {
	e := f.made(rules)
	if _, _, refusal := rules.Admit(e); refusal != events.NotRefused {
		return parsed(rules, string(events.AppendJSON(nil, e)))
	}
	return e
}

func (f fields) made(rules events.Rules) events.Event {
	switch f.kind {
	case inspectKind:
		return events.Inspect{At: f.at, Lock: f.lock}
	case readKind:
		return events.Read{At: f.at, Lock: f.lock, Key: f.key}
	case statusKind:
		return events.Status{At: f.at, Client: f.client}
	case acquireKind:
		return events.Acquire{At: f.at, Client: f.client, Lock: f.lock, TTL: f.ttl, Mode: f.mode}
	case releaseKind:
		return events.Release{At: f.at, Client: f.client, Lock: f.lock}
	case renewKind:
		return events.Renew{At: f.at, Client: f.client, Lock: f.lock, TTL: f.ttl}
	case writeKind:
		return events.Write{At: f.at, Lock: f.lock, Key: f.key, Value: f.value, Token: f.token}
	case repeatKind:
		return events.Repeat{At: f.at, Count: f.count, Step: f.step, Template: f.text}
	}
	return parsed(rules, f.text)
}

// contains tells whether a history has an operation of a kind.
func contains(h History, k kind) bool {
	return slices.ContainsFunc(h.Events, func(e events.Event) bool { return fieldsOf(e).kind == k })
}
