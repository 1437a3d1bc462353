package history_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// tell tells a history as the rules want it and as a deviation answers it.
func tell(t *testing.T, h history.History, deviations ...string) history.Story {
	t.Helper()
	right, err := startMachine(h.Rules)
	require.NoError(t, err)
	wrong, err := startDeviant(deviations...)(h.Rules)
	require.NoError(t, err)
	return history.Tell(h, right, wrong)
}

func lineBreak(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// TestTheDifferenceIsToldTwice tells what is required and what was given (R2).
func TestTheDifferenceIsToldTwice(t *testing.T) {
	h := read(t, events.Current, `["acquire",0,"a","L",30]`, `["renew",30,"a","L",30]`, `["inspect",31,"L"]`)
	story := tell(t, h, "renew-at-expiry")
	require.Equal(t, lineBreak(
		`1  at 0   a acquires L for 30 ticks  granted, token 1, until 30`,
		`2  at 30  a renews L for 30 ticks    required: error: not holder`,
		`                                     given:    renewed until 60`,
		`3  at 31  inspect L`,
	), story.String())

	story.Rule, story.JSON = "R2", true
	require.Equal(t, lineBreak(
		`1  at 0   a acquires L for 30 ticks  granted, token 1, until 30`,
		`   ["acquire",0,"a","L",30]`,
		`2  at 30  a renews L for 30 ticks    required: error: not holder (R2)`,
		`                                     given:    renewed until 60`,
		`   ["renew",30,"a","L",30]`,
		`3  at 31  inspect L`,
		`   ["inspect",31,"L"]`,
	), story.String())
}

// TestEveryOperationHasItsWords goes through all kinds of operations and answers.
func TestEveryOperationHasItsWords(t *testing.T) {
	h := read(t, events.Current,
		`["acquire",-1,"a","L",1]`, `["write",0,"L","k","the first",3]`, `["write",0,"L","k","w",1]`,
		`["read",0,"L","k"]`, `["read",0,"L","l"]`, `["inspect",0,"L"]`,
		`["acquire",5,"a","L",20,"shared"]`, `["acquire",5,"b","M",20]`, `["acquire",5,"b","L",20]`,
		`["acquire",5,"c","L",20]`, `["inspect",5,"L"]`, `["status",5,"b"]`, `["status",5,"e"]`,
		`["release",5,"c","L"]`, `["acquire",5,"a","M",20]`, `["release",5,"a","L"]`,
		`["repeat",5,3,1,["acquire","{i}","N",9]]`, `["repeat",7,1,0,["inspect","N"]]`,
		`["acquire",7,"a","N",0]`, `[]`, `["fly","now"]`,
	)
	require.Equal(t, lineBreak(
		` 1  at -1  a acquires L for 1 tick                                granted, token 1, until 0`,
		` 2  at 0   write k = "the first" under L with token 3             ok`,
		` 3  at 0   write k = w under L with token 1                       error: stale token`,
		` 4  at 0   read k under L                                         "the first"`,
		` 5  at 0   read l under L                                         null`,
		` 6  at 0   inspect L                                              nobody holds it`,
		` 7  at 5   a acquires L for 20 ticks, shared                      granted, token 2, until 25`,
		` 8  at 5   b acquires M for 20 ticks                              granted, token 1, until 25`,
		` 9  at 5   b acquires L for 20 ticks                              queued, position 1`,
		`10  at 5   c acquires L for 20 ticks                              queued, position 2`,
		`11  at 5   inspect L                                              held by a (shared, token 2, until 25); awaited by b (exclusive), c (exclusive)`,
		`12  at 5   status of b                                            age 2, holds M (exclusive, token 1, until 25), awaits L`,
		`13  at 5   status of e                                            not registered`,
		`14  at 5   c releases L                                           withdrawn`,
		`15  at 5   a acquires M for 20 ticks                              granted, token 2, until 25, aborted b`,
		`16  at 5   a releases L                                           released`,
		`17  at 5   repeat 3 times, 1 tick apart: ["acquire","{i}","N",9]  3 runs: granted × 1, queued × 2`,
		`18  at 7   repeat once: ["inspect","N"]                           1 run: other × 1`,
		`19  at 7   ["acquire",7,"a","N",0]                                error: invalid ttl`,
		`20         []                                                     error: invalid arguments`,
		`21         ["fly","now"]                                          error: unknown operation`,
	), tell(t, h).String())
}

// TestHostileNamesCannotControlTheTerminal has names that would, and long ones.
func TestHostileNamesCannotControlTheTerminal(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	h := history.History{Rules: events.Rules{Edition: events.Edition2, Unit: events.Millisecond}, Events: []events.Event{
		events.Acquire{Client: "\x1b[2J", Lock: "a b", TTL: 1, Mode: events.Exclusive},
		events.Acquire{Client: "evil\u202etxt", Lock: "a b", TTL: 1, Mode: events.Exclusive},
		events.Inspect{Lock: "a b"},
		events.Acquire{Client: long, Lock: long, TTL: 1, Mode: events.Exclusive},
		events.Write{Lock: "L\n", Key: "\u200b", Value: "\x00", Token: 1},
		events.Invalid{Raw: "[\"\u009b31m" + long + "\"]", Refusal: events.InvalidArguments},
		nil,
	}}
	story := tell(t, history.History{Rules: h.Rules, Events: h.Events[:6]})
	story.History.Events = h.Events
	for _, story.JSON = range []bool{false, true} {
		told := story.String()
		for line := range strings.SplitSeq(told, "\n") {
			require.False(t, strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", line)
			if !story.JSON {
				require.Less(t, len(line), 400)
			}
		}
		require.Contains(t, told, "edition 2, a tick is a millisecond\n")
		require.Contains(t, told, `1  at 0  "\u001b[2J" acquires "a b" for 1 tick `)
		require.Contains(t, told, `held by "\u001b[2J" (exclusive, token 1, until 1); awaited by "evil\u202etxt" (exclusive)`)
	}
}

// TestADifferenceOutOfSightIsToldInFull has a queue that is too long to be told,
// and a difference at its end.
func TestADifferenceOutOfSightIsToldInFull(t *testing.T) {
	queue := func(last string) (view events.LockView) {
		for i := range 30 {
			view.Queue = append(view.Queue, events.Waiter{Client: fmt.Sprintf("c%d", i), Mode: events.Exclusive})
		}
		view.Queue[29].Client = last
		return view
	}
	story := history.Story{
		History:  read(t, events.Current, `["inspect",0,"L"]`),
		Required: []events.Answer{queue("right")}, Given: []events.Answer{queue("wrong")},
	}
	require.Contains(t, story.String(), `["right","exclusive"]]}`)
	require.Contains(t, story.String(), `["wrong","exclusive"]]}`)
	story.Given = story.Required
	require.Contains(t, story.String(), "c18 (exclusive), c19 (exclusive), 10 more\n")
}

func TestAnswersMayBeMissing(t *testing.T) {
	h := read(t, events.Current, `["inspect",0,"L"]`, `["inspect",1,"L"]`)
	require.Equal(t, "1  at 0  inspect L\n2  at 1  inspect L\n", history.Story{History: h}.String())
	require.Equal(t, "1  at 0  inspect L  nobody holds it\n2  at 1  inspect L\n",
		history.Story{History: h, Given: []events.Answer{events.LockView{}}}.String())
	require.Equal(t, "1  at 0  inspect L  nobody holds it\n2  at 1  inspect L  nobody holds it\n",
		history.Story{History: h, Required: []events.Answer{events.LockView{}, events.LockView{}}}.String())
	require.Equal(t, lineBreak(
		"1  at 0  inspect L  nobody holds it",
		"2  at 1  inspect L  required: nobody holds it",
		"                    given:    no answer",
	), history.Story{
		History: h, Given: []events.Answer{events.LockView{}}, Required: []events.Answer{events.LockView{}, events.LockView{}},
	}.String())
	require.Empty(t, history.Story{}.String())
}
