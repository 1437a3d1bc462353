package sqlexport

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// Event is an event with what the rules make of it and what was recorded
// beside it.
type Event struct {
	projection.Step
	Fingerprint fsm.Fingerprint // of the state after it
	Recorded    Recorded
}

// Recorded is what was recorded beside an event.
type Recorded struct {
	// Answer is the JSON text of the answer, nil if none was recorded or if
	// SHA256 stands for it.
	Answer []byte
	SHA256 []byte
	// Fingerprint is that of the state after the event if it differs from the
	// one by the rules, or nil.
	Fingerprint *fsm.Fingerprint
	// AnotherService tells that another service gave the answer, Clamped that
	// the instant was set to the clock when the event was imported.
	AnotherService, Clamped bool
	// Differs tells that the answer or the fingerprint is not the one by the
	// rules.
	Differs bool
}

// arguments are the columns of an event's arguments.
type arguments struct {
	client, lock, key, value, token, ttl, mode any
	count, step, template                      any
}

func argumentsOf(e events.Event) (a arguments) {
	switch e := e.(type) {
	case events.Acquire:
		a.client, a.lock, a.ttl, a.mode = e.Client, e.Lock, e.TTL, e.Mode.String()
	case events.Renew:
		a.client, a.lock, a.ttl = e.Client, e.Lock, e.TTL
	case events.Release:
		a.client, a.lock = e.Client, e.Lock
	case events.Write:
		a.lock, a.key, a.value, a.token = e.Lock, e.Key, e.Value, e.Token
	case events.Read:
		a.lock, a.key = e.Lock, e.Key
	case events.Inspect:
		a.lock = e.Lock
	case events.Status:
		a.client = e.Client
	case events.Repeat:
		a.count, a.step, a.template = e.Count, e.Step, e.Template
	}
	return a
}

// event writes the row of an event.
func (w *Writer) event(e *Event) error {
	var instant, clock any
	if at, ok := e.Event.Instant(); ok {
		instant = at
	}
	if e.Started {
		clock = e.Clock
	}
	w.json = events.AppendJSON(w.json[:0], e.Event)
	op := string(w.json)
	w.json = e.Result.Answer.AppendJSON(w.json[:0])
	answer := string(w.json)
	var hash, fingerprint any
	if e.Recorded.SHA256 != nil {
		hash = digits(e.Recorded.SHA256)
	}
	if e.Recorded.Fingerprint != nil {
		fingerprint = e.Recorded.Fingerprint.String()
	}
	if e.Recorded.Differs {
		w.counts.Differ++
	}
	a, r := argumentsOf(e.Event), &e.Recorded
	return w.events.add(int64(e.Result.Sequence), instant, clock, e.Event.Operation(),
		a.client, a.lock, a.key, a.value, a.token, a.ttl, a.mode, a.count, a.step, a.template,
		op, answer, kind(e.Result.Answer), e.Fingerprint.String(),
		raw(r.Answer), hash, fingerprint, truth(r.AnotherService), truth(r.Clamped), truth(r.Differs))
}

// effect writes the row of an effect.
func (w *Writer) effect(e *events.Effect, index int) error {
	return w.effects.add(moment(e.Sequence, index), int64(e.Sequence), e.Kind.String(), e.Instant,
		text(e.Lock), text(e.Client), mode(e.Mode), number(e.Token), expiry(e), number(e.Position),
		text(e.Key), text(e.Cause.String()), text(e.Refusal.String()))
}

// expiry is when a lease ends, for the kinds of effects that say it. 0 is an
// instant like any other.
func expiry(e *events.Effect) any {
	switch e.Kind {
	case events.EffectGranted, events.EffectRenewed, events.EffectReleased, events.EffectExpired:
		return e.ExpiresAt
	}
	return nil
}
