package events_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

func compile(t testing.TB, text string) *events.Template {
	t.Helper()
	template, ok := events.CompileTemplate(text)
	require.True(t, ok, text)
	return template
}

// expanded is the lock name that a pattern gives in run i.
func expanded(t testing.TB, pattern string, i int64) string {
	t.Helper()
	template := compile(t, string(fmt.Appendf(nil, `["inspect",%s]`, quote(pattern))))
	e := template.Event(events.Current, 7, i)
	require.IsType(t, events.Inspect{}, e)
	return e.(events.Inspect).Lock
}

func quote(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}

// R28: the placeholders, and what merely looks like one.
func TestPlaceholders(t *testing.T) {
	nines := strings.Repeat("9", 40)
	for _, c := range []struct {
		pattern string
		run     int64
		want    string
	}{
		{"job{i}", 0, "job0"},
		{"job{i}", 99999, "job99999"},
		{"{i}{i}-{i}", 7, "77-7"},
		{"{i+1}", 9, "10"},
		{"{i+0}", 9, "9"},
		{"{i+007}", 9, "16"},
		{"{i%3}", 10, "1"},
		{"{i%1}", 10, "0"},
		{"{i%003}", 10, "1"},
		{"{i+5%3}", 10, "0"}, // (10 + 5) % 3
		{"{i+00%03}", 2, "2"},
		{"{{i}}", 0, "{0}"},
		{"{{i}", 4, "{4"},
		{"{i{i}}", 4, "{i4}"},
		{"{i+{i}}", 4, "{i+4}"},
		{"{i+1%{i}}", 4, "{i+1%4}"},
		{"замок-{i}-🔒", 4, "замок-4-🔒"},
		// Beyond 64 bits.
		{"{i+9223372036854775807}", 0, "9223372036854775807"},
		{"{i+9223372036854775807}", 1, "9223372036854775808"},
		{"{i+9223372036854775807}", math.MaxInt64, "18446744073709551614"},
		{"{i+9223372036854775808}", 2, "9223372036854775810"},
		{"{i+18446744073709551615}", 1, "18446744073709551616"},
		{"{i+" + nines + "}", 0, nines},
		{"{i+" + nines + "}", 1, "1" + strings.Repeat("0", 40)},
		{"{i+000" + nines + "}", 12, "1" + strings.Repeat("0", 38) + "11"},
		{"{i%" + nines + "}", 12, "12"},
		{"{i+" + nines + "%" + nines + "}", 12, "12"},
		{"{i+" + nines + "%1" + nines + "}", 12, "1" + strings.Repeat("0", 38) + "11"},
		{"{i+" + nines + "%7}", 0, "3"},
		{"{i+5%9223372036854775808}", math.MaxInt64, "4"},
		{"{i+9223372036854775807%9223372036854775807}", math.MaxInt64, "0"},
		{"{i+1%9223372036854775808}", math.MaxInt64, "0"},
	} {
		require.Equal(t, c.want, expanded(t, c.pattern, c.run), "%s in run %d", c.pattern, c.run)
	}
	for _, same := range []string{"{}", "{i", "i}", "{ i}", "{i }", "{I}", "{j}", "{i-1}", "{i+}", "{i%}", "{i+%3}", "{i+1%}", "{i%3+1}",
		"{i+1+1}", "{i%3%3}", "{i+-1}", "{i+ 1}", "{i+1.5}", "{i+٣}", "{i*2}", "{i+1", "{i+1%2", "{i%x0}", "%{i", "{i+0x1}"} {
		require.Equal(t, same, expanded(t, same, 5), same)
	}
}

// R28: every string argument is filled in, the name and nested lists are not.
func TestTemplateFillsEveryStringArgument(t *testing.T) {
	require.Equal(t, events.Write{At: 7, Lock: "L3", Key: "k4", Value: "v1", Token: 2},
		compile(t, `["write","L{i}","k{i+1}","v{i%2}",2]`).Event(events.Current, 7, 3))
	require.Equal(t, events.Acquire{At: 7, Client: "c3", Lock: "L", TTL: 5, Mode: events.Shared},
		compile(t, `["acquire","c\u007bi}","L",5,"shared"]`).Event(events.Current, 7, 3))
	for text, want := range map[string]events.Refusal{
		`["acquire","c","L",5,"shared{i}"]`:                      events.InvalidArguments, // no longer a mode
		`["acquire","c","L",5,"{i}"]`:                            events.InvalidArguments,
		`["acquire","c",["L{i}"],5]`:                             events.InvalidArguments,
		`["acquire","c{i}","L","{i}"]`:                           events.InvalidArguments, // a string, whatever its digits
		`["inspect","\ud800{i}"]`:                                events.InvalidArguments,
		`["inspect"]`:                                            events.InvalidArguments,
		`["inspect","L{i}","M{i}","N","O","P"]`:                  events.InvalidArguments,
		`["acquire","c{i}","L",0]`:                               events.InvalidTTL,
		`["acquire","c{i}","L",1000000000000000000000000000000]`: events.InvalidTTL,
	} {
		require.Equal(t, events.Invalid{Raw: text, Refusal: want, At: 7, MovesClock: true},
			compile(t, text).Event(events.Current, 7, 3), text)
	}
	for _, text := range []string{`["no such","L{i}"]`, `["{i}"]`, `["inspect{i}","L"]`, `["\ud800","L"]`, `[""]`} {
		require.Equal(t, events.Invalid{Raw: text, Refusal: events.UnknownOperation},
			compile(t, text).Event(events.Current, 7, 3), text)
	}
}

