package fsm_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// R5: what was given out stays given out, also while nobody holds the lock; and
// what the store has accepted is another matter (R6).
func TestIssuedTokensAreCountedForEachLock(t *testing.T) {
	s := after(t, events.Current,
		events.Acquire{At: 0, Client: "a", Lock: "L", TTL: 5, Mode: events.Exclusive},
		events.Acquire{At: 9, Client: "b", Lock: "L", TTL: 5, Mode: events.Exclusive},
		events.Acquire{At: 9, Client: "a", Lock: "M", TTL: 5, Mode: events.Exclusive},
		events.Write{At: 9, Lock: "L", Key: "k", Value: "v", Token: 7},
		events.Write{At: 9, Lock: "N", Key: "k", Value: "v", Token: 3},
	).At(90)
	require.EqualValues(t, 2, s.Issued("L"))
	require.EqualValues(t, 1, s.Issued("M"))
	require.EqualValues(t, 0, s.Issued("N"))
	require.EqualValues(t, 0, s.Issued("nobody's"))
	require.EqualValues(t, 7, s.Mark("L"))
}
