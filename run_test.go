package leasekeeper_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// decided is a line of testdata/histories.jsonl: operations, and the answers
// that an independent implementation gave.
type decided struct {
	Name       string
	Operations []json.RawMessage
	Results    []json.RawMessage
}

func histories(t testing.TB) []decided {
	f, err := os.Open("testdata/histories.jsonl")
	require.NoError(t, err)
	defer f.Close()
	var all []decided
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var h decided
		require.NoError(t, json.Unmarshal(lines.Bytes(), &h))
		all = append(all, h)
	}
	require.NoError(t, lines.Err())
	require.Len(t, all, 80)
	return all
}

// Histories that were decided elsewhere are decided alike here.
func TestIndependentlyDecidedHistories(t *testing.T) {
	for _, h := range histories(t) {
		t.Run(h.Name, func(t *testing.T) {
			answers, err := leasekeeper.Run(h.Operations)
			require.NoError(t, err)
			require.Len(t, answers, len(h.Results))
			for i := range answers {
				require.JSONEq(t, string(h.Results[i]), string(answers[i]), "operation %d: %s", i, h.Operations[i])
			}
		})
	}
}

// The invariants hold after every event of these histories, and Apply and
// Machine agree on all of them.
func TestHistoriesKeepTheInvariants(t *testing.T) {
	for _, h := range histories(t) {
		t.Run(h.Name, func(t *testing.T) {
			state, err := fsm.New(events.Current)
			require.NoError(t, err)
			m := fsm.NewMachine(state)
			for _, text := range h.Operations {
				event, err := events.Current.Parse(text)
				require.NoError(t, err)
				var result events.Result
				state, result = fsm.Apply(state, event)
				require.Equal(t, result, m.Apply(event))
				require.NoError(t, fsm.Check(state))
				require.Equal(t, state.Fingerprint(), m.Fingerprint())
			}
			require.NoError(t, fsm.Check(m.State()))
			require.Empty(t, fsm.Diff(state, m.State()))
		})
	}
}
