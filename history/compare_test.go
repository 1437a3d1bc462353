package history_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// answers has all types of answers, and of each some that differ in one field.
var answers = []events.Answer{
	nil,
	events.Granted{Token: 1, ExpiresAt: 2}, events.Granted{Token: 2, ExpiresAt: 2}, events.Granted{Token: 1, ExpiresAt: 3},
	events.Granted{Token: 1, ExpiresAt: 2, Victims: []string{}}, events.Granted{Token: 1, ExpiresAt: 2, Victims: []string{"a"}},
	events.Queued{Position: 1}, events.Queued{Position: 2}, events.Queued{Position: 1, Victims: []string{"a"}},
	events.Queued{Position: 1, Victims: []string{"a", "b"}}, events.Queued{Position: 1, Victims: []string{"b", "a"}},
	events.Deadlock{Victims: []string{"a"}}, events.Deadlock{Victims: []string{"b"}},
	events.Renewed{ExpiresAt: 1}, events.Renewed{ExpiresAt: 2},
	events.Released, events.Withdrawn, events.Accepted,
	events.NotHolder, events.StaleToken,
	events.Value{}, events.Value{Text: "left over"}, events.Value{Text: "v", Found: true}, events.Value{Text: "w", Found: true},
	events.Value{Text: "ok", Found: true}, events.Value{Text: "released", Found: true}, events.Value{Text: "error: not holder", Found: true},
	events.LockView{}, events.LockView{Holders: []events.Holder{}, Queue: []events.Waiter{}},
	events.LockView{Holders: []events.Holder{{Client: "a", Mode: events.Shared, Token: 1, ExpiresAt: 2}}},
	events.LockView{Holders: []events.Holder{{Client: "a", Mode: events.Exclusive, Token: 1, ExpiresAt: 2}}},
	events.LockView{Queue: []events.Waiter{{Client: "a", Mode: events.Shared}}},
	events.ClientView{}, events.ClientView{Age: 1}, events.ClientView{Age: 1, Waiting: "L"},
	events.ClientView{Holds: []events.Hold{{Lock: "L", Mode: events.Shared, Token: 1, ExpiresAt: 2}}},
	events.Tally{Ops: 1}, events.Tally{Ops: 2}, events.Tally{Ops: 1, Results: []events.Count{{Answer: "ok", Times: 1}}},
}

// TestAnswersAreEqualIfTheyReadTheSame: the comparison of structures is that of
// their JSON, but faster.
func TestAnswersAreEqualIfTheyReadTheSame(t *testing.T) {
	read := func(a events.Answer) string {
		if a == nil {
			return ""
		}
		return string(a.AppendJSON(nil))
	}
	for _, a := range answers {
		for _, b := range answers {
			require.Equal(t, read(a) == read(b), history.EqualAnswers(a, b), "%#v and %#v", a, b)
		}
	}
}

func TestComparingAnswersOfOneTypeDoesNotAllocate(t *testing.T) {
	for _, a := range answers {
		require.Zero(t, testing.AllocsPerRun(10, func() { history.EqualAnswers(a, a) }), "%#v", a)
	}
}

// late is a history in which a lock is handed over while nobody looks (R3).
var late = history.History{Rules: events.Current, Events: []events.Event{
	events.Acquire{At: 0, Client: "a", Lock: "L", TTL: 10, Mode: events.Exclusive},
	events.Acquire{At: 1, Client: "b", Lock: "L", TTL: 10, Mode: events.Exclusive},
	events.Read{At: 15, Lock: "L", Key: "k"},
	events.Inspect{At: 16, Lock: "L"},
}}

func service(t *testing.T, rules events.Rules, deviations ...string) history.Service {
	t.Helper()
	model, err := naive.New(rules, deviations...)
	require.NoError(t, err)
	return model
}

func TestTheFirstWrongAnswerIsTheDifference(t *testing.T) {
	right, wrong := service(t, late.Rules), service(t, late.Rules, "hand-over-at-observation")
	d, differs := history.Compare(late, right, wrong, history.Answers)
	require.True(t, differs)
	require.Equal(t, 3, d.Index)
	require.Equal(t, late.Events[3], d.Event)
	require.JSONEq(t, `{"holders":[["b","exclusive",2,20]],"queue":[]}`, string(d.Required.Answer.AppendJSON(nil)))
	require.JSONEq(t, `{"holders":[["b","exclusive",2,25]],"queue":[]}`, string(d.Got.Answer.AppendJSON(nil)))
}

// TestEffectsTellEarlier: the read's answer is right, and yet it has brought a
// wrong hand-over to light.
func TestEffectsTellEarlier(t *testing.T) {
	right, wrong := service(t, late.Rules), service(t, late.Rules, "hand-over-at-observation")
	d, differs := history.Compare(late, right, wrong, history.Effects)
	require.True(t, differs)
	require.Equal(t, 2, d.Index)
	require.Len(t, d.Required.Effects, 2)
	require.EqualValues(t, 10, d.Required.Effects[1].Instant)
	require.EqualValues(t, 15, d.Got.Effects[1].Instant)
}

// TestADifferenceIsTheCallersToKeep, although a machine uses its effects again.
func TestADifferenceIsTheCallersToKeep(t *testing.T) {
	state, err := fsm.New(late.Rules)
	require.NoError(t, err)
	m := fsm.NewMachine(state)
	d, differs := history.Compare(late, m, service(t, late.Rules, "hand-over-at-observation"), history.Effects)
	require.True(t, differs)
	effect := d.Required.Effects[0]
	m.Apply(events.Acquire{At: 99, Client: "z", Lock: "Z", TTL: 1, Mode: events.Exclusive})
	require.Equal(t, effect, d.Required.Effects[0])
}

func TestEqualServicesDoNotDiffer(t *testing.T) {
	d, differs := history.Compare(late, service(t, late.Rules), service(t, late.Rules), history.Effects)
	require.False(t, differs)
	require.Zero(t, d)
	_, differs, err := history.Check(late)
	require.NoError(t, err)
	require.False(t, differs)
	_, _, err = history.Check(history.History{})
	require.ErrorContains(t, err, "history: naive: events: no such edition")
}
