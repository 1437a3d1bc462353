package audit

import (
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// worlds are two services beside the one that is right: one that always makes
// the mistake, and one that made it up to the last time that it was seen, and
// has been right ever since.
//
// A wrong answer that the reformed one gives as well follows from what had
// happened before. One that only the mistaken one gives is the mistake once
// more; from then on the reformed one is a copy of the mistaken one. One that
// neither gives is none of the mistake's.
type worlds struct {
	*examination
	mistaken, reformed *naive.Model // nil if nothing can be told, or no more
	workspace          naive.Workspace
	cures              int
}

// mostCures is how often the reformed service is made anew, which takes time
// with the size of the state.
const mostCures = 200

// newWorlds are the worlds before the first event.
func newWorlds(x *examination) *worlds {
	w := &worlds{examination: x}
	x.report.Counts = map[Kind]int{}
	x.report.Separated = x.report.Sequence
	if len(x.report.Cause) == 0 {
		return w
	}
	model, err := naive.New(x.rules, x.causeNames()...)
	if err != nil {
		panic("audit: " + err.Error()) // the rules have been examined, the names are from the catalogue
	}
	w.mistaken = model
	x.report.Separated = x.base + uint64(len(x.Entries))
	return w
}

// take lets both services answer an event, and judges it if it was answered
// wrongly.
func (w *worlds) take(t *told) {
	if w.mistaken != nil && t.index%pace == 0 && w.ctx.Err() != nil {
		w.mistaken, w.reformed = nil, nil
		w.report.Separated = max(min(t.result.Sequence-1, w.report.Separated), w.report.Sequence)
	}
	var given, leftAlone []byte
	if w.mistaken != nil {
		answer := w.mistaken.Apply(t.entry.Event).Answer
		if t.wrong {
			given = answer.AppendJSON(nil)
		}
	}
	if w.reformed != nil {
		answer := w.reformed.Apply(t.entry.Event).Answer
		if t.wrong {
			leftAlone = answer.AppendJSON(nil)
		}
	}
	if !t.wrong {
		return
	}
	kind := Unknown
	switch {
	case w.mistaken == nil:
	case leftAlone != nil && isRecorded(t.entry, leftAlone):
		kind = Follows
	case isRecorded(t.entry, given):
		kind = Again
		w.cure(t)
	default:
		kind = New
	}
	if t.index == w.first {
		return
	}
	w.report.Counts[kind]++
	if len(w.report.Later) < mostLater {
		w.report.Later = append(w.report.Later, Later{
			Sequence: t.result.Sequence, Event: t.entry.Event, Recorded: t.entry.Recorded, Required: t.required, Kind: kind,
		})
	}
}

// cure makes the reformed service anew, if that has not been done too often.
func (w *worlds) cure(t *told) {
	if w.cures == mostCures {
		return
	}
	w.reformed = w.workspace.Corrected(w.mistaken)
	if w.cures++; w.cures == mostCures {
		w.report.Separated = t.result.Sequence
	}
}
