package view

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	for _, test := range []struct {
		text  string
		most  int
		shown string
	}{
		{"etl-a", whole, "etl-a"},
		{"exports/daily", 13, "exports/daily"},
		{"exports/daily", 12, "exports/…ily"},
		{"two words", whole, `"two words"`},
		{"", whole, `""`},
		{"\x1b[31m", whole, `"\x1b[31m"`},
		{"a\u202eb", whole, `"a\u202eb"`},
		{"non\u00a0breaking", whole, `"non\u00a0breaking"`},
		{"\ufffd", whole, "\"\ufffd\""},
		{"東京都庁舎", 10, "東京都庁舎"},
		{"東京都庁舎", 9, "東京都…舎"},
	} {
		shown := name(test.text, test.most)
		require.Equal(t, test.shown, shown)
		require.LessOrEqual(t, ansi.StringWidth(shown), test.most)
	}
}

func TestVisibleKeepsTheValueOfJSON(t *testing.T) {
	for _, value := range []string{"plain", "\u009b2J", "\u202e", "\U000e0001", "\x7f", "東京", "😀"} {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		visible := Visible(string(text))
		var again string
		require.NoError(t, json.Unmarshal([]byte(visible), &again))
		require.Equal(t, value, again)
		require.False(t, strings.ContainsFunc(visible, hidden))
	}
}

func TestListsAreCutWhereNamesAre(t *testing.T) {
	item := func(i int) string { return string(rune('a' + i)) }
	require.Equal(t, "a, b, c, d, e", list(5, whole, item))
	require.Equal(t, "a, b, c, 2 more", list(5, 20, item))
	require.Equal(t, "a, b, c, d", list(4, 20, item))
}
