package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

var (
	edition1 = events.Rules{Edition: events.Edition1, Unit: events.Second}
	edition2 = events.Rules{Edition: events.Edition2, Unit: events.Second}
)

// parse reads one operation that is JSON.
func parse(t testing.TB, r events.Rules, text string) events.Event {
	t.Helper()
	e, err := r.Parse([]byte(text))
	require.NoError(t, err, text)
	return e
}

// refusedAt is the invalid event of an operation whose clock effect stands.
func refusedAt(at int64, text string, refusal events.Refusal) events.Event {
	return events.Invalid{Raw: text, Refusal: refusal, At: at, MovesClock: true}
}

// refused is the invalid event of an operation that leaves the clock alone.
func refused(text string, refusal events.Refusal) events.Event {
	return events.Invalid{Raw: text, Refusal: refusal}
}

// Every operation, as it should be.
func TestParseOperations(t *testing.T) {
	for text, want := range map[string]events.Event{
		`["acquire",8,"etl-c","exports/daily",15]`:            events.Acquire{At: 8, Client: "etl-c", Lock: "exports/daily", TTL: 15, Mode: events.Exclusive},
		`["acquire",8,"r1","cfg",15,"shared"]`:                events.Acquire{At: 8, Client: "r1", Lock: "cfg", TTL: 15, Mode: events.Shared},
		`["acquire",8,"r1","cfg",86400,"exclusive"]`:          events.Acquire{At: 8, Client: "r1", Lock: "cfg", TTL: 86400, Mode: events.Exclusive},
		`["renew",-3,"etl-a","exports/daily",1]`:              events.Renew{At: -3, Client: "etl-a", Lock: "exports/daily", TTL: 1},
		`["release",0,"etl-a","exports/daily"]`:               events.Release{Client: "etl-a", Lock: "exports/daily"},
		`["write",20,"exports/daily","part-1","rows 1-9",1]`:  events.Write{At: 20, Lock: "exports/daily", Key: "part-1", Value: "rows 1-9", Token: 1},
		`["read",56,"exports/daily","part-1"]`:                events.Read{At: 56, Lock: "exports/daily", Key: "part-1"},
		`["inspect",55,"exports/daily"]`:                      events.Inspect{At: 55, Lock: "exports/daily"},
		`["status",4,"bob"]`:                                  events.Status{At: 4, Client: "bob"},
		`["repeat",5,100000,0,["acquire","job{i}","L1",60]]`:  events.Repeat{At: 5, Count: 100000, Template: `["acquire","job{i}","L1",60]`},
		`["repeat",5,1,2,["no such"]]`:                        events.Repeat{At: 5, Count: 1, Step: 2, Template: `["no such"]`},
		"\t[ \"inspect\" ,\r\n 55 , \"a b\" ]\n":              events.Inspect{At: 55, Lock: "a b"},
		`["repeat", 5, 1, 2, [ "read", "a b" , {"c" : [ ]}]]`: events.Repeat{At: 5, Count: 1, Step: 2, Template: `["read","a b",{"c":[]}]`},
		`["\u0072ead",56,"\u0041\/\"\\\b\f\n\r\t","k"]`:       events.Read{At: 56, Lock: "A/\"\\\b\f\n\r\t", Key: "k"},
	} {
		require.Equal(t, want, parse(t, events.Current, text), text)
	}
}

