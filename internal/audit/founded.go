package audit

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// known is what the right answers of a log show of the service before the log
// began. The state is that of a fresh service at first; where an answer could
// not have been given otherwise, that is certain, and elsewhere it is a guess.
type known struct {
	// registry: an age was shown (R15), so no client had asked for anything
	// before the log began.
	registry bool
	// clock: an answer was decided at an instant, so the clock is the log's (R26).
	clock bool
	// tokens are the locks of which a token was shown (R5). They had not been
	// granted before, so they had no holders and no queue either.
	tokens map[string]bool
	seen   map[string]bool // locks of which the holders and the queue were shown
	idle   map[string]bool // clients of which it was shown that they waited for nothing
	marks  map[string]bool // locks to which a write was accepted (R6)
	values map[slot]bool   // places that were written or read
}

func newKnown() *known {
	return &known{
		tokens: map[string]bool{}, seen: map[string]bool{}, idle: map[string]bool{},
		marks: map[string]bool{}, values: map[slot]bool{},
	}
}

// take learns from an answer that is right.
func (k *known) take(e *diagnose.Entry, result *events.Result) {
	if _, refused := result.Answer.(events.Refusal); refused {
		return
	}
	k.clock = true
	for i := range result.Effects { // a repeat may have granted many
		if f := &result.Effects[i]; f.Kind == events.EffectGranted && f.Cause == events.CauseFree {
			k.tokens[f.Lock], k.idle[f.Client] = true, true
		}
	}
	switch e := e.Event.(type) {
	case events.Acquire:
		k.idle[e.Client] = true
	case events.Inspect:
		k.seen[e.Lock] = true
		if len(result.Answer.(events.LockView).Holders) > 0 {
			k.tokens[e.Lock] = true
		}
	case events.Status:
		k.idle[e.Client] = true
		k.registry = k.registry || result.Answer.(events.ClientView).Age > 0
	case events.Write:
		k.marks[e.Lock], k.values[slot{e.Lock, e.Key}] = true, true
	case events.Read:
		k.values[slot{e.Lock, e.Key}] = true
	}
}

// founds tells whether what decides an answer is known, so that a recorded one
// that is not the required one is wrong whatever came before the log.
func (k *known) founds(a *aspect, rules events.Rules) bool {
	switch ofClock := events.ClockWentBack.String(); {
	case a.recorded.kind == ofClock:
		return k.clock
	case a.required.kind == ofClock:
		return true // an older service's clock is not smaller
	case dependsOnNothing(a.required.kind) || dependsOnNothing(a.recorded.kind):
		return true
	}
	switch e := a.event.(type) {
	case events.Write:
		return k.marks[e.Lock] || a.required.kind == events.StaleToken.String()
	case events.Read:
		return k.values[slot{e.Lock, e.Key}]
	case events.Acquire:
		return k.registry || k.foundsAcquire(a, e, rules)
	case events.Renew:
		return k.lock(e.Lock)
	case events.Release:
		return k.lock(e.Lock)
	case events.Inspect:
		return k.registry || k.tokens[e.Lock] || k.seen[e.Lock] && !sameClients(a)
	case events.Status:
		return k.registry || k.foundsStatus(a)
	case events.Repeat:
		return k.registry || len(k.tokens) > 0
	}
	return true
}

// dependsOnNothing tells whether an answer is a refusal of the operation as such.
func dependsOnNothing(kind string) bool {
	return slices.Contains([]string{
		events.UnknownOperation.String(), events.InvalidArguments.String(), events.InvalidTTL.String(),
	}, kind)
}

// lock tells whether it is known who holds a lock and who waits for it.
func (k *known) lock(name string) bool { return k.registry || k.tokens[name] || k.seen[name] }

// foundsAcquire is founds for an acquire. Whose age decides is never seen but in
// a status (R18).
func (k *known) foundsAcquire(a *aspect, e events.Acquire, rules events.Rules) bool {
	busy := events.ClientBusy.String()
	names := func(s shape) bool { v := s.part("victims"); return v != "" && v != "null" }
	switch {
	case a.required.kind == busy || a.recorded.kind == busy:
		return k.idle[e.Client] && (rules.Edition < events.Edition3 || k.lock(e.Lock)) // R8, R14
	case names(a.required) && names(a.recorded):
		return a.required.part("victims") == a.recorded.part("victims") && k.tokens[e.Lock]
	case a.recorded.kind == "granted":
		return k.tokens[e.Lock]
	}
	return k.lock(e.Lock)
}

// foundsStatus is founds for a status: it is known of every lock in it.
func (k *known) foundsStatus(a *aspect) bool {
	if a.recorded.kind != "status" || slices.Contains(a.parts, "age") {
		return false
	}
	for _, s := range []shape{a.required, a.recorded} {
		for _, row := range leasesOf(s.part("holds")) {
			if !k.tokens[unquoted(row[0])] {
				return false
			}
		}
		if lock := unquoted(s.part("waiting")); lock != "" && !k.lock(lock) {
			return false
		}
	}
	return true
}

// sameClients tells whether two views show the same holders, so that it is
// their tokens or ends in which they differ.
func sameClients(a *aspect) bool {
	clients := func(s shape) (list []string) {
		for _, row := range leasesOf(s.part("holders")) {
			list = append(list, row[0])
		}
		return list
	}
	return slices.Equal(clients(a.required), clients(a.recorded))
}
