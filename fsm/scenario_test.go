package fsm_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the scenarios with the answers and effects of today")

// TestScenarios performs the stories in testdata/scenarios. Each is text:
//
//	# Plain words. The rules that the story is about are cited by number.
//	edition 3                      a fresh service; or: edition 1, 1000 ticks a second
//	broken: hand-over-at-observation, …
//
//	["acquire", 0, "a", "L", 30]   an operation, and beneath it
//	  = ["granted", 1, 30]         the answer,
//	  ! …                          what the broken rules would have answered, if not the same,
//	  ~ t=0 granted L a …          and what happened.
//
// With -rewrite, the indented lines are written anew.
func TestScenarios(t *testing.T) {
	for _, file := range scenarios(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			performed := perform(t, string(text))
			if *rewrite {
				require.NoError(t, os.WriteFile(file, []byte(performed), 0o644))
				return
			}
			require.Equal(t, string(text), performed)
		})
	}
}

func scenarios(t *testing.T) []string {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// perform returns the text of a scenario with its indented lines made anew.
func perform(t *testing.T, text string) string {
	var out strings.Builder
	var s *stage
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		out.WriteString(line)
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "edition "):
			s.leave(t)
			s = enter(t, line)
		case strings.HasPrefix(line, "broken: "):
			s.breakRules(t, strings.Split(strings.TrimPrefix(line, "broken: "), ", "))
		default:
			s.play(t, line, &out)
		}
	}
	s.leave(t)
	return out.String()
}

// stage is the service that a story is about, a judge that must always agree
// with it, and one that has some rules wrong.
type stage struct {
	rules   events.Rules
	service *fsm.Machine
	judge   *naive.Model
	broken  *naive.Model // nil if the story breaks no rule
	differs bool         // the broken rules have shown
}

func enter(t *testing.T, line string) *stage {
	rules := events.Current
	_, err := fmt.Sscanf(line, "edition %d, %d ticks a second", &rules.Edition, &rules.Unit)
	if !strings.Contains(line, ",") {
		_, err = fmt.Sscanf(line, "edition %d", &rules.Edition)
	}
	require.NoError(t, err, line)
	fresh, err := fsm.New(rules)
	require.NoError(t, err)
	judge, err := naive.New(rules)
	require.NoError(t, err)
	return &stage{rules: rules, service: fsm.NewMachine(fresh), judge: judge}
}

func (s *stage) breakRules(t *testing.T, deviations []string) {
	var err error
	s.broken, err = naive.New(s.rules, deviations...)
	require.NoError(t, err)
}

func (s *stage) play(t *testing.T, operation string, out *strings.Builder) {
	event, err := s.rules.Parse([]byte(operation))
	require.NoError(t, err, operation)
	result := s.service.Apply(event)
	require.Equal(t, s.judge.Apply(event), result, operation)
	require.NoError(t, fsm.Check(s.service.State()), operation)
	answer := spaced(result.Answer)
	fmt.Fprintln(out, "  =", answer)
	if s.broken != nil {
		if wrong := spaced(s.broken.Apply(event).Answer); wrong != answer {
			fmt.Fprintln(out, "  !", wrong)
			s.differs = true
		}
	}
	for _, effect := range result.Effects {
		fmt.Fprintln(out, "  ~", effect)
	}
}

// leave ends a story, which must have shown the rules that it broke.
func (s *stage) leave(t *testing.T) {
	if s != nil && s.broken != nil {
		require.True(t, s.differs, "the broken rules do not show")
	}
}

// spaced is an answer as JSON with the spaces that make it readable.
func spaced(answer events.Answer) string {
	var b strings.Builder
	quoted := false
	text := string(answer.AppendJSON(nil))
	for i, c := range text {
		b.WriteRune(c)
		switch {
		case c == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			b.WriteByte(' ')
		}
	}
	return b.String()
}