// R23: shape comes first, then the name, then the instant; none of the three
// moves the clock (R1).
func TestParseBeforeTheClock(t *testing.T) {
	for _, c := range []struct {
		text string
		want events.Refusal
	}{
		{`null`, events.InvalidArguments},
		{`true`, events.InvalidArguments},
		{`5`, events.InvalidArguments},
		{`"acquire"`, events.InvalidArguments},
		{`{"op":"acquire"}`, events.InvalidArguments},
		{`[]`, events.InvalidArguments},
		{`["acquire"]`, events.InvalidArguments},
		{`["no such"]`, events.InvalidArguments}, // one element: shape before name
		{`[7]`, events.InvalidArguments},
		{`["no such",1]`, events.UnknownOperation},
		{`["no such",true]`, events.UnknownOperation}, // name before instant
		{`["Acquire",1,"c","L",5]`, events.UnknownOperation},
		{`["acquire ",1,"c","L",5]`, events.UnknownOperation},
		{`["",1,"c","L",5]`, events.UnknownOperation},
		{`["invalid",1]`, events.UnknownOperation},
		{`["\ud800",1]`, events.UnknownOperation},
		{`[7,1,"c","L",5]`, events.UnknownOperation},
		{`[null,1,"c","L",5]`, events.UnknownOperation},
		{`[["acquire"],1,"c","L",5]`, events.UnknownOperation},
		{`["acquire",true,"c","L",5]`, events.InvalidArguments},
		{`["acquire",null,"c","L",5]`, events.InvalidArguments},
		{`["acquire","7","c","L",5]`, events.InvalidArguments},
		{`["acquire",[7],"c","L",5]`, events.InvalidArguments},
		{`["acquire",{},"c","L",5]`, events.InvalidArguments},
		{`["acquire",1.5,"c","L",5]`, events.InvalidArguments},
		{`["acquire",60.0,"c","L",5]`, events.InvalidArguments},
		{`["acquire",6e1,"c","L",5]`, events.InvalidArguments},
		{`["acquire",6E1,"c","L",5]`, events.InvalidArguments},
		{`["acquire",9223372036854775807,"c","L",5]`, events.InvalidArguments},
		{`["acquire",9223372036854689408,"c","L",5]`, events.InvalidArguments}, // 2^63-1 - 86400 + 1
		{`["acquire",9223372036854775808,"c","L",5]`, events.InvalidArguments},
		{`["acquire",-9223372036854775809,"c","L",5]`, events.InvalidArguments},
		{`["acquire",1000000000000000000000000000000,"c","L",5]`, events.InvalidArguments},
		{`["acquire",1e30]`, events.InvalidArguments},
	} {
		require.Equal(t, refused(c.text, c.want), parse(t, events.Current, c.text), c.text)
	}
}

// wrongText and wrongInteger are values that no string and no integer argument
// may have.
var (
	wrongText = []string{`""`, `7`, `-1.5`, `true`, `false`, `null`, `[]`, `["c1"]`, `{}`, `{"a":1}`,
		`"\ud800"`, `"\udc00"`, `"a\udc00\ud800b"`, `"\ud800\ud800"`, `"\ud83dx"`, `"\ud83d\n"`, "\"\xff\"", "\"a\xc3\"", "\"\xed\xa0\x80\""}
	wrongInteger = []string{`""`, `"7"`, `60.0`, `6e1`, `6E1`, `0.5`, `1e400`, `true`, `false`, `null`, `[]`, `[3]`, `{}`}
	wrongMode    = []string{`""`, `"Shared"`, `"shared "`, `"read"`, `1`, `true`, `null`, `["shared"]`, `{}`}
	wrongToken   = append([]string{`0`, `-0`, `-1`, `9223372036854775808`, `-9223372036854775809`, `1000000000000000000000000000000`}, wrongInteger...)
	wrongCount   = append([]string{`100001`}, wrongToken...)
	wrongStep    = append([]string{`-1`, `9223372036854775808`, `1000000000000000000000000000000`}, wrongInteger...)
	wrongList    = []string{`[]`, `[7]`, `[null,"a"]`, `[["read"]]`, `["repeat",1,1,["read"]]`, `["\u0072epeat"]`,
		`["read","{i%0}","k"]`, `["read","L","k","{i+1%000}"]`, `["read","\ud800{i%0}"]`, `["read","\ud800\u007bi%0}"]`, `["no such","{i%0}"]`,
		`"read"`, `{"read":1}`, `7`, `true`, `null`}
)

// One wrong argument at a time is "invalid arguments", and the clock moves
// (R1, R23, R25). Removing an argument or adding one is the same.
func TestParseOneWrongArgument(t *testing.T) {
	for _, op := range []struct {
		good  []string // name, instant and arguments that are right
		wrong [][]string
	}{
		{[]string{`"acquire"`, `7`, `"c"`, `"L"`, `5`, `"shared"`}, [][]string{wrongText, wrongText, wrongInteger, wrongMode}},
		{[]string{`"acquire"`, `7`, `"c"`, `"L"`, `5`}, [][]string{wrongText, wrongText, wrongInteger}},
		{[]string{`"renew"`, `7`, `"c"`, `"L"`, `5`}, [][]string{wrongText, wrongText, wrongInteger}},
		{[]string{`"release"`, `7`, `"c"`, `"L"`}, [][]string{wrongText, wrongText}},
		{[]string{`"write"`, `7`, `"L"`, `"k"`, `"v"`, `1`}, [][]string{wrongText, wrongText, wrongText, wrongToken}},
		{[]string{`"read"`, `7`, `"L"`, `"k"`}, [][]string{wrongText, wrongText}},
		{[]string{`"inspect"`, `7`, `"L"`}, [][]string{wrongText}},
		{[]string{`"status"`, `7`, `"c"`}, [][]string{wrongText}},
		{[]string{`"repeat"`, `7`, `3`, `0`, `["read","L","k"]`}, [][]string{wrongCount, wrongStep, wrongList}},
	} {
		good := "[" + strings.Join(op.good, ",") + "]"
		require.NotEqual(t, "invalid", parse(t, events.Current, good).Operation(), good)
		expect := func(elements []string) {
			text := "[" + strings.Join(elements, ",") + "]"
			require.Equal(t, refusedAt(7, text, events.InvalidArguments), parse(t, events.Current, text), text)
		}
		for i, values := range op.wrong {
			for _, value := range values {
				elements := append([]string(nil), op.good...)
				elements[i+2] = value
				expect(elements)
			}
		}
		expect(append(op.good[:len(op.good):len(op.good)], `null`, `null`, `null`, `null`, `null`, `null`))
		if len(op.good) != 6 || op.good[0] == `"write"` { // an acquire may do without its mode
			expect(op.good[:len(op.good)-1])
		}
		expect(op.good[:2])
	}
}

