package conformance

import (
	"encoding/json"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

func TestReadAnswers(t *testing.T) {
	for _, test := range []struct {
		output   string
		required int
		answers  []string
		fault    string
	}{
		{``, 0, nil, ""},
		{`[]`, 0, nil, ""},
		{"\uFEFF [ ] \n", 0, nil, ""},
		{`["released","ok"]`, 2, []string{`"released"`, `"ok"`}, ""},
		{`[["granted",1,30],"ok"]`, 2, []string{`["granted",1,30]`, `"ok"`}, ""},
		{"[\"granted\",1,30]\n\"ok\"\n", 2, []string{`["granted",1,30]`, `"ok"`}, ""},
		{"null\nnull", 2, []string{`null`, `null`}, ""},

		// One answer, alone or as the only element.
		{`["granted",1,30]`, 1, []string{`["granted",1,30]`}, ""},
		{`[["granted",1,30]]`, 1, []string{`["granted",1,30]`}, ""},
		{`["granted"]`, 1, []string{`"granted"`}, ""},
		{`["released"]`, 1, []string{`"released"`}, ""},
		{`{"holders":[],"queue":[]}`, 1, []string{`{"holders":[],"queue":[]}`}, ""},

		{`["ok","ok"`, 2, nil, "no JSON at 10"},
		{`[["granted",1,30],"ok"`, 2, []string{`["granted",1,30]`, `"ok"`}, "no JSON at 22"},
		{`["granted",1,30`, 1, nil, "no JSON at 15"},
		{`["ok","ok"] Done.`, 2, []string{`"ok"`, `"ok"`}, "no JSON at 12"},
		{"\uFEFF\"ok\"\nDEBUG", 2, []string{`"ok"`}, "no JSON at 8"},
		{`'ok'`, 1, nil, "no JSON at 0"},
		{"\"ok\"\n\"\xff\"", 2, nil, "no UTF-8 at 6"},
		{"o\x00k", 1, nil, "no JSON at 0"},
	} {
		answers, fault := readAnswers([]byte(test.output), test.required)
		var texts []string
		for _, answer := range answers {
			texts = append(texts, string(answer))
		}
		require.Equal(t, test.answers, texts, test.output)
		if test.fault == "" {
			require.Nil(t, fault, test.output)
			continue
		}
		require.NotNil(t, fault, test.output)
		require.Equal(t, test.fault, fault.reason+" at "+string(mustJSON(fault.offset)), test.output)
	}
}

func mustJSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// What a service of ours can answer is read back as that; anything else stays as it
// is.
func TestAnswersAreReadForStories(t *testing.T) {
	for _, answer := range []events.Answer{
		events.Released, events.Withdrawn, events.Accepted, events.StaleToken, events.UnknownOperation,
		events.Value{}, events.Value{Text: "v", Found: true}, events.Renewed{ExpiresAt: -5},
		events.Granted{Token: 1 << 60, ExpiresAt: 30}, events.Granted{Token: 1, ExpiresAt: 3, Victims: []string{"a", "é"}},
		events.Queued{Position: 2}, events.Queued{Position: 2, Victims: []string{"a"}}, events.Deadlock{Victims: []string{"a"}},
		events.LockView{}, events.LockView{
			Holders: []events.Holder{{Client: "a", Mode: events.Shared, Token: 1, ExpiresAt: 2}},
			Queue:   []events.Waiter{{Client: "b", Mode: events.Exclusive}},
		},
		events.ClientView{}, events.ClientView{
			Age: 3, Waiting: "L", Holds: []events.Hold{{Lock: "M", Mode: events.Exclusive, Token: 1, ExpiresAt: 2}},
		},
		events.Tally{Ops: 3, Results: []events.Count{{Answer: "granted", Times: 1}, {Answer: "ok", Times: 2}}},
	} {
		require.Equal(t, answer, readAnswer(answer.AppendJSON(nil)))
	}
	for _, text := range []string{
		`7`, `true`, `[]`, `{}`, `["granted",1]`, `["granted",1.0,2]`, `["queued",1,[]]`, `["granted","1",2]`, `"\ud800"`,
		`{"holders":[["a"]],"queue":[]}`, `{"holders":[],"queue":[["a","both"]]}`, `{"age":0,"holds":[],"waiting":null}`,
		`{"ops":1.0,"results":{}}`, `{"age":null,"holds":[[]],"waiting":null}`,
	} {
		require.Equal(t, text, string(readAnswer([]byte(text)).AppendJSON(nil)))
		require.IsType(t, foreign{}, readAnswer([]byte(text)), text)
	}
}

func TestClasses(t *testing.T) {
	wrong := func(operation, required, given string) WrongAnswer {
		return WrongAnswer{Sequence: 1, Operation: []byte(operation), Required: []byte(required), Given: []byte(given)}
	}
	for class, verdict := range map[history.Class]Verdict{
		"": Agrees{Answers: 3},
		"wrong answer: acquire: granted, not queued":              wrong(`["acquire",0,"a","L",30]`, `["granted",1,30]`, `["queued",1]`),
		"wrong answer: read: null, not text":                      wrong(`["read",0,"L","k"]`, `null`, `"somebody's value"`),
		"wrong answer: inspect: view, not list":                   wrong(`["inspect",0,"L"]`, `{"holders":[],"queue":[]}`, `[[],[]]`),
		"wrong answer: text: error: unknown operation, not value": wrong(`["fly",0]`, `"error: unknown operation"`, `7`),
		"crash: signal: killed":                                   Crash{Status: "signal: killed"},
		"hang":                                                    Hang{Answered: 1},
		"garbage: no JSON":                                        Garbage{Reason: "no JSON", Offset: 3},
		"wrong count: too few":                                    WrongCount{Required: 3, Given: 2},
		"wrong count: too many":                                   WrongCount{Required: 3, Given: 4},
	} {
		require.Equal(t, class, ClassOf(verdict))
	}
}

func TestProtocolsByName(t *testing.T) {
	for _, protocol := range []Protocol{Auto, Process, Stream} {
		read, err := ParseProtocol(protocol.String())
		require.NoError(t, err)
		require.Equal(t, protocol, read)
	}
	_, err := ParseProtocol("Stream")
	require.EqualError(t, err, "conformance: there are the protocols auto, process, stream")
}

// A judge that knows its program's rules does not ask it under others.
func TestAJudgeAsksUnderTheRulesThatTheProgramKnows(t *testing.T) {
	judge := NewJudge(t.Context(), open(t, target(t, "stream-late", Stream)))
	judge.Only, judge.Coarse = events.Rules{Edition: events.Edition3}, true
	require.Equal(t, history.Class("wrong answer"), judge.Class(parse(t, night...)))
	h := parse(t, night...)
	h.Rules.Unit = events.Millisecond
	require.NotEmpty(t, judge.Class(h))
	h.Rules.Edition = events.Edition2
	require.Empty(t, judge.Class(h))
	require.Equal(t, 2, judge.Calls)
}
