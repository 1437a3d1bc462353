package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

// texts writes a history down.
func operationsOf(h history.History) (operations []string) {
	for _, event := range h.Events {
		operations = append(operations, string(events.AppendJSON(nil, event)))
	}
	return operations
}

// A renew at the very end of a lease (R2) is found, made small and named.
func TestAWrongAnswerIsShrunkAndNamed(t *testing.T) {
	session := open(t, target(t, "stream-late", Stream))
	h := parse(t, append([]string{`["write",0,"S","k","v",1]`}, night...)...)
	judge := NewJudge(context.Background(), session)
	require.Equal(t, history.Class("wrong answer: renew: error: not holder, not renewed"), judge.Class(h))
	small := history.Shrink(h, judge.Class)
	require.NoError(t, judge.Err())
	require.Equal(t, []string{`["acquire",0,"a","L",1]`, `["renew",1,"a","L",1]`}, operationsOf(small))

	verdict, err := session.Run(context.Background(), small)
	require.NoError(t, err)
	explanation, err := Explain(context.Background(), small, verdict.(WrongAnswer))
	require.NoError(t, err)
	var names []string
	for _, candidate := range explanation.Candidates {
		require.Len(t, candidate, 1)
		names = append(names, candidate[0].Name)
	}
	require.Contains(t, names, "renew-at-expiry")
	require.Contains(t, explanation.Rules, "R2")
}

// What no deviation does has no name, but the rules that decide the answer have
// numbers.
func TestAnUnknownMistakeHasRulesToRead(t *testing.T) {
	h := parse(t, night...)
	explanation, err := Explain(context.Background(), h, WrongAnswer{
		Sequence: 3, Given: []byte(`["renewed","soon"]`),
	})
	require.NoError(t, err)
	require.Empty(t, explanation.Candidates)
	require.Equal(t, []string{"R1", "R2", "R3", "R5", "R7", "R11"}, explanation.Rules)
}

// A crash is shrunk as a crash, by a new process for each try.
func TestACrashIsShrunk(t *testing.T) {
	judge := NewJudge(context.Background(), open(t, target(t, "exit-7", Stream)))
	h := parse(t, night...)
	require.Equal(t, history.Class("crash: exit status 7"), judge.Class(h))
	small := history.ShrinkWithin(h, judge.Class, history.Limits{Calls: 50})
	require.NoError(t, judge.Err())
	require.Len(t, small.Events, 3)
	require.LessOrEqual(t, judge.Calls, 51)
}

// When its time is up, a judge finds nothing any more, so that shrinking ends.
func TestAJudgeWhoseTimeIsUp(t *testing.T) {
	judge := NewJudge(context.Background(), open(t, target(t, "stream-late", Stream)))
	h := parse(t, night...)
	require.NotEmpty(t, judge.Class(h))
	judge.Until = time.Unix(1, 0)
	require.Empty(t, judge.Class(h))
	require.NoError(t, judge.Err())
	require.Equal(t, 1, judge.Calls)
}

// A failure of the session is not taken for agreement: Err has it.
func TestAJudgeWhoseSessionFails(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	judge := NewJudge(ctx, open(t, target(t, "stream-late", Stream)))
	cancel()
	require.Empty(t, judge.Class(parse(t, night...)))
	require.ErrorIs(t, judge.Err(), context.Canceled)
	require.Empty(t, judge.Class(parse(t, night...)))
}

// A service whose reset does not reset answers the first history rightly and the
// next one wrongly. In a process of its own, neither fails: the verdict is flaky.
func TestWhatCannotBeReproducedIsFlaky(t *testing.T) {
	ctx := context.Background()
	session := open(t, target(t, "remembers", Stream))
	h := parse(t, `["acquire",0,"a","L",30]`)
	first, err := session.Run(ctx, h)
	require.NoError(t, err)
	require.Equal(t, Agrees{Answers: 1}, first)
	second, err := session.Run(ctx, h)
	require.NoError(t, err)
	require.Equal(t, KindWrongAnswer, second.Kind())

	trials, err := Reproduce(ctx, session, h, second, 3)
	require.NoError(t, err)
	require.Equal(t, Trials{Times: 3, Same: 0}, trials)
	require.True(t, trials.Flaky())

	session = open(t, target(t, "stream-late", Stream))
	verdict, err := session.Run(ctx, parse(t, night...))
	require.NoError(t, err)
	trials, err = Reproduce(ctx, session, parse(t, night...), verdict, 3)
	require.NoError(t, err)
	require.Equal(t, Trials{Times: 3, Same: 3}, trials)
	require.False(t, trials.Flaky())
}
