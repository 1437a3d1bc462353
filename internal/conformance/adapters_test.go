package conformance

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

// examples are complete services of docs/conformance in other languages: whoever
// starts from them starts from something that agrees.
var examples = map[string]string{
	"python":     "python3 python/lockservice.py",
	"javascript": "node javascript/lockservice.mjs",
}

// example is a command of docs/conformance as a target. Where the language is
// missing the test is skipped, except where all of them have to be there.
func example(t testing.TB, line string, protocol Protocol) Target {
	t.Helper()
	words, err := SplitCommand(line)
	require.NoError(t, err)
	if _, err := exec.LookPath(words[0]); err != nil {
		if os.Getenv("LEASEKEEPER_CI") == "1" {
			require.NoError(t, err, "LEASEKEEPER_CI=1 wants all examples to be run")
		}
		t.Skipf("%s is not installed; with LEASEKEEPER_CI=1 this would be a failure", words[0])
	}
	return Target{
		Command: words, Directory: "../../docs/conformance", Protocol: protocol,
		Environment: []string{"PYTHONDONTWRITEBYTECODE=1"},
	}
}

// agree runs histories of every profile, edition and unit.
func agree(t *testing.T, session *Session, histories, operations int) {
	t.Helper()
	for _, profile := range history.Profiles() {
		for seed := range uint64(histories) {
			h := history.Generate(history.DrawRules(seed), profile, seed, operations)
			verdict, err := session.Run(context.Background(), h)
			require.NoError(t, err)
			require.Equal(t, KindAgrees, verdict.Kind(), "profile %s, seed %d, %+v: %v\n%s",
				profile.Name, seed, h.Rules, verdict, Stderr(verdict))
		}
	}
}

func TestExamplesAgree(t *testing.T) {
	for language, line := range examples {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			histories := 60
			if testing.Short() {
				histories = 5
			}
			session := open(t, example(t, line, Auto))
			require.Equal(t, Stream, session.Target().Protocol)
			agree(t, session, histories, 150)
		})
	}
}

func TestExamplesAgreeInTheProcessProtocol(t *testing.T) {
	for language, line := range examples {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			agree(t, open(t, example(t, line, Process)), 1, 100)
		})
	}
}

// What the examples are most likely to get wrong, and the generator is least likely
// to draw: numbers of thousands of digits, deep lists, characters beyond U+FFFF.
func TestExamplesAgreeAtTheEdges(t *testing.T) {
	digits := strings.Repeat("9", 5000)
	deep := strings.Repeat("[", 3000) + strings.Repeat("]", 3000)
	h := parse(t,
		`["acquire",0,"a","L",`+digits+`]`, `["acquire",0,"a","L",-`+digits+`]`, `["write",0,"L","k","v",`+digits+`]`,
		`["inspect",`+digits+`,"L"]`, `["inspect",0,`+deep+`]`, deep, `["acquire",-0,"a","L",6e1]`,
		`["acquire",1,"c","\ue000",60]`, `["acquire",1,"c","\ud83d\ude00",60]`, `["status",1,"c"]`,
		`["acquire",1,"\u2028","\u2028\u0085\u0000\u001b",60]`, `["inspect",1,"\u2028\u0085\u0000\u001b"]`,
		`["inspect",1,"\ud83d"]`, `["inspect",1,"\ude00\ud83d"]`, `["__proto__",1]`, `["constructor",1,"a"]`, `["toString",1]`,
		`["write",1,"__proto__","__proto__","__proto__",1]`, `["read",1,"__proto__","__proto__"]`,
		`["repeat",1,2,0,["read","__proto__","__proto__"]]`, `["repeat",1,1,0,["inspect","{i+`+digits[:1001]+`}"]]`,
		`["repeat",1,100000,0,["inspect","\ud800{i+`+digits[:700]+`}\udc00"]]`,
		`["repeat",1,1000,0,["inspect","\ud800{i+`+digits[:600]+`}\udc00"]]`, `["repeat",1,2,9223372036854775807,["inspect","L"]]`,
		`["repeat",1,3,1,["acquire","c{i+`+digits[:30]+`%`+digits[:29]+`}","{i%7}{j}{i+}",60,"shared"]]`,
		`{}`, `null`, `"x"`, `[]`, `["inspect"]`, `[["inspect"],1]`, `["status",2,"c"]`,
	)
	for language, line := range examples {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			verdict, err := open(t, example(t, line, Stream)).Run(context.Background(), h)
			require.NoError(t, err)
			require.Equal(t, KindAgrees, verdict.Kind(), "%v\n%s", verdict, Stderr(verdict))
		})
	}
}

// The service with a bug: its lease begins when somebody looks, not when the one
// before it ended (R3). The smallest history that shows it has three operations, and
// the bug has a name.
func TestTheBuggyExampleIsFound(t *testing.T) {
	rules := events.Rules{Edition: events.Edition1, Unit: events.Second}
	session := open(t, example(t, "python3 python/buggy.py", Stream))
	profile, err := history.ProfileNamed("expiry")
	require.NoError(t, err)
	judge := NewJudge(t.Context(), session)
	judge.Only, judge.Coarse = rules, true // other editions make it exit
	found := history.History{Rules: rules}
	for seed := uint64(1); judge.Class(found) == "" && seed < 50; seed++ {
		found = history.Generate(rules, profile, seed, 20)
	}
	require.NoError(t, judge.Err())
	small := history.ShrinkWithin(found, judge.Class, history.Limits{Calls: 5000})
	require.NoError(t, judge.Err())
	require.Equal(t, []string{`["acquire",0,"a","L",1]`, `["acquire",0,"b","L",1]`, `["inspect",2,"L"]`}, operationsOf(small))

	verdict, err := session.Run(t.Context(), small)
	require.NoError(t, err)
	explanation, err := Explain(t.Context(), small, verdict.(WrongAnswer))
	require.NoError(t, err)
	require.Contains(t, explanation.names(), []string{"hand-over-at-observation"})
	require.Contains(t, explanation.Rules, "R3")
}

// A command that takes lines is put behind the process protocol by sed.
func TestTheShellAdapter(t *testing.T) {
	program := example(t, "sh shell/lines.sh", Process)
	lines := target(t, "lines", Process)
	program.Command, program.Environment = append(program.Command, lines.Command...), lines.Environment
	session := open(t, program)
	agree(t, session, 3, 100)
	verdict, err := session.Run(t.Context(), history.History{Rules: events.Current})
	require.NoError(t, err)
	require.Equal(t, Agrees{}, verdict)
	program.Environment[0] = helperVariable + "=exit-7-at-once"
	verdict, err = open(t, program).Run(t.Context(), parse(t, night...))
	require.NoError(t, err)
	require.Equal(t, "crash after 0 answers: exit status 7", verdict.String())
}
