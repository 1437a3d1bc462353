package audit_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// planted is how many wrong answers are planted.
const planted = 200

// examinedOf is of how many planted answers one is looked into.
const examinedOf = 25

// requireExamined looks into a log with one wrong answer.
func requireExamined(t *testing.T, rules events.Rules, log []diagnose.Entry, at int) {
	r := examined(t, rules, log)
	require.Equal(t, uint64(at+1), r.Sequence)
	require.NotEmpty(t, r.Broken)
	require.NotEmpty(t, r.Because)
	require.True(t, r.Minimal)
	require.Equal(t, r.Sequence, r.Chain[len(r.Chain)-1].Sequence)
	require.Empty(t, r.Later)
	for _, l := range r.Chain {
		require.NotEmpty(t, l.Why)
	}
}

// right answers the events of a history by the rules.
func right(t testing.TB, rules events.Rules, list []events.Event) (answers []events.Answer) {
	m := fsm.NewMachine(fresh(t, rules))
	for _, e := range list {
		answers = append(answers, m.Apply(e).Answer)
	}
	return answers
}

// placeFor finds where a plant fits, from some place on.
func placeFor(p plant, answers []events.Answer, from int) (at int, wrong string) {
	for i := range answers {
		at := (from + i) % len(answers)
		if wrong := p.make(answers[at]); wrong != "" && wrong != text(answers[at]) {
			return at, wrong
		}
	}
	return -1, ""
}

// One wrong answer of any kind, anywhere in a log: the audit names the very event.
// Of the same log without it, and of every beginning of that, it finds nothing.
func TestEveryPlantedAnswerIsFound(t *testing.T) {
	profiles := history.Profiles()
	done, used := 0, map[string]bool{}
	for n := 0; done < planted; n++ {
		require.Less(t, n, 20*planted, "a plant fits nowhere")
		p := plants[done%len(plants)]
		rules := history.DrawRules(uint64(n))
		h := history.Generate(rules, profiles[(n/3)%len(profiles)], uint64(n), 120)
		answers := right(t, rules, h.Events)
		at, wrong := placeFor(p, answers, n*37)
		if at < 0 {
			continue
		}
		done, used[p.name] = done+1, true
		log := make([]diagnose.Entry, len(answers))
		for i, a := range answers {
			log[i] = diagnose.Entry{Event: h.Events[i], Recorded: []byte(text(a))}
		}
		log[at].Recorded = []byte(wrong)
		f := found(t, rules, log)
		require.Equal(t, uint64(1), f.Wrong, "%s, seed %d", p.name, n)
		require.Equal(t, uint64(at+1), f.First.Sequence, "%s, seed %d", p.name, n)
		require.Equal(t, wrong, string(f.First.Recorded))
		require.Equal(t, text(answers[at]), string(f.First.Required))
		if done%examinedOf == 0 {
			requireExamined(t, rules, log, at)
		}
	}
	require.Len(t, used, len(plants))
}

// Right answers are right however they are spelled, in every beginning of a log.
func TestCleanLogsRaiseNoAlarm(t *testing.T) {
	for n, profile := range history.Profiles() {
		rules := history.DrawRules(uint64(n))
		h := history.Generate(rules, profile, uint64(n), 200)
		f := audit.NewFinder(fresh(t, rules))
		m := fsm.NewMachine(fresh(t, rules))
		for i, e := range h.Events {
			answer := text(m.Apply(e).Answer)
			spellings := append(harmless(answer), answer)
			print := m.Fingerprint()
			f.Add(&audit.Entry{
				Entry:       diagnose.Entry{Event: e, Recorded: []byte(spellings[i%len(spellings)])},
				Fingerprint: &print,
			})
			require.Zero(t, f.Wrong, "%s, event %d: %s", profile.Name, i+1, answer)
			require.Nil(t, f.State)
		}
		require.Equal(t, f.Events, f.Answered)
	}
}

// A recorded state that the events do not give is found, though every answer is
// right.
func TestAWrongStateIsFound(t *testing.T) {
	f := audit.NewFinder(fresh(t, events.Current))
	for i := range 3 {
		e := events.Inspect{At: int64(i), Lock: "L"}
		state, _ := fsm.Apply(fresh(t, events.Current), e)
		print := state.Fingerprint()
		if i == 1 {
			print[0]++
		}
		f.Add(&audit.Entry{Entry: diagnose.Entry{Event: e}, Fingerprint: &print})
	}
	require.Nil(t, f.First)
	require.Equal(t, uint64(2), f.State.Sequence)
}

// BenchmarkAudit audits logs of a million events, each with one wrong answer,
// and requires that the very event is found: -benchtime=200x plants all of them.
// LEASEKEEPER_EVENTS sets the length.
func BenchmarkAudit(b *testing.B) {
	events := 1_000_000
	if testing.Short() {
		events = 20_000
	}
	if n, err := strconv.Atoi(os.Getenv("LEASEKEEPER_EVENTS")); err == nil {
		events = n
	}
	for _, locks := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("locks=%d/events=%d", locks, events), func(b *testing.B) {
			benchmarkAudit(b, locks, events)
		})
	}
}
