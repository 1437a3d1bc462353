package projection

import (
	"encoding/json"

	"github.com/leasekeeper/leasekeeper/events"
)

// operation and word number the operations and the answers that are counted, so
// that a bucket is a small table whatever strangers send.
type (
	operation uint8
	word      uint8
)

const unknownOperation operation = 9

var operationNames = [...]string{
	"acquire", "renew", "release", "write", "read", "inspect", "status", "repeat", "invalid", "unknown",
}

func operationOf(name string) operation {
	for i, n := range operationNames {
		if n == name {
			return operation(i)
		}
	}
	return unknownOperation
}

const (
	wordGranted word = iota
	wordQueued
	wordDeadlock
	wordRenewed
	wordReleased
	wordWithdrawn
	wordAccepted
	wordValue
	wordNull
	wordView
	wordTally
	wordRead // of a run: a value or null, which a tally does not always tell apart
	wordRefusal
)

// words are how many there are: the refusals follow the others.
const words = int(wordRefusal) + int(events.StaleToken)

var wordTexts = [wordRefusal]string{
	"granted", "queued", "deadlock", "renewed", "released", "withdrawn", "ok", "value", "null", "view", "tally", "value or null",
}

func refusalWord(r events.Refusal) word { return wordRefusal + word(r) - 1 }

func (w word) String() string {
	if w < wordRefusal {
		return wordTexts[w]
	}
	return events.Refusal(w - wordRefusal + 1).String()
}

func wordOf(answer events.Answer) word {
	switch a := answer.(type) {
	case events.Granted:
		return wordGranted
	case events.Queued:
		return wordQueued
	case events.Deadlock:
		return wordDeadlock
	case events.Renewed:
		return wordRenewed
	case events.Done:
		return wordReleased + word(a-events.Released)
	case events.Value:
		if a.Found {
			return wordValue
		}
		return wordNull
	case events.Tally:
		return wordTally
	case events.Refusal:
		return refusalWord(a)
	}
	return wordView
}

// tally counts by operation, whether it was a run, and answer.
type tally [2][len(operationNames)][words]uint64

func (t *tally) add(o operation, run bool, w word, times uint64) {
	if run {
		t[1][o][w] += times
	} else {
		t[0][o][w] += times
	}
}

func (t *tally) counts() []ActivityCount {
	var counts []ActivityCount
	for run := range t {
		for o := range t[run] {
			for w, times := range t[run][o] {
				if times > 0 {
					counts = append(counts, ActivityCount{operationNames[o], run == 1, word(w).String(), times})
				}
			}
		}
	}
	return counts
}

// runs counts the runs of a repeat. What was refused is read off the effects:
// the tally of a read counts stored texts, which may look like refusals.
func (a *Activity) runs(r *events.Repeat, t *events.Tally, effects []events.Effect) {
	o := operationOf(templateName(r.Template))
	if o == operationOf("invalid") || o == operationOf("repeat") {
		o = unknownOperation
	}
	answered := uint64(t.Ops)
	for i := range effects {
		if e := &effects[i]; e.Kind == events.EffectRefused {
			a.add(o, true, refusalWord(e.Refusal), 1)
			answered--
		}
	}
	if answered == 0 {
		return
	}
	switch operationNames[o] {
	case "read":
		a.add(o, true, wordRead, answered)
	case "inspect", "status":
		a.add(o, true, wordView, answered)
	default:
		for _, c := range t.Results {
			for w, text := range wordTexts {
				if text == c.Answer {
					a.add(o, true, word(w), uint64(c.Times))
				}
			}
		}
	}
}

// templateName is the name of the operation that a template repeats.
func templateName(template string) string {
	var list []json.RawMessage
	var name string
	if json.Unmarshal([]byte(template), &list) == nil && len(list) > 0 && json.Unmarshal(list[0], &name) == nil {
		return name
	}
	return ""
}
