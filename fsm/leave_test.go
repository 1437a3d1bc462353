package fsm

import (
	"iter"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// Whatever yields rows stops when nobody wants more of them, at any row.
func TestLooksMayBeLeft(t *testing.T) {
	m := sound(t)
	s := m.State()
	leaveEarly(t, 4+7+14, rows(s)) // of the whole, clients, locks
	leaveEarly(t, 4, s.Locks())
	leaveEarly(t, 7, s.Clients())
	leaveEarly(t, 3, m.lockNamed("shared").leases())
	leaveEarly(t, 1, m.lockNamed("excl").leases())
	leaveEarly(t, 0, m.lockNamed("idle").leases())
	leaveEarly(t, 2, m.clientNamed("amy").held())
	leaveEarly(t, 0, m.clientNamed("fay").held())
	m = machine(t)
	for i := range 4 {
		m.take("rich", name("own", i), events.Shared)
	}
	leaveEarly(t, 4, m.clientNamed("rich").held())
}

func leaveEarly[T any](t *testing.T, n int, all iter.Seq[T]) {
	for stop := range n + 1 {
		seen := 0
		for range all {
			if seen == stop {
				break
			}
			seen++
		}
		require.Equal(t, stop, seen)
	}
	seen := 0
	for range all {
		seen++
	}
	require.Equal(t, n, seen)
}
