package divergence

import (
	"io"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// journalOf is a journal in memory of events, with the answers of the rules.
func journalOf(t require.TestingT, rules events.Rules, list []events.Event, change func(*journal.Record)) *journal.Memory {
	genesis, err := journal.NewGenesis(rules, nil)
	require.NoError(t, err)
	j, err := journal.NewMemory(genesis)
	require.NoError(t, err)
	initial, err := fsm.New(rules)
	require.NoError(t, err)
	m := fsm.NewMachine(initial)
	for _, e := range list {
		result := m.Apply(e)
		record := journal.Record{
			Sequence: result.Sequence, Event: events.Append(nil, e),
			Answer: journal.NewAnswer(result.Answer.AppendJSON(nil)), Fingerprint: m.Fingerprint(),
		}
		if change != nil {
			change(&record)
		}
		require.NoError(t, j.Append(record))
	}
	return j
}

// logOf is a log of operations, of which some may have answers.
func logOf(t require.TestingT, rules events.Rules, list []events.Event, answers ...string) *Log {
	next := 0
	log, err := OfLog(rules, func() (events.Event, []byte, error) {
		if next == len(list) {
			return nil, nil, io.EOF
		}
		next++
		if next <= len(answers) && answers[next-1] != "" {
			return list[next-1], []byte(answers[next-1]), nil
		}
		return list[next-1], nil, nil
	})
	require.NoError(t, err)
	return log
}

func story(t require.TestingT, lines ...string) (list []events.Event) {
	for _, line := range lines {
		e, err := events.Current.Parse([]byte(line))
		require.NoError(t, err)
		list = append(list, e)
	}
	return list
}

func first(t require.TestingT, a, b Side) Result {
	found, err := First(a, b)
	require.NoError(t, err)
	return found
}

var (
	acquire = `["acquire", 0, "a", "L", 10]`
	look    = `["inspect", 3, "L"]`
	release = `["release", 4, "a", "L"]`
)

func TestEqualHistoriesDoNotDiffer(t *testing.T) {
	list := story(t, acquire, look, release)
	a, b := journalOf(t, events.Current, list, nil), journalOf(t, events.Current, list, nil)
	require.Equal(t, Result{From: 1, Equal: 3, Answers: 3}, first(t, OfJournal(a, nil), OfJournal(b, nil)))
	// An answer may be spelled in another way, and need not be recorded.
	found := first(t, OfJournal(a, nil), logOf(t, events.Current, list, `[ "granted",1, 10]`, `{"queue": [], "holders": [["a", "exclusive", 1, 10]]}`))
	require.Equal(t, Result{From: 1, Equal: 3, Answers: 2}, found)
}

func TestTheFirstDifferenceIsToldWithTheRowsOfTheStates(t *testing.T) {
	a := OfJournal(journalOf(t, events.Current, story(t, acquire, look, release), nil), nil)
	b := logOf(t, events.Current, story(t, acquire, look, `["inspect", 4, "L"]`))
	found := first(t, a, b)
	require.Equal(t, Operation, found.Differs)
	require.Equal(t, events.Event(events.Release{At: 4, Client: "a", Lock: "L"}), found.A.Event)
	require.Equal(t, events.Event(events.Inspect{At: 4, Lock: "L"}), found.B.Event)
	require.EqualValues(t, 3, found.A.Sequence)
	require.Len(t, found.Rows, 1)
	require.Contains(t, found.Rows[0].String(), `nothing | "a" exclusive until 10`)
}

func TestAnAnswerOrAFingerprintAloneCanDiffer(t *testing.T) {
	list := story(t, acquire, look)
	a := OfJournal(journalOf(t, events.Current, list, nil), nil)
	b := logOf(t, events.Current, list, "", `{"holders": [], "queue": []}`)
	found := first(t, a, b)
	require.Equal(t, Answer, found.Differs)
	require.EqualValues(t, 2, found.A.Sequence)
	require.Empty(t, found.Rows)

	forged := journalOf(t, events.Current, list, func(r *journal.Record) { r.Fingerprint[0] ^= byte(r.Sequence - 1) })
	found = first(t, logOf(t, events.Current, list), OfJournal(forged, nil))
	require.Equal(t, Fingerprint, found.Differs)
	require.EqualValues(t, 2, found.B.Sequence)
}

func TestTheBeginningOfAHistoryDiffersFromIt(t *testing.T) {
	list := story(t, acquire, look, release)
	found := first(t, logOf(t, events.Current, list), OfJournal(journalOf(t, events.Current, list[:2], nil), nil))
	require.Equal(t, Length, found.Differs)
	require.EqualValues(t, 2, found.Equal)
	require.Equal(t, list[2], found.A.Event)
	require.Zero(t, found.B)
	other := events.Rules{Edition: events.Edition1, Unit: events.Second}
	require.Equal(t, Rules, first(t, logOf(t, events.Current, list), logOf(t, other, list)).Differs)
}

// With any one event changed, the first difference is that event; and where the
// states part, bisection finds a place where they do.
func TestAChangedEventIsFound(t *testing.T) {
	everything, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		h := history.Generate(history.DrawRules(seed), everything, seed, rapid.IntRange(1, 60).Draw(t, "events"))
		at := rapid.IntRange(0, len(h.Events)-1).Draw(t, "changed")
		changed := append([]events.Event(nil), h.Events...)
		changed[at] = events.Read{At: 1, Lock: "nobody has", Key: "this"}
		a, b := journalOf(t, h.Rules, h.Events, nil), journalOf(t, h.Rules, changed, nil)
		found := first(t, OfJournal(a, nil), logOf(t, h.Rules, changed))
		require.Equal(t, Operation, found.Differs)
		require.EqualValues(t, at+1, found.A.Sequence)
		require.EqualValues(t, at, found.Equal)

		parting, err := Bisect(a, b, nil)
		require.NoError(t, err)
		last := fingerprints(t, a, len(h.Events)) == fingerprints(t, b, len(h.Events))
		if parting.Differs == "" {
			require.True(t, last)
			return
		}
		sequence := int(parting.A.Sequence)
		require.GreaterOrEqual(t, sequence, at+1)
		require.NotEqual(t, fingerprints(t, a, sequence), fingerprints(t, b, sequence))
		if sequence > 1 {
			require.Equal(t, fingerprints(t, a, sequence-1), fingerprints(t, b, sequence-1))
		}
		require.NotEmpty(t, parting.Rows)
	})
}

func fingerprints(t require.TestingT, j journal.Journal, sequence int) (found [journal.FingerprintSize]byte) {
	for record, err := range j.Scan(uint64(sequence), uint64(sequence)) {
		require.NoError(t, err)
		found = record.Fingerprint
	}
	return found
}
