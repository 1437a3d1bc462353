package visible_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// TestHostileNamesLoseTheirPower holds a few of the tricks that text can play on
// a terminal against what becomes of them.
func TestHostileNamesLoseTheirPower(t *testing.T) {
	for name, shown := range map[string]string{
		"worker-7":         `worker-7`,
		"größe😀":           `größe😀`,
		"":                 `""`,
		"two words":        `"two words"`,
		`say "yes"`:        `"say \"yes\""`,
		"\x1b[2Jgone":      `"\u001b[2Jgone"`,
		"line\nbreak":      `"line\nbreak"`,
		"\u202etxt.exe":    `"\u202etxt.exe"`,
		"zero\u200bwidth":  `"zero\u200bwidth"`,
		"\u2800":           `"\u2800"`,
		"tag\U000e0041":    `"tag\udb40\udc41"`,
		"<script>&</…>":    `<script>&</…>`,
		"not \xff Unicode": `"not \ufffd Unicode"`,
	} {
		require.Equal(t, shown, visible.Name(name), "%q", name)
	}
}

func TestQuotedTextKeepsItsValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var back string
		require.NoError(t, json.Unmarshal([]byte(visible.Quoted(text)), &back))
		require.Equal(t, text, back)
		require.Equal(t, visible.Text(text), visible.Text(visible.Text(text)))
	})
}