// R2, R23, R24: a ttl out of range is reported after every fault of type, a
// ttl of any size is an integer.
func TestParseTTL(t *testing.T) {
	for _, ttl := range []string{`0`, `-0`, `-1`, `86401`, `9007199254740993`, `9223372036854775807`,
		`9223372036854775808`, `1000000000000000000000000000000`, `-1000000000000000000000000000000`} {
		for _, form := range []string{`["acquire",7,"c","L",%s]`, `["acquire",7,"c","L",%s,"shared"]`, `["renew",7,"c","L",%s]`} {
			text := fmt.Sprintf(form, ttl)
			require.Equal(t, refusedAt(7, text, events.InvalidTTL), parse(t, events.Current, text), text)
		}
		for _, form := range []string{`["acquire",7,"","L",%s]`, `["acquire",7,"c",5,%s,"shared"]`,
			`["acquire",7,"c","L",%s,"read"]`, `["acquire",7,"c","L",%s,"shared",1]`, `["renew",7,"c","\ud800",%s]`} {
			text := fmt.Sprintf(form, ttl)
			require.Equal(t, refusedAt(7, text, events.InvalidArguments), parse(t, events.Current, text), text)
		}
	}
}

// R30: with a finer clock unit the longest ttl is still a day, and the latest
// instant leaves room for it.
func TestParseUnits(t *testing.T) {
	millis := events.Rules{Edition: events.Edition3, Unit: events.Millisecond}
	long := `["renew",7,"c","L",86400000]`
	require.Equal(t, events.Renew{At: 7, Client: "c", Lock: "L", TTL: 86400000}, parse(t, millis, long))
	require.Equal(t, refusedAt(7, long, events.InvalidTTL), parse(t, events.Current, long))
	longer := `["renew",7,"c","L",86400001]`
	require.Equal(t, refusedAt(7, longer, events.InvalidTTL), parse(t, millis, longer))

	for _, r := range []events.Rules{events.Current, millis} {
		last := fmt.Sprintf(`["inspect",%d,"L"]`, r.MaxInstant())
		require.Equal(t, events.Inspect{At: r.MaxInstant(), Lock: "L"}, parse(t, r, last))
		late := fmt.Sprintf(`["inspect",%d,"L"]`, r.MaxInstant()+1)
		require.Equal(t, refused(late, events.InvalidArguments), parse(t, r, late))
	}
}

// R29: edition 1 has no modes, editions 1 and 2 have no status.
func TestParseEditions(t *testing.T) {
	for _, mode := range []string{`"exclusive"`, `"shared"`, `"read"`} {
		text := `["acquire",7,"c","L",5,` + mode + `]`
		require.Equal(t, refusedAt(7, text, events.InvalidArguments), parse(t, edition1, text), text)
	}
	plain := `["acquire",7,"c","L",5]`
	shared := `["acquire",7,"c","L",5,"shared"]`
	require.Equal(t, events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 5, Mode: events.Exclusive}, parse(t, edition1, plain))
	require.Equal(t, events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 5, Mode: events.Shared}, parse(t, edition2, shared))
	for _, r := range []events.Rules{edition1, edition2} {
		for _, text := range []string{`["status",7,"c"]`, `["status",7]`, `["status",true]`} {
			require.Equal(t, refused(text, events.UnknownOperation), parse(t, r, text), text)
		}
	}
}

