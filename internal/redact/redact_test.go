package redact

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

// redacted redacts a history, in which each operation may stand before the
// answer that was recorded, and returns it the same way.
func redacted(t testing.TB, what What, lines ...string) (out []string, r *Redactor) {
	t.Helper()
	r, err := New(events.Current, what)
	require.NoError(t, err)
	var items []Item
	for _, line := range lines {
		operation, recorded, found := strings.Cut(line, " -> ")
		e, err := events.Current.Parse([]byte(operation))
		require.NoError(t, err)
		item := Item{Event: e}
		if found {
			item.Answer = []byte(recorded)
		}
		items = append(items, item)
		r.Collect(&item)
	}
	for i := range items {
		item, err := r.Redact(&items[i])
		require.NoError(t, err)
		line := string(events.AppendJSON(nil, item.Event))
		if item.Answer != nil {
			line += " -> " + string(item.Answer)
		}
		out = append(out, line)
	}
	return out, r
}

var both = What{Names: true, Values: true}

// Law 10: names mean nothing but by the order of locks.
func TestNamesAreReplacedWhereverTheyStand(t *testing.T) {
	out, r := redacted(t, both,
		`["acquire",0,"etl-b","zebra",30] -> ["granted",1,30]`,
		`["acquire",0,"etl-b","apple",30]`,
		`["acquire",1,"etl-a","zebra",30]`,
		`["inspect",2,"zebra"] -> {"queue":[["etl-a","exclusive"]],"holders":[["etl-b","exclusive",1,30]]}`,
		`["status",3,"etl-b"] -> {"age":1,"holds":[["apple","exclusive",1,30],["zebra","exclusive",1,30]],"waiting":null}`,
		`["write",4,"apple","part","secret",1] -> "ok"`,
		`["read",5,"apple","part"] -> "secret"`)
	require.Equal(t, []string{
		`["acquire",0,"client-2","lock-2",30] -> ["granted",1,30]`,
		`["acquire",0,"client-2","lock-1",30]`,
		`["acquire",1,"client-1","lock-2",30]`,
		`["inspect",2,"lock-2"] -> {"holders":[["client-2","exclusive",1,30]],"queue":[["client-1","exclusive"]]}`,
		`["status",3,"client-2"] -> {"age":1,"holds":[["lock-1","exclusive",1,30],["lock-2","exclusive",1,30]],"waiting":null}`,
		`["write",4,"lock-1","key-1","value-1",1] -> "ok"`,
		`["read",5,"lock-1","key-1"] -> "value-1"`,
	}, out)
	var mapping []string
	for p := range r.Mapping {
		mapping = append(mapping, fmt.Sprintf("%s %s %s", p.Kind, p.Original, p.Pseudonym))
	}
	require.Equal(t, []string{
		"client etl-a client-1", "client etl-b client-2", "lock apple lock-1", "lock zebra lock-2", "key part key-1", "value secret value-1",
	}, mapping)
}

func TestNamesOrValuesAlone(t *testing.T) {
	line := `["write",4,"apple","part","secret",1]`
	out, _ := redacted(t, What{Names: true}, line)
	require.Equal(t, []string{`["write",4,"lock-1","part","secret",1]`}, out)
	out, _ = redacted(t, What{Values: true}, line)
	require.Equal(t, []string{`["write",4,"apple","key-1","value-1",1]`}, out)
}

// R28: names that a template makes up are those that others use.
func TestFamiliesKeepTheNumbersThatTemplatesCount(t *testing.T) {
	out, _ := redacted(t, both,
		`["repeat",0,12,0,["acquire","user2024-{i}","job{i+1%9}-lock",60]]`,
		`["release",1,"user2024-3","job4-lock"] -> "released"`,
		`["acquire",2,"user1999-3","job-lock",5]`,
		`["repeat",3,2,0,["read","job{i}","v{i}"]] -> {"ops":2,"results":{"other":2}}`,
		`["inspect",3,"job1"]`)
	require.Equal(t, []string{
		`["repeat",0,12,0,["acquire","client-2.{i}","lock-3.{i+1%9}-",60]]`,
		`["release",1,"client-2.3","lock-3.4-"] -> "released"`,
		`["acquire",2,"client-1.3","lock-1",5]`,
		`["repeat",3,2,0,["read","lock-2.{i}","key-1.{i}"]] -> {"ops":2,"results":{"other":2}}`,
		`["inspect",3,"lock-2.1"]`,
	}, out)
}

// R23: what broke the contract says nothing any more but how it was refused.
func TestBrokenOperationsAreMadePlain(t *testing.T) {
	out, _ := redacted(t, both,
		`["steal",5,"etl-a","L"]`,
		`["secret"]`,
		`["acquire",6,"etl-a","L",0,"exclusive"]`,
		`["acquire",7,"etl-a","L",60,"secret mode"]`,
		`["renew","soon","etl-a"]`,
		`{"password":"secret"}`,
		`["repeat",8,1,0,["inspect","L{i%0}"]]`,
		`["repeat",8,3,1,["steal","secret"]]`,
		`["repeat",9,3,1,["renew","secret","L",0]]`,
		`["repeat",12,3,1,["renew","secret"]]`)
	require.Equal(t, []string{
		`["redacted",0]`, `["redacted"]`, `["acquire",6,"redacted","redacted",0]`, `["acquire",7]`, `["redacted"]`, `["redacted"]`,
		`["repeat",8]`, `["repeat",8,3,1,["redacted"]]`, `["repeat",9,3,1,["renew","redacted","redacted",0]]`, `["repeat",12,3,1,["renew"]]`,
	}, out)
}

