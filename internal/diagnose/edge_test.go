package diagnose_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// entriesOf are operations and recorded answers in turn, "" for none.
func entriesOf(t testing.TB, rules events.Rules, texts ...string) (entries []diagnose.Entry) {
	for pair := range slices.Chunk(texts, 2) {
		e := diagnose.Entry{Event: parsed(t, rules, pair[0])}
		if pair[1] != "" {
			e.Recorded = []byte(pair[1])
		}
		entries = append(entries, e)
	}
	return entries
}

// incident reads a report of docs/incidents.
func incident(t *testing.T, name string) (entries []diagnose.Entry) {
	file, err := os.Open("../../docs/incidents/" + name)
	require.NoError(t, err)
	defer file.Close()
	reader, err := oplog.Open(name, file)
	require.NoError(t, err)
	defer reader.Close()
	for {
		entry, err := reader.Next()
		if err == io.EOF {
			return entries
		}
		require.NoError(t, err)
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, entry.Recorded))
		entries = append(entries, diagnose.Entry{
			Event: parsed(t, events.Current, string(entry.Operation)), Recorded: compact.Bytes(),
		})
	}
}

// INC-5127: a renew at the very end of a lease was accepted (R2). The log does
// not tell whether leases are good at their end for all purposes, or only for
// renewing, or for renewing whenever nobody has noticed the end.
func TestINC5127IsExplained(t *testing.T) {
	log := incident(t, "inc-5127-answers.json")
	d := diagnosis(t, events.Current, log, diagnose.Options{})
	require.Equal(t, [][]string{{"renew-at-expiry"}, {"renew-ignores-expiry"}, {"usable-at-expiry"}}, names(d.Singles))
	require.Equal(t, 2, d.Wrong)
	require.Equal(t, &diagnose.Mismatch{Index: 4, Recorded: []byte(`["renewed",60]`), Answer: []byte(`"error: not holder"`)}, d.First)
	requireTrue(t, log, d)
	require.Len(t, d.Telling.Groups, 3)
	require.LessOrEqual(t, len(d.Telling.Events), 3)
	requireTold(t, events.Current, d.Telling)
}

// The other incidents have one explanation each.
func TestIncidentsAreExplained(t *testing.T) {
	for name, deviation := range map[string]string{
		"inc-5131.json": "counter-reset-when-idle",
		"inc-5133.json": "queue-grant-keeps-token",
		"inc-5138.json": "release-ignores-expiry",
		"inc-5140.json": "store-requires-higher",
		"inc-5144.json": "hand-over-at-observation",
	} {
		log := incident(t, name)
		d := diagnosis(t, events.Current, log, diagnose.Options{})
		require.Equal(t, [][]string{{deviation}}, names(d.Singles), name)
		require.Nil(t, d.Telling)
		requireTrue(t, log, d)
	}
}

func TestRightAnswersNeedNoDiagnosis(t *testing.T) {
	for seed := range uint64(20) {
		rules := history.DrawRules(seed)
		h := history.Generate(rules, history.Profiles()[0], seed, 100)
		log := answered(t, rules, h.Events)
		log[3].Recorded = nil
		d := diagnosis(t, rules, log, diagnose.Options{})
		require.Equal(t, &diagnose.Diagnosis{Rules: rules, Operations: 100, Examined: 100, Answered: 99, Complete: true}, d)
	}
	d := diagnosis(t, events.Current, nil, diagnose.Options{})
	require.Equal(t, &diagnose.Diagnosis{Rules: events.Current, Complete: true}, d)
}

func TestOperationsWithoutAnswersStillHappen(t *testing.T) {
	log := entriesOf(t, events.Current,
		`["acquire", 0, "a", "L", 10]`, ``,
		`["acquire", 1, "b", "L", 10]`, ``,
		`["inspect", 15, "L"]`, `{"holders":[["b","exclusive",2,25]],"queue":[]}`,
	)
	d := diagnosis(t, events.Current, log, quick)
	require.Equal(t, 1, d.Answered)
	require.Equal(t, [][]string{{"hand-over-at-observation"}}, names(d.Singles))
	requireTrue(t, log, d)
}

