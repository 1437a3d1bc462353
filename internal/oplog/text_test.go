package oplog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoneSurrogates(t *testing.T) {
	for text, at := range map[string]int{
		`"plain"`: -1, `"\ud83d\ude00"`: -1, `"\\ud800"`: -1, `"\\\ud800"`: 3, `"\uD83D\uDE00\uDE00"`: 13,
		`"\ud800"`: 1, `"\ud800x\udc00"`: 1, `"\ud800\ud800\udc00"`: 1, `"\ud800\n"`: 1, `"\u00e9\udfff"`: 7, `\ud8`: -1, `\`: -1,
	} {
		require.Equal(t, at, LoneSurrogate([]byte(text)), text)
	}
}

func TestNamesInMessagesAreQuotedAsJSON(t *testing.T) {
	for name, shown := range map[string]string{
		"a<b": `"a<b"`, "\x1b[m\n": `"\u001b[m\n"`, "": `""`,
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u20ac": `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"…`,
	} {
		require.Equal(t, shown, quoted(name))
	}
}
