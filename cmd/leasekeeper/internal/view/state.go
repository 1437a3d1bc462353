package view

import (
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
)

// Name is a name as the commands show it: as it is if it is a plain word,
// otherwise quoted and escaped.
func Name(text string) string { return name(text, whole) }

// Operation is an event in words, without its instant.
func Operation(e events.Event) string { return operation(e, whole) }

// Lock reports who holds a lock and who waits for it (R21), and the highest
// token that the store has accepted for it, 0 if none (R6).
func (r *Report) Lock(v events.LockView, mark int64) {
	label := "held by"
	for _, h := range v.Holders {
		r.Line(label, "%s %s token %d until %d", Name(h.Client), h.Mode, h.Token, h.ExpiresAt)
		label = ""
	}
	if len(v.Holders) == 0 {
		r.Line("held by", "nobody")
	}
	label = "waiting"
	for i, w := range v.Queue {
		r.Line(label, "%d  %s %s", i+1, Name(w.Client), w.Mode)
		label = ""
	}
	if mark > 0 {
		r.Line("store", "highest token accepted %d", mark)
	}
}

// Client reports a client's age, what it holds and what it waits for (R22),
// and those that it waits for (R16).
func (r *Report) Client(v events.ClientView, waitsFor []string) {
	if v.Age == 0 {
		r.Line("age", "not registered")
	} else {
		r.Line("age", "%d", v.Age)
	}
	label := "holds"
	for _, h := range v.Holds {
		r.Line(label, "%s %s token %d until %d", Name(h.Lock), h.Mode, h.Token, h.ExpiresAt)
		label = ""
	}
	if len(v.Holds) == 0 {
		r.Line("holds", "nothing")
	}
	if v.Waiting != "" {
		names := make([]string, len(waitsFor))
		for i, client := range waitsFor {
			names[i] = Name(client)
		}
		r.Line("waits for", "%s, behind %s", Name(v.Waiting), strings.Join(names, ", "))
	}
}
