package audit

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Threat says how data was put at risk.
type Threat string

const (
	// StaleAccepted: a write was accepted that the rules refuse as stale.
	StaleAccepted Threat = "stale-accepted"
	// WronglyRefused: a write was refused that the rules accept.
	WronglyRefused Threat = "wrongly-refused"
	// NotHolder: a write was accepted, as the rules accept it, from somebody who
	// was told wrongly to hold the lock: by the rules its token was no holder's.
	NotHolder Threat = "not-holder"
	// Misled: a write was refused, as the rules refuse it, of somebody who was
	// told wrongly to hold the lock.
	Misled Threat = "misled"
	// WrongValue: a read was given what is not the value.
	WrongValue Threat = "wrong-value"
	// Uncertain: a repeat of writes or reads has a wrong tally.
	Uncertain Threat = "uncertain"
	// Garbled: a write or a read got an answer that no service gives.
	Garbled Threat = "garbled"
)

// Risk is a write, a read or a repeat of them behind which data may be lost, overwritten or wrong.
type Risk struct {
	Sequence           uint64
	Event              events.Event
	Threat             Threat
	Recorded, Required []byte // Recorded is nil if only a hash was recorded
	// Overwritten is the value that a write replaced though it should not have,
	// and By the event that wrote it; By is 0 if there was none.
	Overwritten string
	By          uint64
	// Why says it in a sentence.
	Why string
}

// write looks at a write: at what was answered, and at what should have been.
func (r *risks) write(t *told, e events.Write) {
	required := t.result.Answer == events.Accepted
	recorded := required
	if t.wrong {
		recorded = shapeOf(e, t.entry.Recorded).kind == events.Accepted.String()
	}
	by, claimed := r.claims[claim{e.Lock, e.Token}]
	before := r.values[slot{e.Lock, e.Key}]
	if recorded {
		r.values[slot{e.Lock, e.Key}] = stored{e.Value, t.result.Sequence}
	}
	where := place(e.Lock, e.Key)
	switch {
	case recorded && !required:
		risk := Risk{Threat: StaleAccepted, Overwritten: before.text, By: before.by,
			Why: fmt.Sprintf("%s took a value with token %d, which is stale", where, e.Token)}
		if before.by > 0 {
			risk.Why += fmt.Sprintf("; it replaced %s of #%d", quotedValue(before.text), before.by)
		}
		r.add(t, risk)
	case required && !recorded:
		r.add(t, Risk{Threat: r.threatOf(t, WronglyRefused),
			Why: fmt.Sprintf("the value %s for %s was refused and is not stored", quotedValue(e.Value), where)})
	case claimed && required && !r.holds(t, e):
		risk := Risk{Threat: NotHolder, Overwritten: before.text, By: before.by,
			Why: fmt.Sprintf("%s took a value with token %d, which by the rules is no holder's; #%d had told otherwise", where, e.Token, by)}
		if before.by > 0 {
			risk.Why += fmt.Sprintf("; it replaced %s of #%d", quotedValue(before.text), before.by)
		}
		r.add(t, risk)
	case claimed && !required:
		r.add(t, Risk{Threat: Misled,
			Why: fmt.Sprintf("the fence refused the value %s for %s, whose writer #%d had told that it held the lock", quotedValue(e.Value), where, by)})
	}
}

// holds tells whether a write's token is, by the rules, that of a lease in force.
func (r *risks) holds(t *told, e events.Write) bool {
	return slices.ContainsFunc(t.machine.State().Holders(e.Lock), func(h events.Holder) bool { return h.Token == e.Token })
}

// threatOf is a threat, if the recorded answer was one that can be given at all.
func (r *risks) threatOf(t *told, threat Threat) Threat {
	if t.entry.Recorded != nil && shapeOf(t.entry.Event, t.entry.Recorded).kind == "other" {
		return Garbled
	}
	return threat
}

func (r *risks) add(t *told, risk Risk) {
	if r.report.RiskCount++; len(r.report.Risks) == mostRisks {
		return
	}
	risk.Sequence, risk.Event, risk.Recorded = t.result.Sequence, t.entry.Event, t.entry.Recorded
	if risk.Required = t.required; risk.Required == nil {
		risk.Required = t.result.Answer.AppendJSON(nil)
	}
	r.report.Risks = append(r.report.Risks, risk)
}

func place(lock, key string) string { return visible.Name(key) + " of " + visible.Name(lock) }

func quotedValue(text string) string {
	quoted := visible.Quoted(text)
	return shortened([]byte(quoted))
}

func recordedText(t *told) string {
	if t.entry.Recorded == nil {
		return "something else"
	}
	return shortened(t.entry.Recorded)
}