func TestRulesThatDoNotExist(t *testing.T) {
	_, err := diagnose.Diagnose(t.Context(), events.Rules{}, nil, diagnose.Options{})
	require.ErrorContains(t, err, "diagnose: ")
}

// Answers of an edition are wrong in another; the mistake is then that the
// other edition's rule is kept.
func TestAnswersOfAnotherEdition(t *testing.T) {
	list := []events.Event{
		parsed(t, events.Current, `["acquire", 0, "a", "L", 10]`),
		parsed(t, events.Current, `["acquire", 1, "a", "M", 10]`),
	}
	log := answered(t, events.Rules{Edition: events.Edition2, Unit: events.Second}, list)
	d := diagnosis(t, events.Current, log, quick)
	require.Equal(t, [][]string{{"one-lock-in-edition-3"}}, names(d.Singles))
}

// An answer is compared as a value. What is no answer, or not even JSON, is
// wrong, and nothing explains it.
func TestHowAnswersAreCompared(t *testing.T) {
	const acquire = `["acquire", 0, "a", "L", 10]`
	hash := func(text string) *[sha256.Size]byte {
		sum := sha256.Sum256([]byte(text))
		return &sum
	}
	for _, test := range []struct {
		entry diagnose.Entry
		wrong int
	}{
		{diagnose.Entry{Recorded: []byte(` [ "granted" , 1,10] `)}, 0},
		{diagnose.Entry{Recorded: []byte(`["\u0067ranted",1,10]`)}, 0},
		{diagnose.Entry{Digest: hash(`["granted",1,10]`)}, 0},
		{diagnose.Entry{Digest: hash(`["granted",1,11]`)}, 1},
		{diagnose.Entry{Recorded: []byte(`["granted",1,10.0]`)}, 1},
		{diagnose.Entry{Recorded: []byte(`{"granted":[1,10]}`)}, 1},
		{diagnose.Entry{Recorded: []byte(`["granted",1,`)}, 1},
		{diagnose.Entry{Recorded: []byte("\xff")}, 1},
		{diagnose.Entry{Recorded: []byte{}}, 1},
	} {
		test.entry.Event = parsed(t, events.Current, acquire)
		d := diagnosis(t, events.Current, []diagnose.Entry{test.entry}, diagnose.Options{})
		require.Equal(t, test.wrong, d.Wrong, "%s", test.entry.Recorded)
		require.Equal(t, 1, d.Answered)
		require.True(t, d.Complete)
		require.Empty(t, d.Singles)
		require.Empty(t, d.Pairs)
	}
}

// Repeats and operations that are invalid are operations like others.
func TestRepeatsAndInvalidOperations(t *testing.T) {
	log := entriesOf(t, events.Current,
		`["repeat", 0, 3, 10, ["acquire", "job{i}", "L", 10]]`, `{"ops":3,"results":{"granted":1,"queued":2}}`,
		`["lock"]`, `"error: invalid arguments"`,
		`["acquire", 20, "x", "M", 0]`, `"error: invalid ttl"`,
	)
	d := diagnosis(t, events.Current, log, quick)
	require.Contains(t, names(d.Singles), []string{"repeat-step-ignored"})
	requireTrue(t, log, d)
}

// A history that is to tell two candidates apart does; where none is found,
// nothing is said.
func TestCandidatesAreToldApart(t *testing.T) {
	told := diagnose.Tell(t.Context(), events.Current, [][]string{{"oldest-victim"}, {"requester-is-victim"}})
	require.NotNil(t, told)
	require.LessOrEqual(t, len(told.Events), 4)
	requireTold(t, events.Current, told)

	// In edition 3 these two are the rules.
	require.Nil(t, diagnose.Tell(t.Context(), events.Current, [][]string{{"modes-in-edition-1"}, {"status-in-early-editions"}}))
}
