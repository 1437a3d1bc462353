package projection_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

// Who held the lock, and which write came too late?
func Example() {
	state, _ := fsm.New(events.Current)
	timeline := projection.CollectTimeline(state, projection.Filter{Locks: []string{"exports"}})
	fencing := projection.NewFencing(state, projection.FencingOptions{
		Write: func(w projection.FencedWrite) { fmt.Println(w.String()) },
	})
	projection.Fold(state, func(yield func(events.Event) bool) {
		_ = yield(events.Acquire{At: 0, Client: "a", Lock: "exports", TTL: 10, Mode: events.Exclusive}) &&
			yield(events.Acquire{At: 1, Client: "b", Lock: "exports", TTL: 10, Mode: events.Exclusive}) &&
			yield(events.Write{At: 12, Lock: "exports", Key: "k", Value: "v", Token: 1})
	}, timeline, fencing)
	rows := timeline.Rows()
	for _, l := range rows.HoldersAt("exports", 11) {
		fmt.Println(l.String())
	}
	// Output:
	// exports key k token 1 at t=12 #3: accepted (mark 0); lease over, a until t=10 #3 (expiry); held by b (token 2)
	// exports token 2: b exclusive from t=10 #3 (expiry), in force until 20
}

// replayInto feeds a projection from a journal, from its beginning or from a
// state on.
func replayInto(j journal.Journal, from *fsm.State, p projection.Projection) (fsm.State, error) {
	return leasekeeper.Replay(j, leasekeeper.ReplayOptions{From: from, Each: func(s *leasekeeper.Step) error {
		step := projection.Step{Event: s.Event, Result: s.Result}
		step.Clock, step.Started = s.Clock()
		p.Apply(&step)
		return nil
	}})
}

// A journal's replay feeds projections, from the beginning or from a state of
// the past.
func TestJournalsCanBeFolded(t *testing.T) {
	genesis, err := journal.NewGenesis(events.Current, strings.NewReader("sixteen bytes id"))
	require.NoError(t, err)
	j, err := journal.NewMemory(genesis)
	require.NoError(t, err)
	keeper, err := leasekeeper.Keep(j, leasekeeper.Options{})
	require.NoError(t, err)
	defer keeper.Close()
	for _, text := range []string{
		`["acquire",0,"a","L",10]`, `["acquire",1,"b","L",10]`, `["acquire",2,"c","L",10]`, `["inspect",25,"L"]`,
	} {
		_, err := keeper.DoJSON(context.Background(), []byte(text))
		require.NoError(t, err)
	}

	whole := projection.CollectTimeline(fresh(t), projection.Filter{})
	_, err = replayInto(j, nil, whole)
	require.NoError(t, err)
	past, err := keeper.AsOf(2)
	require.NoError(t, err)
	rest := projection.CollectTimeline(past, projection.Filter{})
	_, err = replayInto(j, &past, rest)
	require.NoError(t, err)

	all, some := whole.Rows(), rest.Rows()
	require.Len(t, all.Leases, 3)
	require.True(t, some.Leases[0].Began.Earlier())
	require.Equal(t, all.Leases[1:], some.Leases[1:])
	require.Equal(t, "t=20 #4", all.Leases[2].Began.String())
}
