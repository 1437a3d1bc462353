package leasekeeper_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/stretchr/testify/require"
)

// example is a block of operations with their answers in docs/rules.md.
var example = regexp.MustCompile("(?ms)^```jsonl(?: edition=([12]))?\n(.*?)^```$")

// The examples of the rules show what the rules answer.
func TestExamplesOfTheRules(t *testing.T) {
	text, err := os.ReadFile("docs/rules.md")
	require.NoError(t, err)
	found := example.FindAllSubmatchIndex(text, -1)
	require.Greater(t, len(found), 20)
	for _, at := range found {
		rules := events.Current
		if at[2] >= 0 {
			rules.Edition = events.Edition(text[at[2]] - '0')
		}
		chapter := text[bytes.LastIndex(text[:at[0]], []byte("\n## "))+4:]
		name, _, _ := strings.Cut(string(chapter), "\n")
		t.Run(name, func(t *testing.T) { requireAnswers(t, rules, text[at[4]:at[5]]) })
	}
}

// requireAnswers runs lines of operations with their answers.
func requireAnswers(t *testing.T, rules events.Rules, block []byte) {
	var operations, answers []json.RawMessage
	for line := range bytes.Lines(block) {
		var entry struct{ Op, Result json.RawMessage }
		require.NoError(t, json.Unmarshal(line, &entry))
		operations, answers = append(operations, entry.Op), append(answers, entry.Result)
	}
	for result, err := range leasekeeper.RunSeq(rules, slices.Values(operations)) {
		require.NoError(t, err)
		i, got := result.Sequence-1, result.Answer.AppendJSON(nil)
		require.True(t, oplog.SameAnswer(answers[i], got), "%s\nis said to get %s\nbut gets %s", operations[i], answers[i], got)
	}
}
