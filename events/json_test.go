package events_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

// The outside form of each event.
func TestAppendJSON(t *testing.T) {
	for want, e := range map[string]events.Event{
		`["acquire",8,"etl-c","exports/daily",15]`:          events.Acquire{At: 8, Client: "etl-c", Lock: "exports/daily", TTL: 15, Mode: events.Exclusive},
		`["acquire",8,"r1","cfg",15,"shared"]`:              events.Acquire{At: 8, Client: "r1", Lock: "cfg", TTL: 15, Mode: events.Shared},
		`["renew",-30,"etl-a","exports/daily",30]`:          events.Renew{At: -30, Client: "etl-a", Lock: "exports/daily", TTL: 30},
		`["release",0,"etl-a","L"]`:                         events.Release{Client: "etl-a", Lock: "L"},
		`["write",20,"L","k","a\"\\\u0000b",1]`:             events.Write{At: 20, Lock: "L", Key: "k", Value: "a\"\\\x00b", Token: 1},
		`["read",56,"L","k"]`:                               events.Read{At: 56, Lock: "L", Key: "k"},
		`["inspect",55,"L"]`:                                events.Inspect{At: 55, Lock: "L"},
		`["status",4,"bob"]`:                                events.Status{At: 4, Client: "bob"},
		`["repeat",5,3,1,["acquire","job{i}","L{i%2}",60]]`: events.Repeat{At: 5, Count: 3, Step: 1, Template: `["acquire","job{i}","L{i%2}",60]`},
		`["lock",1.50]`:                                     events.Invalid{Raw: `["lock",1.50]`, Refusal: events.UnknownOperation},
		`null`:                                              nil,
	} {
		require.Equal(t, want, string(events.AppendJSON(nil, e)))
	}
	require.Equal(t, `null`, string(events.AppendJSON(nil, &events.Inspect{Lock: "L"})))
}

// Strings have no escapes but those that JSON demands, and no reader loses a
// character of them.
func TestAppendJSONStrings(t *testing.T) {
	for text, want := range map[string]string{
		"":                       `""`,
		"etl-a":                  `"etl-a"`,
		`a"b\c/d`:                `"a\"b\\c/d"`,
		"\b\f\n\r\t":             `"\b\f\n\r\t"`,
		"\x00\x01\x0b\x1f\x7f":   "\"\\u0000\\u0001\\u000b\\u001f\x7f\"",
		"<script>&amp;</script>": `"<script>&amp;</script>"`,
		"锁\u2028\u2029🔒\ufffd":   "\"锁\u2028\u2029🔒\ufffd\"",
	} {
		require.Equal(t, want, string(events.Value{Text: text, Found: true}.AppendJSON(nil)))
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if !utf8.ValidString(text) {
			t.Skip("not a text")
		}
		var got string
		require.NoError(t, json.Unmarshal(events.Value{Text: text, Found: true}.AppendJSON(nil), &got))
		require.Equal(t, text, got)
	})
}

// Every answer as the contract spells it.
func TestAnswerJSON(t *testing.T) {
	for _, c := range []struct {
		want   string
		answer events.Answer
	}{
		{`["granted",1,30]`, events.Granted{Token: 1, ExpiresAt: 30}},
		{`["granted",2,-103,["bob","al\"ice"]]`, events.Granted{Token: 2, ExpiresAt: -103, Victims: []string{"bob", `al"ice`}}},
		{`["queued",1]`, events.Queued{Position: 1, Victims: []string{}}},
		{`["queued",3,["bob"]]`, events.Queued{Position: 3, Victims: []string{"bob"}}},
		{`["deadlock",["Y","Z"]]`, events.Deadlock{Victims: []string{"Y", "Z"}}},
		{`["deadlock",[]]`, events.Deadlock{}},
		{`["renewed",60]`, events.Renewed{ExpiresAt: 60}},
		{`"released"`, events.Released},
		{`"withdrawn"`, events.Withdrawn},
		{`"ok"`, events.Accepted},
		{`"invalid answer"`, events.Done(0)},
		{`"b:rows 1-100"`, events.Value{Text: "b:rows 1-100", Found: true}},
		{`null`, events.Value{}},
		{`{"holders":[],"queue":[]}`, events.LockView{}},
		{`{"holders":[["r1","shared",1,50],["r2","shared",2,21]],"queue":[["w1","exclusive"],["r3","shared"]]}`, events.LockView{
			Holders: []events.Holder{{Client: "r1", Mode: events.Shared, Token: 1, ExpiresAt: 50}, {Client: "r2", Mode: events.Shared, Token: 2, ExpiresAt: 21}},
			Queue:   []events.Waiter{{Client: "w1", Mode: events.Exclusive}, {Client: "r3", Mode: events.Shared}}}},
		{`{"age":null,"holds":[],"waiting":null}`, events.ClientView{}},
		{`{"age":1,"holds":[["L1","exclusive",1,100],["L2","exclusive",2,103]],"waiting":"L3"}`, events.ClientView{Age: 1, Waiting: "L3",
			Holds: []events.Hold{{Lock: "L1", Mode: events.Exclusive, Token: 1, ExpiresAt: 100}, {Lock: "L2", Mode: events.Exclusive, Token: 2, ExpiresAt: 103}}}},
		{`{"ops":0,"results":{}}`, events.Tally{}},
		{`{"ops":5,"results":{"error: client busy":2,"granted":3}}`, events.Tally{Ops: 5,
			Results: []events.Count{{Answer: "error: client busy", Times: 2}, {Answer: "granted", Times: 3}}}},
		{`"error: unknown operation"`, events.UnknownOperation},
		{`"error: clock went back"`, events.ClockWentBack},
		{`"error: invalid arguments"`, events.InvalidArguments},
		{`"error: invalid ttl"`, events.InvalidTTL},
		{`"error: client busy"`, events.ClientBusy},
		{`"error: not holder"`, events.NotHolder},
		{`"error: stale token"`, events.StaleToken},
	} {
		require.Equal(t, c.want, string(c.answer.AppendJSON(nil)))
		require.Equal(t, "x"+c.want, string(c.answer.AppendJSON([]byte("x"))))
		marshaled, err := json.Marshal(c.answer)
		require.NoError(t, err)
		require.Equal(t, c.want, string(marshaled))
	}
}
