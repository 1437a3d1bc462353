package explore

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

var (
	all    = flag.Bool("all", false, "look for the shortest history of every deviation, also for the long ones (some minutes)")
	update = flag.Bool("update", false, "write what is found into testdata/shortest.txt; implies -all")
)

const shortestFile = "testdata/shortest.txt"

// rulesFor are the rules under which a deviation can be seen.
func rulesFor(deviation string) events.Rules {
	rules := events.Current
	switch deviation {
	case "many-locks-in-early-editions", "status-in-early-editions":
		rules.Edition = events.Edition2
	case "modes-in-edition-1":
		rules.Edition = events.Edition1
	case "ttl-limit-ignores-unit":
		rules.Unit = events.Millisecond
	}
	return rules
}

// tellShortest is the paragraph of a deviation in the file.
func tellShortest(deviation string, h history.History) string {
	text := fmt.Sprintf("%s %d\n", deviation, len(h.Events))
	for _, e := range h.Events {
		text += fmt.Sprintf("%s\n", events.AppendJSON(nil, e))
	}
	return text
}

// shortest reads the file: paragraphs by deviation.
func shortest(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(shortestFile)
	require.NoError(t, err)
	paragraphs := map[string]string{}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		name, _, _ := strings.Cut(paragraph, " ")
		paragraphs[name] = strings.TrimSpace(paragraph) + "\n"
	}
	return paragraphs
}

// Every deviation shows in the last answer of a history, and in none before it.
func TestShortestHistoriesShowTheirDeviations(t *testing.T) {
	paragraphs := shortest(t)
	require.Len(t, paragraphs, len(naive.Deviations()))
	for _, d := range naive.Deviations() {
		rules := rulesFor(d.Name)
		lines := strings.Split(strings.TrimSpace(paragraphs[d.Name]), "\n")
		right, err := naive.New(rules)
		require.NoError(t, err)
		wrong, err := naive.New(rules, d.Name)
		require.NoError(t, err)
		for i, line := range lines[1:] {
			e, err := rules.Parse([]byte(line))
			require.NoError(t, err)
			same := history.EqualAnswers(right.Apply(e).Answer, wrong.Apply(e).Answer)
			require.Equal(t, i < len(lines)-2, same, "%s: %s", d.Name, line)
		}
	}
}

// No deviation shows in a shorter history than that in the file. Those of three
// operations and more are looked for with -all only.
func TestNoHistoryIsShorter(t *testing.T) {
	paragraphs := map[string]string{}
	if !*update {
		paragraphs = shortest(t)
	}
	var text strings.Builder
	for _, d := range naive.Deviations() {
		operations := strings.Count(paragraphs[d.Name], "\n") - 1 + strings.Count(paragraphs[d.Name], `"repeat"`)
		if operations > 2 && !*all && !*update {
			continue
		}
		h, found, err := Shortest(t.Context(), rulesFor(d.Name), d.Name)
		require.NoError(t, err)
		require.True(t, found, d.Name)
		told := tellShortest(d.Name, h)
		if !*update {
			require.Equal(t, paragraphs[d.Name], told)
		}
		text.WriteString(told + "\n")
	}
	if *update {
		require.NoError(t, os.WriteFile(shortestFile, []byte(text.String()), 0o644))
	}
}
