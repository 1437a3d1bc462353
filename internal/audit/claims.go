package audit

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// slot is where a value lies.
type slot struct{ lock, key string }

// stored is a value that is in the store, as far as the answers say.
type stored struct {
	text string
	by   uint64
}

// claim is a token of a lock that somebody was wrongly told to be a holder's.
type claim struct {
	lock  string
	token int64
}

// risks follows what the recorded answers say of the store.
type risks struct {
	*examination
	values map[slot]stored
	tokens map[pair]int64   // by the rules: the last token of a client at a lock
	claims map[claim]uint64 // by which event somebody was wrongly told so
}

func newRisks(x *examination) *risks {
	return &risks{examination: x, values: map[slot]stored{}, tokens: map[pair]int64{}, claims: map[claim]uint64{}}
}

// take looks at an event, with what was recorded for it.
func (r *risks) take(t *told) {
	for i := range t.result.Effects {
		if e := &t.result.Effects[i]; e.Kind == events.EffectGranted {
			r.tokens[pair{e.Lock, e.Client}] = e.Token
		}
	}
	switch e := t.entry.Event.(type) {
	case events.Acquire:
		r.claim(t, e.Lock, e.Client)
	case events.Renew:
		r.claim(t, e.Lock, e.Client)
	case events.Inspect:
		r.claimRows(t, "holders", func([4]string) string { return e.Lock })
	case events.Status:
		r.claimRows(t, "holds", func(row [4]string) string { return unquoted(row[0]) })
	case events.Write:
		r.write(t, e)
	case events.Read:
		if t.wrong {
			r.add(t, Risk{Threat: r.threatOf(t, WrongValue), Why: fmt.Sprintf("the reader of %s was given %s, where the value is %s",
				place(e.Lock, e.Key), recordedText(t), shortened(t.required))})
		}
	case events.Repeat:
		r.repeat(t, e)
	}
}

// repeat looks at the writes and reads of a repeat whose tally is wrong. Which of
// its runs went wrong, a tally does not say.
func (r *risks) repeat(t *told, e events.Repeat) {
	template, ok := events.CompileTemplate(e.Template)
	if !t.wrong || !ok || e.Count < 1 {
		return
	}
	switch template.Event(r.rules, e.At, 0).(type) {
	case events.Write, events.Read:
		r.add(t, Risk{Threat: r.threatOf(t, Uncertain), Why: fmt.Sprintf("runs of this repeat went wrong: they gave %s, where the rules give %s; the tally does not say which",
			recordedText(t), shortened(t.required))})
	}
}

// claim notes that a client was wrongly told to hold a lock.
func (r *risks) claim(t *told, lock, client string) {
	if !t.wrong {
		return
	}
	switch s := shapeOf(t.entry.Event, t.entry.Recorded); s.kind {
	case "granted":
		r.claimToken(t, lock, s.part("token"))
	case "renewed":
		if token, known := r.tokens[pair{lock, client}]; known {
			r.claims[claim{lock, token}] = t.result.Sequence
		}
	}
}

// claimRows notes the leases that were shown and are none.
func (r *risks) claimRows(t *told, name string, lockOf func(row [4]string) string) {
	if !t.wrong {
		return
	}
	required := leasesOf(shapeOf(t.entry.Event, t.required).part(name))
	for _, row := range leasesOf(shapeOf(t.entry.Event, t.entry.Recorded).part(name)) {
		if !slices.Contains(required, row) {
			r.claimToken(t, lockOf(row), row[2])
		}
	}
}

func (r *risks) claimToken(t *told, lock, token string) {
	if number, err := strconv.ParseInt(token, 10, 64); err == nil {
		r.claims[claim{lock, number}] = t.result.Sequence
	}
}
