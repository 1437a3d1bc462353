package audit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

func fresh(t testing.TB, rules events.Rules) fsm.State {
	state, err := fsm.New(rules)
	require.NoError(t, err)
	return state
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

// found holds a log against the rules.
func found(t testing.TB, rules events.Rules, log []diagnose.Entry) *audit.Finder {
	f := audit.NewFinder(fresh(t, rules))
	for i := range log {
		f.Add(&audit.Entry{Entry: log[i]})
	}
	return f
}

func examined(t testing.TB, rules events.Rules, log []diagnose.Entry) *audit.Report {
	report, err := audit.Examine(t.Context(), audit.Log{Start: fresh(t, rules), Entries: log}, audit.Options{Time: 10 * time.Minute})
	require.NoError(t, err)
	return report
}

// logOf reads lines: an operation, and behind " => " the recorded answer if it is
// not that of the deviations.
func logOf(t testing.TB, text string, deviations ...string) []diagnose.Entry {
	model, err := naive.New(events.Current, deviations...)
	require.NoError(t, err)
	var log []diagnose.Entry
	for line := range strings.Lines(text) {
		operation, recorded, given := strings.Cut(strings.TrimSpace(line), " => ")
		if operation == "" {
			continue
		}
		e, err := events.Current.Parse(json.RawMessage(operation))
		require.NoError(t, err, line)
		answer := model.Apply(e).Answer.AppendJSON(nil)
		if given {
			answer = []byte(recorded)
		}
		log = append(log, diagnose.Entry{Event: e, Recorded: answer})
	}
	return log
}

// sequences are the events of a report's chain.
func sequences(r *audit.Report) (list []int) {
	for _, l := range r.Chain {
		list = append(list, int(l.Sequence))
	}
	return list
}

func kinds(r *audit.Report) map[int]audit.Kind {
	all := map[int]audit.Kind{}
	for _, l := range r.Later {
		all[int(l.Sequence)] = l.Kind
	}
	return all
}

func threats(r *audit.Report) map[int]audit.Threat {
	all := map[int]audit.Threat{}
	for _, risk := range r.Risks {
		all[int(risk.Sequence)] = risk.Threat
	}
	return all
}
