package divergence

import (
	"iter"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
)

// long is a journal of a million events with made-up fingerprints.
type long struct {
	journal.Journal
	parts uint64 // the event from which on they are of their own
	own   byte
	base  uint64
}

const million = 1_000_000

func (l *long) Last() uint64 { return million }

func (l *long) Genesis() journal.Genesis {
	return journal.Genesis{Rules: events.Current, Base: journal.Head{Sequence: l.base}}
}

func (l *long) Scan(from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		record := journal.Record{Sequence: from, Event: events.Append(nil, events.Read{At: 1, Lock: "L", Key: "k"})}
		if from >= l.parts {
			record.Fingerprint[3] = l.own
		}
		yield(record, nil)
	}
}

func (l *long) Snapshots() ([]journal.Snapshot, error) { return nil, nil }

// Where the states of a million events part is found by 20 comparisons,
// wherever that is.
func TestAMillionEventsTakeTwentyComparisons(t *testing.T) {
	for _, parts := range []uint64{1, 2, 3, 1000, 499_999, 500_000, 500_001, 765_432, million - 1, million} {
		found, err := Bisect(&long{parts: parts, own: 1}, &long{parts: parts, own: 2}, nil)
		require.NoError(t, err)
		require.Equal(t, Fingerprint, found.Differs)
		require.Equal(t, parts, found.A.Sequence)
		require.LessOrEqual(t, found.Comparisons, 20)
	}
	found, err := Bisect(&long{own: 1}, &long{own: 1}, nil)
	require.NoError(t, err)
	require.Empty(t, found.Differs)
	require.LessOrEqual(t, found.Comparisons, 20)
}

// Nobody knows how journals began whose beginnings are in an archive: there the
// first event is compared as well.
func TestJournalsThatBeganDifferently(t *testing.T) {
	for _, parts := range []uint64{1, 1600, 1601, 1602, million} {
		found, err := Bisect(&long{parts: parts, own: 1, base: 1600}, &long{parts: parts, own: 2}, nil)
		require.NoError(t, err)
		require.Equal(t, max(parts, 1601), found.A.Sequence)
		require.LessOrEqual(t, found.Comparisons, 21)
	}
}

// R21: what was only looked at leaves no trace. Bisection does not find it, and
// says so by finding nothing.
func TestBisectionSeesNothingButStates(t *testing.T) {
	a := journalOf(t, events.Current, story(t, acquire, look, release), nil)
	b := journalOf(t, events.Current, story(t, acquire, `["read", 3, "L", "k"]`, release), nil)
	found, err := Bisect(a, b, nil)
	require.NoError(t, err)
	require.Empty(t, found.Differs)
	require.Equal(t, Operation, first(t, OfJournal(a, nil), OfJournal(b, nil)).Differs)

	shorter := journalOf(t, events.Current, story(t, acquire, look), nil)
	found, err = Bisect(a, shorter, nil)
	require.NoError(t, err)
	require.Equal(t, Length, found.Differs)
	require.EqualValues(t, 3, found.A.Sequence)
	require.Nil(t, found.B.Event)
}
