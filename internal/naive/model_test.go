package naive_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// history is a list of operations and what each must answer.
type history struct {
	Name       string            `json:"name"`
	Operations []json.RawMessage `json:"operations"`
	Results    []json.RawMessage `json:"results"`
}

// answers runs operations and gives back the answers as JSON.
func answers(t *testing.T, rules events.Rules, operations []json.RawMessage, deviations ...string) []string {
	t.Helper()
	results, err := naive.Run(rules, operations, deviations...)
	require.NoError(t, err)
	texts := make([]string, len(results))
	for i, result := range results {
		texts[i] = string(result.Answer.AppendJSON(nil))
	}
	return texts
}

// canonical is JSON without insignificant white space, keys in order.
func canonical(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	return string(encoded)
}

// requireAnswers runs a history and compares every answer.
func (h history) requireAnswers(t *testing.T, rules events.Rules) {
	t.Helper()
	require.Len(t, h.Results, len(h.Operations))
	for i, got := range answers(t, rules, h.Operations) {
		require.Equal(t, canonical(t, h.Results[i]), canonical(t, []byte(got)),
			"operation %d: %s", i+1, h.Operations[i])
	}
}

func TestRecordedHistories(t *testing.T) {
	file, err := os.Open("../../testdata/histories.jsonl")
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		var h history
		require.NoError(t, json.Unmarshal(lines.Bytes(), &h))
		t.Run(h.Name, func(t *testing.T) { h.requireAnswers(t, events.Current) })
	}
	require.NoError(t, lines.Err())
	require.Equal(t, 80, n)
}
