package explain

import (
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// checkTables holds the tables of all locks to the state.
func checkTables(t *rapid.T, s *tale, ts int64, state fsm.State) {
	tables, err := Standing(s.source, "", Place{At: &ts}, Options{})
	require.NoError(t, err)
	require.Equal(t, state.Fingerprint(), tables.State.Fingerprint())
	rows := map[string]Lock{}
	for _, l := range tables.Locks {
		rows[l.Name] = l
		facts := l.Holders
		for i, w := range l.Waiters {
			facts = append(facts, w.Fact)
			require.Equal(t, len(state.WaitsFor(w.Client)), len(l.Holders)+i)
			require.NotEmpty(t, w.Behind)
			require.Subset(t, state.WaitsFor(w.Client), w.Behind)
		}
		s.check(t, facts, state, s.source.Last())
	}
	for _, lock := range s.world.Locks {
		require.Len(t, rows[lock].Holders, len(state.Holders(lock)))
		require.Len(t, rows[lock].Waiters, len(state.Queue(lock)))
	}
}
