package lab

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var table = Table{
	Columns: []Column{
		{Key: "name", Title: "name", Left: true}, {Key: "count", Title: "n"}, {Key: "share", Title: "share", Unit: "%", Digits: 2},
		{Key: "range", Title: "range", Digits: 1}, {Key: "yes", Title: "?", Left: true},
	},
	Rows: [][]any{{"a, b", 3, 0.045, Range{1, 2.25}, true}, {`"é"`, 1000, 16.53000001, Range{0, 10}, false}},
}

func TestTablesForPeople(t *testing.T) {
	require.Equal(t, []string{
		"name     n    share       range  ?",
		"a, b     3   0.04 %   1.0 – 2.2  yes",
		"\"é\"   1000  16.53 %  0.0 – 10.0  no",
	}, table.Lines())
}

func TestTablesForPrograms(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, table.WriteCSV(&out))
	records, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"name", "count", "share", "range_low", "range_high", "yes"},
		{"a, b", "3", "0.045", "1", "2.25", "true"},
		{`"é"`, "1000", "16.53", "0", "10", "false"},
	}, records)
}

// Every experiment gives the same bytes again, and its JSON has the table's keys.
func TestOutcomesAreTheSameBytesAgain(t *testing.T) {
	for _, x := range All() {
		setting := Setting{Seed: x.Seed, Operations: 200}
		var texts [2]string
		for i := range texts {
			o, err := x.Run(setting)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, x.WriteJSON(&out, setting, o))
			require.NoError(t, o.Table.WriteCSV(&out))
			texts[i] = out.String()
			var read struct {
				Experiment string
				Rows       []map[string]any
				Claims     []Claim
			}
			require.NoError(t, json.NewDecoder(strings.NewReader(texts[i])).Decode(&read))
			require.Equal(t, x.Name, read.Experiment)
			require.Len(t, read.Rows, len(o.Table.Rows))
			require.Len(t, read.Rows[0], len(o.Table.Columns))
			require.Equal(t, o.Claims, read.Claims)
		}
		require.Equal(t, texts[0], texts[1], x.Name)
	}
}