// R24: integers are exact, whatever their length.
func TestParseIntegersExactly(t *testing.T) {
	for text, want := range map[string]int64{
		`9007199254740993`:    1<<53 + 1,
		`9223372036854775807`: 1<<63 - 1,
		`1`:                   1,
	} {
		e := parse(t, events.Current, `["write",-0,"L","k","v",`+text+`]`)
		require.Equal(t, events.Write{Lock: "L", Key: "k", Value: "v", Token: want}, e)
	}
	require.Equal(t, events.Inspect{At: -1 << 63, Lock: "L"}, parse(t, events.Current, `["inspect",-9223372036854775808,"L"]`))
	require.Equal(t, events.Inspect{At: 1<<53 + 1, Lock: "L"}, parse(t, events.Current, `["inspect",9007199254740993,"L"]`))

	// An invalid operation keeps its numbers as they were spelled.
	raw := `["acquire",7,"c","L",1000000000000000000000000000000.50e+007]`
	require.Equal(t, refusedAt(7, raw, events.InvalidArguments), parse(t, events.Current, ` `+raw))
}

// R25: names are any Unicode text, kept character for character.
func TestParseNamesInManyScripts(t *testing.T) {
	for quoted, name := range map[string]string{
		`"блокировка"`: "блокировка", `"锁/日志"`: "锁/日志", `"قفل"`: "قفل", `"ताला"`: "ताला", `"κλειδαριά"`: "κλειδαριά",
		`"e\u0301"`: "e\u0301", `"\u00e9"`: "\u00e9", // not normalised: two names
		`"🔒"`: "🔒", `"\ud83d\udd12"`: "🔒", `"\uD83D\uDD12\ud83d\udd12"`: "🔒🔒",
		`"\ufffd"`: "\ufffd", "\"\ufffd\"": "\ufffd", `"\u0000"`: "\x00", `"\u007f"`: "\x7f",
		`" "`: " ", "\"\u2028\u2029\"": "\u2028\u2029", `"\u2028"`: "\u2028", `"\\ud800"`: `\ud800`, `"<&>"`: "<&>",
	} {
		text := `["release",1,` + quoted + `,` + quoted + `]`
		require.Equal(t, events.Release{At: 1, Client: name, Lock: name}, parse(t, events.Current, text), text)
	}
}

// Only text that is not one JSON value is an error.
func TestParseSyntaxErrors(t *testing.T) {
	deep := strings.Repeat("[", 10001)
	for _, c := range []struct {
		text   string
		offset int64
		reason string
	}{
		{"", 0, "unexpected end of JSON input"},
		{" \n", 2, "unexpected end of JSON input"},
		{`["inspect",1,"L"`, 16, "unexpected end of JSON input"},
		{`["inspect",1,"L`, 15, "unexpected end of JSON input"},
		{`tru`, 3, "unexpected end of JSON input"},
		{`["inspect",1,"L"]]`, 17, "invalid character ']' after top-level value"},
		{`["inspect",1,"L"] ["inspect",1,"L"]`, 18, "invalid character '[' after top-level value"},
		{`["inspect" 1]`, 11, "invalid character '1' after array element"},
		{`["inspect",01]`, 12, "invalid character '1' after array element"},
		{`["inspect",1,]`, 13, "invalid character ']' looking for beginning of value"},
		{"[\"a\nb\"]", 3, `invalid character '\n' in string literal`},
		{"\ufeff[]", 0, "invalid character 'ï' looking for beginning of value"},
		{`nul `, 3, "invalid character ' ' in literal null (expecting 'l')"},
		{deep + strings.Repeat("]", 10001), 10000, "invalid character '[' exceeded max depth"},
	} {
		e, err := events.Current.Parse([]byte(c.text))
		require.Nil(t, e)
		var syntax *events.SyntaxError
		require.ErrorAs(t, err, &syntax)
		require.Equal(t, events.SyntaxError{Offset: c.offset, Reason: c.reason}, *syntax)
		require.Contains(t, err.Error(), "events: not one JSON value: ")
	}
	nested := deep[1:] + strings.Repeat("]", 10000)
	require.Equal(t, refused(nested, events.InvalidArguments), parse(t, events.Current, nested))
}

// An invalid event keeps the operation's text without the white space between
// its tokens, and nothing else is changed.
func TestParseKeepsTheRawText(t *testing.T) {
	e := parse(t, events.Current, " [ \"lock\" , 7.50 ,\n\"a  b\\u0041<\u2028\xff\", { \"k\" : [ 1E3 , -0 ] } ] ")
	require.Equal(t, refused("[\"lock\",7.50,\"a  b\\u0041<\u2028\xff\",{\"k\":[1E3,-0]}]", events.UnknownOperation), e)
}