// A recorded answer that the rules do not give is not given by them afterwards.
func TestAnswersThatDifferGoOnDiffering(t *testing.T) {
	out, _ := redacted(t, both,
		`["acquire",0,"etl-a","L",30] -> ["granted",2,30,["etl-z"]]`,
		`["inspect",1,"L"] -> {"holders":[["etl-q","exclusive",1,30]],"queue":[]}`,
		`["read",2,"L","k"] -> "wiped"`,
		`["release",3,"etl-a","L"] -> {"etl-a":["went away"],"error":{"code":7}}`,
		`["write",4,"L","k","error: stale token",1]`,
		`["read",5,"L","k"] -> "error: stale token"`)
	require.Equal(t, []string{
		`["acquire",0,"client-1","lock-1",30] -> ["granted",2,30,["client-3"]]`,
		`["inspect",1,"lock-1"] -> {"holders":[["client-2","exclusive",1,30]],"queue":[]}`,
		`["read",2,"lock-1","key-1"] -> "value-1"`,
		`["release",3,"client-1","lock-1"] -> {"text-2":{"text-1":7},"text-3":["text-4"]}`,
		`["write",4,"lock-1","key-1","error: stale token",1]`,
		`["read",5,"lock-1","key-1"] -> "error: stale token"`,
	}, out)
}

// R19, R22: where the order of locks matters and cannot be kept, nothing is
// redacted.
func TestAnOrderThatCannotBeKeptIsRefused(t *testing.T) {
	r, err := New(events.Current, both)
	require.NoError(t, err)
	var items []Item
	for _, line := range []string{`["repeat",0,3,0,["acquire","a","L{i}",60]]`, `["acquire",0,"a","L1b",60]`, `["status",0,"a"]`} {
		e, err := events.Current.Parse([]byte(line))
		require.NoError(t, err)
		items = append(items, Item{Event: e})
		r.Collect(&items[len(items)-1])
	}
	for i := range items {
		if _, err = r.Redact(&items[i]); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, ErrNotAlike)
	require.ErrorContains(t, err, "at event 3")
}

func TestAHistoryThatChangesBetweenThePasses(t *testing.T) {
	r, err := New(events.Current, both)
	require.NoError(t, err)
	r.Collect(&Item{Event: events.Inspect{Lock: "L"}})
	_, err = r.Redact(&Item{Event: events.Inspect{Lock: "M"}})
	require.ErrorIs(t, err, ErrChanged)
}

// A pseudonym is never taken for a name, nor does one contain a name.
func TestPseudonymsRemindOfNobody(t *testing.T) {
	out, _ := redacted(t, both, `["acquire",0,"client-7","lock",30]`, `["acquire",0,"c-1","l-1",30]`)
	require.Equal(t, []string{`["acquire",0,"xc-2","xl-2",30]`, `["acquire",0,"xc-1","xl-1",30]`}, out)
}

// Generated histories of all kinds: either the redaction is refused, which is
// rare, or nothing but names has changed, which Redact itself sees to, and
// nothing of the names is left.
func TestNothingOfTheNamesIsLeft(t *testing.T) {
	everything, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	refused := 0
	for seed := range uint64(60) {
		h := history.Generate(history.DrawRules(seed), everything, seed, 120)
		r, err := New(h.Rules, both)
		require.NoError(t, err)
		long := map[string]bool{}
		var items []Item
		for _, e := range h.Events {
			e = renamed(h.Rules, e, long)
			items = append(items, Item{Event: e})
			r.Collect(&items[len(items)-1])
		}
		var out strings.Builder
		for i := range items {
			var item Item
			if item, err = r.Redact(&items[i]); err != nil {
				require.ErrorIs(t, err, ErrNotAlike, "seed %d", seed)
				refused++
				break
			}
			out.Write(events.AppendJSON(nil, item.Event))
		}
		for name := range long {
			require.NotContains(t, out.String(), name, "seed %d", seed)
		}
		require.NotEmpty(t, long)
		require.NotContains(t, out.String(), "secret", "seed %d", seed)
	}
	require.Less(t, refused, 6)
}

// renamed gives the names of an event an ending that is found again. Templates
// get it in front of their numbers.
func renamed(rules events.Rules, e events.Event, long map[string]bool) events.Event {
	var elements []any
	text := events.AppendJSON(nil, e)
	if json.Unmarshal(text, &elements) != nil {
		return e
	}
	var mark func(v any) any
	mark = func(v any) any {
		switch v := v.(type) {
		case string:
			if isOperation(v) || v == "shared" || v == "exclusive" || v == "" {
				return v
			}
			long["secret-"+shapeOf(v, counting).literals[0]] = true
			return "secret-" + v
		case []any:
			for i := range v {
				v[i] = mark(v[i])
			}
		}
		return v
	}
	if _, invalid := e.(events.Invalid); invalid {
		return e
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return e
	}
	marked, _ := json.Marshal(mark(value))
	again, err := rules.Parse(marked)
	if err != nil {
		panic(err)
	}
	return again
}
