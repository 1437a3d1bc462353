package explain

import (
	"regexp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Event explains the answer of an event. An error is one of the source; every
// event that there is has an explanation.
func Event(source Source, sequence uint64, options Options) (*Account, error) {
	entry, err := source.Entry(sequence)
	if err != nil {
		return nil, err
	}
	f := focusOf(entry)
	s, err := atEvent(source, sequence, entry, options.budget(), f)
	if err == nil && !f.all && reachesFurther(s.result.Answer) {
		f.all = true // the recorded answer gave no sign of it
		s, err = atEvent(source, sequence, entry, options.budget(), f)
	}
	if err != nil {
		return nil, err
	}
	a := &account{scene: s, most: options.most()}
	a.heading(sequence)
	differs := a.compare()
	a.event()
	account, err := a.finish()
	if err == nil {
		account.Differs = differs
	}
	return account, err
}

// focusOf is the lock and the client that an event names. Whether its answer can
// be explained without what went on elsewhere is not known yet; that is guessed
// from the recorded one.
func focusOf(entry Entry) focus {
	elsewhere := entry.Recorded != nil && slices.ContainsFunc(furtherAnswers, func(r *regexp.Regexp) bool {
		return r.MatchString(entry.Recorded.Text)
	})
	switch e := entry.Event.(type) {
	case events.Acquire:
		return focus{e.Lock, e.Client, elsewhere}
	case events.Renew:
		return focus{e.Lock, e.Client, false}
	case events.Release:
		return focus{e.Lock, e.Client, false}
	case events.Write:
		return focus{lock: e.Lock}
	case events.Read:
		return focus{lock: e.Lock}
	case events.Inspect:
		return focus{lock: e.Lock}
	case events.Status:
		return focus{client: e.Client, all: true}
	}
	return focus{}
}

// reachesFurther tells whether an answer has to do with more than one lock: it
// tells of victims, or that a client is busy.
func reachesFurther(answer events.Answer) bool {
	return answer == events.ClientBusy || len(events.Victims(answer)) > 0
}

// furtherAnswers are the answers of that kind, as they are spelled.
var furtherAnswers = []*regexp.Regexp{
	regexp.MustCompile(`^"` + events.ClientBusy.String() + `"$`), regexp.MustCompile(`^\[.*\[`),
}

// longest is how many bytes of an operation or an answer are told.
const longest = 500

func shortened(json []byte) string {
	cut, whole := visible.Cut(string(json), longest)
	if !whole {
		cut += "…"
	}
	return cut
}

// heading tells what was asked and what was answered.
func (a *account) heading(sequence uint64) {
	operation := Fact{Event: sequence, Detail: shortened(events.AppendJSON(nil, a.entry.Event)), Rules: []string{}}
	if a.begun {
		operation.Instant = &a.clock
	}
	a.add("operation", operation)
	a.add("answer", Fact{Event: sequence, Detail: shortened(a.result.Answer.AppendJSON(nil)), Rules: []string{}})
}

// compare tells of a recorded answer that differs.
func (a *account) compare() bool {
	r := a.entry.Recorded
	derived := a.result.Answer.AppendJSON(nil)
	if r == nil || r.Is(derived) {
		return false
	}
	kind := Kind("recorded")
	if r.Foreign {
		kind = "recorded by another service"
	}
	a.add(kind, Fact{Event: a.result.Sequence, Detail: shortened([]byte(r.Text)), Rules: []string{}})
	return true
}

// event explains the scene's event. What was so before it is asked for before
// the trail goes on.
func (a *account) event() {
	if r, refused := a.result.Answer.(events.Refusal); refused {
		a.refusal(r)
		return
	}
	switch e := a.entry.Event.(type) {
	case events.Acquire:
		a.acquire(e)
	case events.Renew:
		a.happen()
		a.lapses(e.Lock)
		a.renewed(e)
	case events.Release:
		a.release(e)
	case events.Write:
		a.written(e)
	case events.Read:
		a.happen()
		a.read(e)
	case events.Inspect:
		a.happen()
		a.lapses(e.Lock)
		a.lock(e.Lock)
	case events.Status:
		a.happen()
		a.lapses("")
		a.client(e.Client)
	case events.Repeat:
		a.happen()
		a.tally(e)
	}
}

// refusal explains a refusal.
func (a *account) refusal(r events.Refusal) {
	switch r {
	case events.UnknownOperation, events.InvalidArguments, events.InvalidTTL:
		a.malformed(r)
		return
	case events.ClockWentBack:
		a.wentBack()
		return
	case events.StaleToken:
		a.stale(a.entry.Event.(events.Write))
		return
	}
	a.happen()
	switch e := a.entry.Event.(type) {
	case events.Acquire:
		a.lapses(e.Lock)
		a.busy(e)
	case events.Renew:
		a.notHolder(e.Client, e.Lock)
	case events.Release:
		a.notHolder(e.Client, e.Lock)
	}
}

// lapses tells of the leases on a lock that lapsed before the event was looked
// at, and counts the others.
func (a *account) lapses(lock string) {
	here, elsewhere := 0, 0
	for i, e := range a.result.Effects {
		if e.Kind != events.EffectExpired {
			continue
		}
		if e.Lock != lock {
			elsewhere++
			continue
		}
		if here++; here <= a.most {
			a.add("lapsed", a.origin(Fact{Lock: lock, Client: e.Client, Token: e.Token}, &e))
			a.grants(&e, grantsAfter(a.result.Effects[i+1:]))
		}
	}
	a.more(here-a.most, "leases on the lock that lapsed")
	if elsewhere > 0 {
		a.add("lapsed elsewhere", Fact{Count: int64(elsewhere), Event: a.result.Sequence})
	}
}

// grantsAfter are the grants that the effects begin with, of those that something
// before them made way for.
func grantsAfter(effects []events.Effect) []events.Effect {
	n := 0
	for n < len(effects) && effects[n].Kind == events.EffectGranted && effects[n].Cause != events.CauseFree {
		n++
	}
	return effects[:n]
}
