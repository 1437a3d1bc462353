package fsm_test

import (
	"fmt"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// Numbers of more than one digit, each in its row, in decimal.
func TestDiffCountsInTens(t *testing.T) {
	fresh := after(t, events.Current)
	m := fsm.NewMachine(fresh)
	for i := range 12 {
		m.Apply(events.Acquire{At: 20, Client: fmt.Sprintf("c%02d", i), Lock: "L", TTL: 30, Mode: events.Shared})
	}
	m.Apply(events.Write{At: 20, Lock: "L", Key: "k", Value: "v", Token: 25})
	var rows []string
	for _, d := range fsm.Diff(fresh, m.State()) {
		rows = append(rows, d.String())
	}
	require.Len(t, rows, 3+12+1+12+1+1)
	require.Equal(t, []string{"clock: nothing | 20", "registrations: 0 | 12", "turns: 0 | 12"}, rows[:3])
	require.Equal(t, `age of client "c11": nothing | 12`, rows[14])
	require.Equal(t, `counter of lock "L": nothing | 12`, rows[15])
	require.Equal(t, `lease of lock "L" number 12: nothing | "c11" shared until 50, turn 12`, rows[27])
	require.Equal(t, `mark of lock "L": nothing | 25`, rows[28])
}

// Rows of one kind are told apart by what comes last in their names, on both
// sides.
func TestDiffPairsTheRowsOfOneKind(t *testing.T) {
	write := func(keys ...string) fsm.State {
		var history []events.Event
		for _, key := range keys {
			history = append(history, events.Write{Lock: "L", Key: key, Value: "v", Token: 1})
		}
		return after(t, events.Current, history...)
	}
	require.Equal(t, []fsm.Difference{
		{`value of lock "L" key "a"`, "", `"v"`},
		{`value of lock "L" key "b"`, `"v"`, ""},
		{`value of lock "L" key "d"`, `"v"`, ""},
		{`value of lock "L" key "e"`, "", `"v"`},
		{`value of lock "L" key "f"`, "", `"v"`},
	}, fsm.Diff(write("b", "c", "d"), write("a", "c", "e", "f")))
}
