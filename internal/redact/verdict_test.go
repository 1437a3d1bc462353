package redact

import (
	"bytes"
	"testing"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/stretchr/testify/require"
)

// Whoever replays the redacted history finds the differences of the first one,
// at the same events, in answers and in fingerprints. Every third answer is that
// of the event before, every fifth fingerprint is wrong.
func TestTheVerdictStays(t *testing.T) {
	everything, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	differ := 0
	for seed := range uint64(40) {
		h := history.Generate(history.DrawRules(seed), everything, seed, 80)
		initial, err := fsm.New(h.Rules)
		require.NoError(t, err)
		r, err := New(h.Rules, both)
		require.NoError(t, err)
		items, before := recordedAs(fsm.NewMachine(initial), h)
		for i := range items {
			r.Collect(&items[i])
		}
		m := fsm.NewMachine(initial)
		for i := range items {
			item, err := r.Redact(&items[i])
			if err != nil {
				require.ErrorIs(t, err, ErrNotAlike, "seed %d", seed)
				break
			}
			require.Equal(t, before[i], verdictOf(m, &item), "seed %d, event %d", seed, i+1)
			if before[i] != (verdict{}) {
				differ++
			}
		}
	}
	require.Greater(t, differ, 500)
}

// verdict says whether an answer and a fingerprint differ from the rules'.
type verdict struct{ spelling, answer, state bool }

func verdictOf(m *fsm.Machine, i *Item) verdict {
	answer := m.Apply(i.Event).Answer.AppendJSON(nil)
	return verdict{!bytes.Equal(answer, i.Answer), !oplog.SameAnswer(answer, i.Answer), *i.Fingerprint != m.Fingerprint()}
}

// recordedAs are the events of a history with what was recorded.
func recordedAs(m *fsm.Machine, h history.History) (items []Item, verdicts []verdict) {
	last := []byte("null")
	for n, e := range h.Events {
		answer := m.Apply(e).Answer.AppendJSON(nil)
		state := m.Fingerprint()
		item := Item{Event: e, Answer: answer, Fingerprint: &state}
		v := verdict{}
		if n%3 == 2 {
			item.Answer = last
			v.spelling, v.answer = !bytes.Equal(last, answer), !oplog.SameAnswer(last, answer)
		}
		if n%5 == 4 {
			state[0]++
			v.state = true
		}
		last = answer
		items, verdicts = append(items, item), append(verdicts, v)
	}
	return items, verdicts
}
