package sqlexport

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// R24, R25: text and integers are exact, whatever they are.
func TestTextAndIntegersAreExact(t *testing.T) {
	names := []string{"a\x00b", "a", "a\x00", "'; DROP TABLE leases; --", "\U0001F512", "\ufeffbom", "007", "1e3"}
	var list []events.Event
	for i, name := range names {
		list = append(list, events.Acquire{At: int64(i), Client: name, Lock: name, TTL: 1000, Mode: events.Exclusive})
	}
	list = append(list, events.Write{At: 99, Lock: "L", Key: "k\x00", Value: "\x00", Token: math.MaxInt64})
	last := events.Current.MaxInstant()
	list = append(list, events.Acquire{At: last, Client: "end", Lock: "end", TTL: 86400, Mode: events.Exclusive})
	db := export(t, fresh(t, events.Current), list)
	for i, name := range names {
		require.Equal(t, [][]any{{name, int64(i + 1)}}, rows(t, db, "SELECT client, granted_by FROM leases WHERE lock = ?", name))
	}
	require.Equal(t, [][]any{{"k\x00", "\x00", int64(math.MaxInt64)}}, rows(t, db, "SELECT key, value, token FROM writes"))
	require.Equal(t, [][]any{{last, int64(math.MaxInt64)}}, rows(t, db, "SELECT granted_at, expires_at FROM leases WHERE lock = 'end'"))
	require.Equal(t, int64(ApplicationID), one(t, db, "PRAGMA application_id"))
	require.Equal(t, int64(Version), one(t, db, "PRAGMA user_version"))
}

// R27, R28: each run of a repeat that writes is a row with the value of that
// run, also where leases lapse between the runs and where runs are refused.
func TestRunsOfARepeatAreWrites(t *testing.T) {
	db := export(t, fresh(t, events.Current), story(t, events.Current,
		`["acquire", 0, "a", "L", 4]`,
		`["acquire", 0, "b", "L", 4]`,
		`["repeat", 1, 3, 3, ["write", "L", "k{i}", "v{i+7}", 1]]`,
		`["write", 8, "L", "k", "w", 2]`,
		`["repeat", 9, 2, 1, ["write", "L", "k{i}", "late{i}", 1]]`))
	require.Equal(t, [][]any{
		{int64(3), int64(1), "k0", "v7", int64(1), "lease in force", "a"},
		{int64(3), int64(4), "k1", "v8", int64(1), "lease over", nil},
		{int64(3), int64(7), "k2", "v9", int64(1), "lease over", nil},
		{int64(4), int64(8), "k", "w", int64(1), "lease over", nil},
		{int64(5), int64(9), "k0", "late0", int64(0), "lease over", nil},
		{int64(5), int64(10), "k1", "late1", int64(0), "lease over", nil},
	}, rows(t, db, "SELECT sequence, instant, key, value, accepted, standing, holder FROM writes ORDER BY moment"))
	require.Len(t, rows(t, db, "SELECT * FROM late_accepted_writes"), 3)
	require.Equal(t, [][]any{{int64(5), "a", int64(4), int64(5), int64(4), "b"}, {int64(5), "a", int64(4), int64(6), int64(4), "b"}},
		rows(t, db, "SELECT sequence, client, ended_at, late_by, fenced_by, fenced_client FROM stale_writes"))
}

// A history that goes on from a state, as a compacted journal's does, has rows
// for what had begun before, without the events that nobody has any more.
func TestAHistoryThatGoesOnFromAState(t *testing.T) {
	m := fsm.NewMachine(fresh(t, events.Current))
	for _, e := range story(t, events.Current, `["acquire", 0, "a", "L", 50]`, `["acquire", 3, "b", "L", 50]`) {
		m.Apply(e)
	}
	db := export(t, m.State(), story(t, events.Current, `["release", 9, "a", "L"]`, `["acquire", 9, "c", "M", 5]`))
	require.Equal(t, [][]any{
		{"L", int64(1), "a", int64(3), nil, int64(9), int64(3)},
		{"L", int64(2), "b", int64(9), int64(3), nil, nil},
		{"M", int64(1), "c", int64(9), int64(4), nil, nil},
	}, rows(t, db, "SELECT lock, token, client, granted_at, granted_by, ended_at, ended_by FROM leases ORDER BY lock, token"))
	require.Equal(t, [][]any{{"b", int64(3), nil, "granted", int64(2)}}, rows(t, db, "SELECT client, queued_at, queued_by, ending, token FROM waits"))
	require.Equal(t, [][]any{{"a", nil}, {"b", nil}, {"c", int64(4)}}, rows(t, db, "SELECT client, registered_by FROM clients ORDER BY age"))
	require.Equal(t, int64(3), one(t, db, "SELECT value FROM meta WHERE name = 'first_event'"))
	require.Empty(t, rows(t, db, "PRAGMA foreign_key_check"))
	require.Empty(t, rows(t, db, "SELECT * FROM token_gaps"))
}

// What was recorded stands beside what the rules give.
func TestWhatWasRecordedStandsBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	start := fresh(t, events.Current)
	w, err := Create(path, start)
	require.NoError(t, err)
	m := fsm.NewMachine(start)
	e := stepOf(m, events.Inspect{At: 3, Lock: "L"})
	other := fsm.Fingerprint{1, 2, 3}
	e.Recorded = Recorded{SHA256: []byte{0xab, 0xcd}, Fingerprint: &other, AnotherService: true, Clamped: true, Differs: true}
	require.NoError(t, w.Add(e))
	counts, err := w.Finish(nil)
	require.NoError(t, err)
	require.Equal(t, Counts{Events: 1, Differ: 1}, counts)
	require.Equal(t, [][]any{{int64(1), "abcd", nil, other.String(), int64(1)}},
		rows(t, reopened(t, path), "SELECT sequence, recorded_sha256, recorded, recorded_fingerprint, another_service FROM differences"))
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "SQLite format 3\x00", string(again[:16]))
}

// The checks by other means can fail: they find two exclusive leases at once
// and a token that was left out.
func TestTheDoubleChecksFindFaults(t *testing.T) {
	db := export(t, fresh(t, events.Current), story(t, events.Current,
		`["acquire", 0, "a", "L", 10]`, `["acquire", 1, "b", "L", 10]`, `["acquire", 25, "r", "L", 10, "shared"]`, `["inspect", 40, "L"]`))
	overlaps := "SELECT holder, client FROM overlapping_leases"
	require.Empty(t, rows(t, db, overlaps))
	for _, wrong := range []struct{ change, holder, client string }{
		{"UPDATE leases SET ended_at = 11 WHERE client = 'a'", "a", "b"},
		{"UPDATE leases SET ended_at = NULL, mode = 'shared' WHERE client = 'a'", "a", "b"},
		{"UPDATE leases SET granted_at = 19 WHERE client = 'r'", "b", "r"},
	} {
		tx, err := db.Begin()
		require.NoError(t, err)
		_, err = tx.Exec(wrong.change)
		require.NoError(t, err)
		var holder, client string
		require.NoError(t, tx.QueryRow(overlaps).Scan(&holder, &client), wrong.change)
		require.Equal(t, []string{wrong.holder, wrong.client}, []string{holder, client}, wrong.change)
		require.NoError(t, tx.Rollback())
	}
	_, err := db.Exec("UPDATE leases SET token = 7 WHERE client = 'r'")
	require.NoError(t, err)
	require.Equal(t, [][]any{{"L", int64(7), int64(2)}}, rows(t, db, "SELECT lock, token, before FROM token_gaps"))
}
