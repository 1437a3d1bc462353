package view

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
	"github.com/stretchr/testify/require"
)

var hidden = visible.Hidden

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
		{"\x1b[31m", whole, `"\u001b[31m"`},
		{"\a\x7f\n", whole, `"\u0007\u007f\n"`},
		{"say \"<b>\"\\", whole, `"say \"<b>\"\\"`},
		{"\u3164", whole, `"\u3164"`},
		{"a\u115f", whole, `"a\u115f"`},
		{"\u1160", whole, `"\u1160"`},
		{"\u2800", whole, `"\u2800"`},
		{"\uffa0", whole, `"\uffa0"`},
		{"a\u034f", whole, `"a\u034f"`},
		{"a\ufe0f", whole, `"a\ufe0f"`},
		{"a\U000e0100", whole, `"a\udb40\udd00"`},
		{"\x1b[31mred\x1b[0m", 14, `"\u001b[3…[0m"`},
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

// A value that was read is not taken for several keys of a tally.
func TestKeysOfATally(t *testing.T) {
	tally := events.Tally{Ops: 8, Results: []events.Count{
		{Answer: "error: not holder", Times: 1}, {Answer: "granted", Times: 1}, {Answer: "ok 5, granted 3", Times: 5}, {Answer: "\u3164", Times: 1},
	}}
	require.Equal(t, `8 runs: error: not holder 1, granted 1, "ok 5, granted 3" 5, "\u3164" 1`, answer(tally, whole))
}

func TestListsAreCutWhereNamesAre(t *testing.T) {
	item := func(i int) string { return string(rune('a' + i)) }
	require.Equal(t, "a, b, c, d, e", list(5, whole, item))
	require.Equal(t, "a, b, c, 2 more", list(5, 20, item))
	require.Equal(t, "a, b, c, d", list(4, 20, item))
}
