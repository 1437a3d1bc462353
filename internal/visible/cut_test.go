package visible_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

func TestATextIsCutBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		text  string
		bytes int
		cut   string
		whole bool
	}{
		{"größe", 7, "größe", true},
		{"größe", 6, "größ", false},
		{"größe", 5, "grö", false},
		{"größe", 3, "gr", false},
		{"größe", 0, "", false},
		{"", 0, "", true},
		{"😀", 3, "", false},
		{"a😀b", 5, "a😀", false},
		{strings.Repeat("\x80", 9), 6, strings.Repeat("\x80", 6), false},
	} {
		cut, whole := visible.Cut(c.text, c.bytes)
		require.Equal(t, c.cut, cut, "%q at %d", c.text, c.bytes)
		require.Equal(t, c.whole, whole, "%q at %d", c.text, c.bytes)
	}
}

func TestACutIsAsLongAsItMayBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, bytes := rapid.String().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "bytes")
		cut, whole := visible.Cut(text, bytes)
		require.True(t, utf8.ValidString(cut))
		require.LessOrEqual(t, len(cut), bytes)
		require.True(t, strings.HasPrefix(text, cut))
		require.Equal(t, whole, cut == text)
		if !whole {
			_, next := utf8.DecodeRuneInString(text[len(cut):])
			require.Greater(t, len(cut)+next, bytes)
		}
	})
}

// What comes from a stranger is printed as UTF-8, whatever it is.
func TestInvalidBytesBecomeReplacementCharacters(t *testing.T) {
	require.Equal(t, "a\ufffdb", visible.Text("a\xffb"))
	require.Equal(t, "gr\ufffd", visible.Text("gr\xc3"))
	require.Equal(t, "\ufffd\ufffd\\u001b", visible.Text("\xf0\x9f\x1b"))
	rapid.Check(t, func(t *rapid.T) {
		text := visible.Text(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		require.True(t, utf8.ValidString(text))
		require.Equal(t, text, visible.Text(text))
	})
}

func TestXMLTextCannotEndItsElementOrAttribute(t *testing.T) {
	require.Equal(t, "größe 😀", visible.XML("größe 😀"))
	require.Equal(t, "&lt;/title&gt;&lt;script&gt;&amp;&#34;&#39;", visible.XML(`</title><script>&"'`))
	require.Equal(t, "\ufffd\ufffd", visible.XML("\x00\xff"))
}