// R29: the edition decides about a run as about any other operation.
func TestTemplateEditions(t *testing.T) {
	status := compile(t, `["status","c"]`)
	require.Equal(t, events.Invalid{Raw: `["status","c"]`, Refusal: events.UnknownOperation}, status.Event(edition2, 7, 0))
	require.Equal(t, events.Status{At: 7, Client: "c"}, status.Event(events.Current, 7, 0))
	exclusive := compile(t, `["acquire","c","L",5,"exclusive"]`)
	require.Equal(t, events.InvalidArguments, exclusive.Event(edition1, 7, 0).(events.Invalid).Refusal)
	require.IsType(t, events.Acquire{}, exclusive.Event(edition2, 7, 0))
}

// R27: a bad template makes the whole repeat invalid.
func TestBadTemplates(t *testing.T) {
	for _, text := range append([]string{"", " ", "[", `["read"]x`, `["read"],["read"]`, `["read", "L"]`, ` ["read"]`, "[\"read\"]\n",
		"[\"read\",\"L\",{\"a\": 1}]"}, wrongList...) {
		_, ok := events.CompileTemplate(text)
		require.False(t, ok, text)
	}
	nested := func(depth int) string {
		return `["read",` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `]`
	}
	compile(t, nested(9998))
	_, ok := events.CompileTemplate(nested(9999)) // inside its repeat it would nest too deep
	require.False(t, ok)
}

// R24, R27: run i is at At + i × Step, exactly; later than the latest instant
// it is refused and leaves the clock alone.
func TestRunAt(t *testing.T) {
	for _, c := range []struct {
		at, step, i, want int64
		ok                bool
	}{
		{7, 0, 99999, 7, true},
		{7, 3, 2, 13, true},
		{-7, 3, 2, -1, true},
		{0, math.MaxInt64, 1, math.MaxInt64, true},
		{1, math.MaxInt64, 1, 0, false},
		{0, math.MaxInt64, 2, 0, false},
		{math.MinInt64, math.MaxInt64, 2, math.MaxInt64 - 1, true},
		{math.MinInt64, math.MaxInt64, 3, 0, false},
		{math.MinInt64, 1 << 62, 4, 0, false},
		{math.MaxInt64, 0, 5, math.MaxInt64, true},
		{0, 1 << 62, 1 << 62, 0, false},
		{7, 1, -1, 0, false},
		{7, -1, 1, 0, false},
	} {
		at, ok := events.Repeat{At: c.at, Step: c.step}.RunAt(c.i)
		require.Equal(t, c.ok, ok, c)
		if ok {
			require.Equal(t, c.want, at, c)
		} else {
			require.Equal(t, int64(math.MaxInt64), at, c)
		}
	}
	template := compile(t, `["inspect","L"]`)
	for _, late := range []int64{events.Current.MaxInstant() + 1, math.MaxInt64} {
		require.Equal(t, events.Invalid{Raw: `["inspect","L"]`, Refusal: events.InvalidArguments}, template.Event(events.Current, late, 0))
	}
	last := events.Current.MaxInstant()
	require.Equal(t, events.Inspect{At: last, Lock: "L"}, template.Event(events.Current, last, 0))
}

// R27: a run's strings count, with 20 bytes, or the digits that are needed, for
// each placeholder.
func TestTemplateFits(t *testing.T) {
	for text, size := range map[string]int64{
		`["read","L{i}","some key"]`:                           29,
		`["read","{i}-{i+1%2}","k{i}"]`:                        62,
		`["no such","a","L{i}",["x{i}"],"b","c","d","y{i%1}"]`: 46,
		`["read","{i+` + strings.Repeat("9", 30) + `}","k"]`:   32,
		`["read","{i%` + strings.Repeat("9", 30) + `}","k"]`:   31,
		`["read","{i+` + strings.Repeat("0", 30) + `}","k"]`:   21,
	} {
		template := compile(t, text)
		require.True(t, template.Fits(events.MaxExpansion/size), text)
		require.False(t, template.Fits(events.MaxExpansion/size+1), text)
	}
	require.False(t, compile(t, `["read","L","k"]`).Fits(math.MaxInt64))
	require.True(t, compile(t, `["read"]`).Fits(math.MaxInt64))
}

