package oplog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameAnswer(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{"white space", `["granted",1,30]`, " [ \"granted\" ,\t1 , 30 ]\r\n", true},
		{"another token", `["granted",1,30]`, `["granted",2,30]`, false},
		{"a longer list", `["queued",1]`, `["queued",1,["b"]]`, false},
		{"the order of a list", `[1,2]`, `[2,1]`, false},
		{"the order of fields", `{"holders":[],"queue":[]}`, `{"queue":[],"holders":[]}`, true},
		{"nested objects", `{"a":{"b":1,"c":[{}]},"d":2}`, `{"d":2,"a":{"c":[{}],"b":1}}`, true},
		{"a missing field", `{"a":1,"b":2}`, `{"a":1}`, false},
		{"values exchanged", `{"a":1,"b":2}`, `{"a":2,"b":1}`, false},
		{"a field that stands twice is nothing one can equal", `{"a":1,"a":1}`, `{"a":1,"a":1}`, false},
		{"a name that is the beginning of another", `{"a":1,"ab":2}`, `{"ab":2,"a":1}`, true},
		{"the empty name", `{"":1}`, `{"":1}`, true},
		{"null and nothing stored", `null`, ` null `, true},
		{"null and the text null", `null`, `"null"`, false},
		{"empty containers", `[]`, `{}`, false},
		{"lists in lists", `[[],[]]`, `[[[]]]`, false},
		{"escapes of the same text", `"a\/\u0041\n\"\\"`, `"a/A\u000A\u0022\u005c"`, true},
		{"a pair of surrogates", `"\ud83d\ude00"`, `"😀"`, true},
		{"a lone surrogate is not the replacement character", `"\ud800"`, `"\ufffd"`, false},
		{"a lone surrogate is itself", `"\ud800x"`, `"\uD800x"`, true},
		{"two halves in the wrong order", `"\ude00\ud83d"`, `"\ud83d\ude00"`, false},
		{"a lone half in front of a pair", `"\ud83d\ud83d\ude00"`, `"\ud83d😀"`, true},
		{"a string that looks like more", `["a","b"]`, `["a\",\"b"]`, false},
		{"integers beyond 2^53", `9007199254740993`, `9007199254740992`, false},
		{"very long integers", `1000000000000000000000000000001`, `1000000000000000000000000000000`, false},
		{"spelling of numbers", `30`, `30.0`, false},
		{"minus zero", `0`, `-0`, false},
		{"no JSON", `ok`, `ok`, false},
		{"two values", `1 2`, `1 2`, false},
		{"nothing", ``, ``, false},
		{"invalid UTF-8", "\"\xff\"", "\"\xff\"", false},
		{"as deep as allowed", nested(64), nested(64), true},
		{"deeper than any answer", nested(65), nested(65), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.same, SameAnswer([]byte(test.a), []byte(test.b)))
			require.Equal(t, test.same, SameAnswer([]byte(test.b), []byte(test.a)))
		})
	}
}

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func BenchmarkSameAnswer(b *testing.B) {
	ours, theirs := []byte(`["granted",12,345678]`), []byte(`["granted", 12, 345678]`)
	for b.Loop() {
		if !SameAnswer(ours, theirs) {
			b.Fatal("the same answer was found different")
		}
	}
}
