package events_test

import (
	"math"

	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

// sampleEvents are one event of each kind, and an invalid of each form.
func sampleEvents() []events.Event {
	return []events.Event{
		events.Acquire{At: 8, Client: "etl-c", Lock: "exports/daily", TTL: 15, Mode: events.Exclusive},
		events.Acquire{At: -8, Client: "r1", Lock: "конфиг", TTL: 86400, Mode: events.Shared},
		events.Renew{At: 30, Client: "etl-a", Lock: "exports/daily", TTL: 30},
		events.Release{At: 1 << 40, Client: "etl-a", Lock: "exports/daily"},
		events.Write{At: 20, Lock: "exports/daily", Key: "part-1", Value: "a:rows 1-100", Token: 1},
		events.Read{At: 56, Lock: "exports/daily", Key: "part-1"},
		events.Inspect{At: 55, Lock: "exports/daily"},
		events.Status{At: 4, Client: "bob"},
		events.Repeat{At: 5, Count: 1000, Step: 1, Template: `["acquire","job{i}","L{i%100}",60]`},
		events.Invalid{Raw: `["lock",1]`, Refusal: events.UnknownOperation},
		events.Invalid{Raw: `["acquire",-300]`, Refusal: events.InvalidArguments, At: -300, MovesClock: true},
	}
}

func anyRules() *rapid.Generator[events.Rules] {
	return rapid.Custom(func(t *rapid.T) events.Rules {
		return events.Rules{
			Edition: rapid.SampledFrom([]events.Edition{events.Edition1, events.Edition2, events.Edition3}).Draw(t, "edition"),
			Unit:    rapid.SampledFrom([]events.Unit{events.Second, events.Millisecond, events.Microsecond, events.Nanosecond}).Draw(t, "unit"),
		}
	})
}

// anyText is mostly good text, of every length class of the codec, sometimes
// empty or not UTF-8.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"c1", "exports/daily", "🔒", "a\"b\\c\n\x00\x7f", "\u2028<&>", "\ufffd", " "}),
		rapid.StringN(1, 40, -1),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab{i+1%7}")), 1, 300, -1),
		rapid.SampledFrom([]string{"", "\xff", "a\xc3", "\xed\xa0\x80"}),
	)
}

// anyInt favours the ends of every range that the rules or the codec know.
func anyInt() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64Range(-2, 130),
		rapid.Int64(),
		rapid.Custom(func(t *rapid.T) int64 {
			edge := rapid.SampledFrom([]int64{-32, math.MinInt8, math.MaxUint8, math.MinInt16, math.MaxUint16, math.MinInt32,
				math.MaxUint32, 86400, 86400e3, 86400e9, 100000, math.MaxInt64 - 86400, math.MaxInt64 - 86400e9,
				math.MaxInt64, math.MinInt64}).Draw(t, "edge")
			return edge + rapid.Int64Range(-1, 1).Draw(t, "beside") // may wrap around: an edge as well
		}),
	)
}

func anyTemplate() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		`["acquire","job{i}","L{i%100}",60]`, `["no such"]`, `["read","\ud800{i}","k"]`, `["inspect","{i+99999999999999999999%7}"]`,
		`["repeat"]`, `[]`, `["read","{i%0}"]`, `{}`, `7`,
	})
}

// anyEvent is an event as a careless Go program might make it.
func anyEvent() *rapid.Generator[events.Event] {
	return rapid.Custom(func(t *rapid.T) events.Event {
		text := func(name string) string { return anyText().Draw(t, name) }
		number := func(name string) int64 { return anyInt().Draw(t, name) }
		at := number("at")
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			mode := rapid.Uint8Range(0, 3).Draw(t, "mode")
			return events.Acquire{At: at, Client: text("client"), Lock: text("lock"), TTL: number("ttl"), Mode: events.Mode(mode)}
		case 1:
			return events.Renew{At: at, Client: text("client"), Lock: text("lock"), TTL: number("ttl")}
		case 2:
			return events.Release{At: at, Client: text("client"), Lock: text("lock")}
		case 3:
			return events.Write{At: at, Lock: text("lock"), Key: text("key"), Value: text("value"), Token: number("token")}
		case 4:
			return events.Read{At: at, Lock: text("lock"), Key: text("key")}
		case 5:
			return events.Inspect{At: at, Lock: text("lock")}
		case 6:
			return events.Status{At: at, Client: text("client")}
		}
		return events.Repeat{At: at, Count: number("count"), Step: number("step"), Template: anyTemplate().Draw(t, "template")}
	})
}

// journaled is an event as a journal holds it: parsed from its outside form.
func journaled() *rapid.Generator[events.Event] {
	return rapid.Custom(func(t *rapid.T) events.Event {
		e, err := anyRules().Draw(t, "rules").Parse(events.AppendJSON(nil, anyEvent().Draw(t, "event")))
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}
