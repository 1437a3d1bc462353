package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// R27: a single victim counts too, whatever the answer that names it: alice gets
// the lock of bob, who is younger (R18).
func TestRepeatCountsASingleVictim(t *testing.T) {
	s := after(t, events.Current,
		events.Acquire{At: 0, Client: "alice", Lock: "L1", TTL: 100, Mode: events.Exclusive},
		events.Acquire{At: 1, Client: "bob", Lock: "L2", TTL: 100, Mode: events.Exclusive},
		events.Acquire{At: 2, Client: "bob", Lock: "L1", TTL: 100, Mode: events.Exclusive},
	)
	_, result := fsm.Apply(s, events.Repeat{At: 3, Count: 1, Template: `["acquire","alice","L2",100]`})
	require.Equal(t, events.Tally{Ops: 1, Results: []events.Count{{Answer: "aborted", Times: 1}, {Answer: "granted", Times: 1}}}, result.Answer)
}
