package fsm

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// A cascade in which every cycle goes through a third client: the requester
// waits for the readers of S, each of them for a middleman, and the middlemen
// for the requester. The youngest is aborted while it is still on a cycle, and
// to find that it is takes no new search (R18). The middlemen are not the only
// ones that are waited for: one who sits beside them waits for nobody, and two
// wait for somebody who has nothing to do with it.
func TestCascadeThroughMiddlemenIsLinear(t *testing.T) {
	const n = 400
	m := machine(t)
	m.take("requester", "own", events.Exclusive)
	for i := range n {
		for _, client := range []string{"idle", name("middleman", i), "stuck", "too"} {
			m.take(client, name("M", i), events.Shared)
		}
	}
	m.take("stranger", "Z", events.Exclusive)
	m.take("stuck", "Z", events.Shared)
	m.take("too", "Z", events.Shared)
	want := make([]string, n)
	for i := range n {
		want[n-1-i] = name("reader", i)
		m.take(name("reader", i), "S", events.Shared)
		m.take(name("reader", i), name("M", i), events.Exclusive)
	}
	for i := range n {
		m.take(name("middleman", i), "own", events.Exclusive)
	}
	m.visited = 0
	require.Equal(t, events.Granted{Token: n + 1, ExpiresAt: long, Victims: want}, m.take("requester", "S", events.Exclusive))
	require.LessOrEqual(t, m.visited, 2*(2*n+4), "one search")
	require.NoError(t, Check(m.State()))
}

// A cascade of those who stand ahead in the queue that the requester joins:
// they wait for its holder, who waits for the requester (R16, second example of
// R18).
func TestCascadeOfThoseAheadIsLinear(t *testing.T) {
	const n = 400
	m := machine(t)
	m.take("requester", "own", events.Exclusive)
	m.take("holder", "L", events.Exclusive)
	want := []string{"holder"}
	for i := range n {
		want = append([]string{name("ahead", i)}, want...)
		m.take(name("ahead", i), "L", events.Exclusive)
	}
	m.take("holder", "own", events.Exclusive)
	m.visited = 0
	require.Equal(t, events.Granted{Token: 2, ExpiresAt: long, Victims: want}, m.take("requester", "L", events.Exclusive))
	require.LessOrEqual(t, m.visited, 2*(n+1), "one search")
}
