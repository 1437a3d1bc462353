package diagnose_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// story is a history in whose last answer a deviation shows.
type story struct {
	deviation string
	rules     events.Rules
	events    []events.Event
}

// stories reads those that package naive tells of its deviations.
func stories(t *testing.T) (all []story) {
	files, err := filepath.Glob("../naive/testdata/deviations/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for block := range strings.SplitSeq(string(text), "\n\n") {
			all = append(all, parseStory(t, block))
		}
	}
	require.GreaterOrEqual(t, len(all), len(naive.Deviations()))
	return all
}

func parseStory(t *testing.T, block string) story {
	s := story{rules: events.Current}
	var err error
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "deviation":
			s.deviation = rest
		case "edition":
			_, err = fmt.Sscan(rest, &s.rules.Edition)
		case "unit":
			_, err = fmt.Sscan(rest, &s.rules.Unit)
		case "rules", "wrong", "":
		default:
			s.events = append(s.events, parsed(t, s.rules, line))
		}
		require.NoError(t, err, line)
	}
	return s
}

func parsed(t testing.TB, rules events.Rules, text string) events.Event {
	e, err := rules.Parse(json.RawMessage(text))
	require.NoError(t, err, text)
	return e
}

// answered is a log: operations with the answers that a service with deviations
// gives.
func answered(t testing.TB, rules events.Rules, list []events.Event, deviations ...string) []diagnose.Entry {
	model, err := naive.New(rules, deviations...)
	require.NoError(t, err)
	entries := make([]diagnose.Entry, len(list))
	for i, e := range list {
		entries[i] = diagnose.Entry{Event: e, Recorded: model.Apply(e).Answer.AppendJSON(nil)}
	}
	return entries
}

// mismatchOf finds the first answer of a log that a service with deviations
// does not give: nil if there is none. It knows nothing of the package.
func mismatchOf(t testing.TB, rules events.Rules, log []diagnose.Entry, deviations ...string) *diagnose.Mismatch {
	list := make([]events.Event, len(log))
	for i := range log {
		list[i] = log[i].Event
	}
	for i, e := range answered(t, rules, list, deviations...) {
		if recorded := log[i].Recorded; recorded != nil && string(recorded) != string(e.Recorded) {
			return &diagnose.Mismatch{Index: i, Recorded: recorded, Answer: e.Recorded}
		}
	}
	return nil
}

// requireTrue holds everything that a finished diagnosis says of single
// deviations against what a service with each of them answers.
func requireTrue(t testing.TB, log []diagnose.Entry, d *diagnose.Diagnosis) {
	require.True(t, d.Complete)
	require.Equal(t, mismatchOf(t, d.Rules, log), d.First)
	require.Equal(t, len(log), d.Operations)
	require.Equal(t, len(log), d.Examined)
	singles := map[string]diagnose.Candidate{}
	for _, c := range d.Singles {
		singles[c.Deviations[0].Name] = c
	}
	for _, deviation := range naive.Deviations() {
		mismatch := mismatchOf(t, d.Rules, log, deviation.Name)
		if mismatch != nil {
			require.Equal(t, *mismatch, d.RuledOut[deviation.Name], deviation.Name)
			require.NotContains(t, singles, deviation.Name)
			continue
		}
		require.NotContains(t, d.RuledOut, deviation.Name)
		require.Equal(t, len(log), singles[deviation.Name].Confirmed, deviation.Name)
		require.Equal(t, d.Wrong, singles[deviation.Name].Explained)
	}
}

// requireTold holds a history that tells candidates apart against what they
// answer.
func requireTold(t testing.TB, rules events.Rules, d *diagnose.Distinction) {
	require.GreaterOrEqual(t, len(d.Groups), 2)
	differ := map[string]bool{}
	for _, group := range d.Groups {
		for _, names := range group.Candidates {
			log := answered(t, rules, d.Events, names...)
			for i := range log {
				require.Equal(t, string(log[i].Recorded), string(group.Answers[i]), names)
			}
		}
		differ[fmt.Sprintf("%q", group.Answers)] = true
	}
	require.Len(t, differ, len(d.Groups))
	for i, e := range answered(t, rules, d.Events) {
		require.Equal(t, string(e.Recorded), string(d.Required[i]), "by the rules")
	}
}
