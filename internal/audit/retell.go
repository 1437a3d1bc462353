package audit

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// told is one event as the whole log is gone through once more.
type told struct {
	index    int
	entry    *diagnose.Entry
	result   events.Result // the required one; its effects are valid until the next
	required []byte        // the text of the answer, of a wrong one or of a link only
	wrong    bool
	machine  *fsm.Machine
}

// pace is after how many events the time is looked at.
const pace = 1 << 10

// retell goes through the log once more, with everything known that is needed to
// say what the events of the chain did, what the later wrong answers are, and
// what was done to data.
func (x *examination) retell() {
	story := newStory(x)
	worlds := newWorlds(x)
	risks := newRisks(x)
	machine := fsm.NewMachine(x.Start)
	wrong, chain := x.wrong, x.chain
	for i := range x.Entries {
		e := &x.Entries[i]
		t := told{index: i, entry: e, result: machine.Apply(e.Event), machine: machine}
		linked := len(chain) > 0 && chain[0] == i
		t.wrong = len(wrong) > 0 && wrong[0] == i
		if linked {
			chain = chain[1:]
		}
		if t.wrong {
			wrong = wrong[1:]
		}
		if linked || t.wrong {
			t.required = t.result.Answer.AppendJSON(nil)
		}
		if i <= x.first {
			story.take(&t, linked)
		}
		worlds.take(&t)
		risks.take(&t)
	}
	x.report.Chain = story.finish()
}
