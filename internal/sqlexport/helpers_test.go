package sqlexport

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

// export makes a database of events that go on from a state.
func export(t testing.TB, start fsm.State, list []events.Event) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a?b#c%41.db")
	w, err := Create(path, start)
	require.NoError(t, err)
	defer w.Close()
	m := fsm.NewMachine(start)
	for _, e := range list {
		require.NoError(t, w.Add(stepOf(m, e)))
	}
	_, err = w.Finish(nil)
	require.NoError(t, err)
	return reopened(t, path)
}

func stepOf(m *fsm.Machine, e events.Event) *Event {
	step := &Event{Step: projection.Step{Event: e, Result: m.Apply(e)}}
	step.Clock, step.Started = m.Clock()
	step.Fingerprint = m.Fingerprint()
	return step
}

func reopened(t testing.TB, path string) *sql.DB {
	t.Helper()
	name, err := address(path)
	require.NoError(t, err)
	db, err := sql.Open("sqlite", name)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// rows are the rows of a query, as the driver gives them.
func rows(t testing.TB, db *sql.DB, query string, arguments ...any) (all [][]any) {
	t.Helper()
	found, err := db.Query(query, arguments...)
	require.NoError(t, err, query)
	defer found.Close()
	columns, err := found.Columns()
	require.NoError(t, err)
	for found.Next() {
		row, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		require.NoError(t, found.Scan(to...))
		all = append(all, row)
	}
	require.NoError(t, found.Err())
	return all
}

// one is the only value of a query.
func one(t testing.TB, db *sql.DB, query string, arguments ...any) any {
	t.Helper()
	found := rows(t, db, query, arguments...)
	require.Len(t, found, 1, query)
	return found[0][0]
}

func fresh(t testing.TB, rules events.Rules) fsm.State {
	t.Helper()
	s, err := fsm.New(rules)
	require.NoError(t, err)
	return s
}

// generated is a history of all kinds of operations.
func generated(t testing.TB, seed uint64, n int) history.History {
	t.Helper()
	profile, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	return history.Generate(history.DrawRules(seed), profile, seed, n)
}

// story is a history, an operation a line.
func story(t testing.TB, rules events.Rules, lines ...string) (list []events.Event) {
	t.Helper()
	for _, line := range lines {
		e, err := rules.Parse([]byte(line))
		require.NoError(t, err)
		list = append(list, e)
	}
	return list
}
