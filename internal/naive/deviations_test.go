package naive_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

var update = flag.Bool("update", false, "write what is answered into testdata/deviations")

// story is a history whose last answer tells a deviation from the rules:
//
//	deviation renew-at-expiry
//	["acquire",0,"a","L",10]
//	["renew",10,"a","L",10]
//	rules "error: not holder"
//	wrong ["renewed",20]
//
// Lines "edition N" and "unit N" after the first change the rules.
type story struct {
	deviation    string
	rules        events.Rules
	settings     []string // the lines that change the rules, as they stand
	operations   []json.RawMessage
	right, wrong string
}

func parseStory(t *testing.T, block string) story {
	t.Helper()
	s := story{rules: events.Current}
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "deviation":
			s.deviation = rest
		case "edition":
			_, err := fmt.Sscan(rest, &s.rules.Edition)
			require.NoError(t, err, line)
			s.settings = append(s.settings, line)
		case "unit":
			_, err := fmt.Sscan(rest, &s.rules.Unit)
			require.NoError(t, err, line)
			s.settings = append(s.settings, line)
		case "rules":
			s.right = rest
		case "wrong":
			s.wrong = rest
		default:
			s.operations = append(s.operations, json.RawMessage(line))
		}
	}
	require.NotEmpty(t, s.operations, block)
	return s
}

// String is the story as it stands in its file.
func (s story) String() string {
	lines := append([]string{"deviation " + s.deviation}, s.settings...)
	for _, operation := range s.operations {
		lines = append(lines, string(operation))
	}
	return strings.Join(append(lines, "rules "+s.right, "wrong "+s.wrong), "\n") + "\n"
}

// stories reads every story, by file.
func stories(t *testing.T) map[string][]story {
	t.Helper()
	files, err := filepath.Glob("testdata/deviations/*.txt")
	require.NoError(t, err)
	told := map[string][]story{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for block := range strings.SplitSeq(string(text), "\n\n") {
			told[file] = append(told[file], parseStory(t, block))
		}
	}
	return told
}

// differsAtEnd tells whether the deviation shows in the last answer.
func (s story) differsAtEnd(t *testing.T, operations []json.RawMessage) bool {
	right, wrong := answers(t, s.rules, operations), answers(t, s.rules, operations, s.deviation)
	return right[len(right)-1] != wrong[len(wrong)-1]
}

func TestEveryDeviationShowsInTheAnswers(t *testing.T) {
	unseen := map[string]bool{}
	for _, d := range naive.Deviations() {
		unseen[d.Name] = true
	}
	for file, told := range stories(t) {
		var text []string
		for i, s := range told {
			delete(unseen, s.deviation)
			t.Run(s.deviation, func(t *testing.T) {
				right, wrong := answers(t, s.rules, s.operations), answers(t, s.rules, s.operations, s.deviation)
				last := len(s.operations) - 1
				require.Equal(t, right[:last], wrong[:last], "the difference shows too early")
				require.NotEqual(t, right[last], wrong[last], "the deviation does not show")
				if *update {
					told[i].right, told[i].wrong = right[last], wrong[last]
					return
				}
				require.Equal(t, s.right, right[last])
				require.Equal(t, s.wrong, wrong[last])
			})
			text = append(text, told[i].String())
		}
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(text, "\n")), 0o644))
		}
	}
	require.Empty(t, unseen, "deviations without a story")
}

// TestStoriesAreShort leaves out each operation in turn: the last answer must
// not tell the deviation any more.
func TestStoriesAreShort(t *testing.T) {
	for _, told := range stories(t) {
		for _, s := range told {
			for i := range len(s.operations) - 1 {
				shorter := slices.Delete(slices.Clone(s.operations), i, i+1)
				require.False(t, s.differsAtEnd(t, shorter), "%s: %s is not needed", s.deviation, s.operations[i])
			}
		}
	}
}

// TestNoTwoDeviationsAreTheSame lets every deviation answer all the stories:
// whoever looks for the one that explains a log must be able to tell any two
// apart.
func TestNoTwoDeviationsAreTheSame(t *testing.T) {
	var histories []story
	for _, told := range stories(t) {
		histories = append(histories, told...)
	}
	named := map[string]string{}
	for _, d := range naive.Deviations() {
		var all strings.Builder
		for _, h := range histories {
			fmt.Fprintln(&all, answers(t, h.rules, h.operations, d.Name))
		}
		require.NotContains(t, named, all.String(), "%s is like %s", d.Name, named[all.String()])
		named[all.String()] = d.Name
	}
}
