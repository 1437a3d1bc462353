package events

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyJSON is a valid JSON value with white space in odd places.
func anyJSON() *rapid.Generator[string] {
	leaf := rapid.SampledFrom([]string{`null`, `true`, `-1.5e+3`, `0`, `""`, `"a,]b"`, `"\""`, `"\\"`, `"\\\"]"`, `"[{"`, `[]`, `{}`, `"é\u00e9"`})
	space := rapid.SampledFrom([]string{"", "", " ", "\n\t\r "})
	value := leaf
	for range 3 {
		inner := value
		list := rapid.Custom(func(t *rapid.T) string {
			items := rapid.SliceOfN(inner, 0, 4).Draw(t, "items")
			gap := space.Draw(t, "gap")
			if rapid.Bool().Draw(t, "object") {
				for i, item := range items {
					items[i] = `"k]"` + gap + ":" + gap + item
				}
				return gap + "{" + gap + strings.Join(items, gap+","+gap) + gap + "}" + gap
			}
			return gap + "[" + gap + strings.Join(items, gap+","+gap) + gap + "]" + gap
		})
		value = rapid.OneOf(leaf, list)
	}
	return value
}

// Taking a list apart gives the same elements as the library does.
func TestListAgreesWithLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(anyJSON().Draw(t, "text"))
		elements, isList := openList(text)
		var want []json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil || want == nil {
			require.False(t, isList)
			return
		}
		require.True(t, isList)
		found := make([][]byte, 100)
		n := elements.split(found)
		require.Len(t, want, n)
		for i := range want {
			require.Equal(t, string(want[i]), string(found[i]))
		}
	})
}

// What does not fit into the slice is still counted.
func TestListCountsAll(t *testing.T) {
	elements, _ := openList([]byte(`[1,2,3,4]`))
	found := make([][]byte, 2)
	require.Equal(t, 4, elements.split(found))
	require.Equal(t, []byte("2"), found[1])
}

// Reading a string agrees with the library wherever the string is Unicode.
func TestUnquoteAgreesWithLibrary(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "é", "🔒", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u00e9`, `\uFFFD`, `\ufffe`, `\u0000`,
		`\ud83d\udd12`, `\uDBFF\uDFFF`, `\ud7ff`, `\ue000`, "\x7f", "\u2028"})
	rapid.Check(t, func(t *rapid.T) {
		quoted := `"` + strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "") + `"`
		var want string
		require.NoError(t, json.Unmarshal([]byte(quoted), &want))
		got, valid := unquote([]byte(quoted))
		require.True(t, valid, quoted)
		require.Equal(t, want, got)
	})
}

// R25: whatever stands around it, a lone surrogate or a broken byte shows.
func TestUnquoteNoticesWhatIsNotUnicode(t *testing.T) {
	for _, broken := range []string{`\ud800`, `\udbff`, `\udc00`, `\udfff`, `\ud800\ud800`, `\ud800\ue000`, `\ud800\n`, `\ud800u`, `\udc00\ud800`,
		`\uD800\\udc00`, "\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"} {
		for _, quoted := range []string{broken, "a" + broken, broken + "b", `\ud83d\udd12` + broken + `\ud83d\udd12`} {
			text, valid := unquote([]byte(`"` + quoted + `"`))
			require.False(t, valid, "%q", quoted)
			require.Contains(t, text, "\ufffd")
		}
	}
}