// fill replaces placeholders the slow way: a pattern, and numbers of any size.
func fill(s string, i int64) string {
	placeholder := regexp.MustCompile(`\{i(?:\+([0-9]+))?(?:%([0-9]+))?\}`)
	return placeholder.ReplaceAllStringFunc(s, func(found string) string {
		parts := placeholder.FindStringSubmatch(found)
		value := big.NewInt(i)
		if add, ok := new(big.Int).SetString(parts[1], 10); ok {
			value.Add(value, add)
		}
		if modulus, ok := new(big.Int).SetString(parts[2], 10); ok {
			value.Rem(value, modulus)
		}
		return value.String()
	})
}

// R28: numbers of up to 1,000 digits are exact; longer ones make a template bad.
func TestPlaceholdersOfManyDigits(t *testing.T) {
	digits := strings.Repeat("8203719465", 33)
	for _, pattern := range []string{"{i+D}", "{i%D}", "{i+D%7}", "{i+D%D}", "{i+1D%D}", "{i+D%1D}", "{i+DD%9D}", "{i+DDD%998877665544332211}"} {
		pattern = strings.ReplaceAll(pattern, "D", digits)
		for _, i := range []int64{0, 1, 99999, math.MaxInt64} {
			require.Equal(t, fill(pattern, i), expanded(t, pattern, i))
		}
	}
	most := strings.Repeat("9", 1000)
	require.Equal(t, fill("{i+"+most+"%"+most+"}", 5), expanded(t, "{i+"+most+"%"+most+"}", 5))
	for _, pattern := range []string{"{i+1D}", "{i%1D}", "{i%01D}"} {
		_, ok := events.CompileTemplate(`["inspect","` + strings.ReplaceAll(pattern, "D", most) + `"]`)
		require.False(t, ok, pattern)
	}
}

// anyTemplateArguments are arguments in JSON that suit the operation, mostly.
func anyTemplateArguments(name string) *rapid.Generator[[]string] {
	text := rapid.OneOf(
		rapid.Map(rapid.SampledFrom([]string{"c1", "job{i}", "{i%7}{i+3}", "{i+99999999999999999999}", "{{i+1%12}}"}), quote),
		rapid.Map(rapid.StringOfN(rapid.RuneFrom([]rune("{{i+%%}}19é")), 1, 12, -1), quote),
		rapid.Map(rapid.StringMatching(`\{i\+[0-9]{1,45}%[1-9][0-9]{0,45}\}`), quote),
	)
	number := rapid.SampledFrom([]string{"1", "60", "86400"})
	odd := rapid.OneOf(text, rapid.SampledFrom([]string{"0", "86401", "1.5", "null", `["{i}"]`, `""`, `"\ud800"`, `"shared"`, `"sh{i}ared"`}))
	return rapid.Custom(func(t *rapid.T) []string {
		var arguments []string
		for _, form := range templateForms[name] {
			from := map[rune]*rapid.Generator[string]{'t': text, 'n': number}[form]
			if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
				from = odd
			}
			arguments = append(arguments, from.Draw(t, "argument"))
		}
		return append(arguments, rapid.SliceOfN(odd, 0, 1).Draw(t, "more")...)
	})
}

// templateForms are the types of each operation's arguments: text or number.
var templateForms = map[string]string{"acquire": "ttn", "renew": "ttn", "release": "tt", "write": "tttn", "read": "tt",
	"inspect": "t", "status": "t", "no{i}": "t"}

// A run is the event that the operation, written out by hand, would be.
func TestTemplateAgreesWithParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules().Draw(t, "rules")
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(templateForms))).Draw(t, "name")
		arguments := anyTemplateArguments(name).Draw(t, "arguments")
		i := rapid.Int64Range(0, events.MaxRepeat).Draw(t, "i")
		at := rapid.OneOf(rapid.Int64Range(-5, 5), anyInt()).Draw(t, "at")

		template, ok := events.CompileTemplate("[" + strings.Join(append([]string{quote(name)}, arguments...), ",") + "]")
		if !ok {
			require.Regexp(t, `%0+\}`, arguments)
			return
		}
		text := fmt.Sprintf("[%s,%d", quote(name), at)
		for _, argument := range arguments {
			if s := ""; argument != `"\ud800"` && json.Unmarshal([]byte(argument), &s) == nil {
				argument = quote(fill(s, i))
			}
			text += "," + argument
		}
		want, err := r.Parse([]byte(text + "]"))
		require.NoError(t, err)
		got := template.Event(r, at, i)
		require.Equal(t, admit(r, want), admit(r, got), text)
		if _, refused := want.(events.Invalid); !refused {
			require.Equal(t, want, got, text)
		}
	})
}
