package persist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An empty schedule knows of no number, not of 0 either; and to clear what was
// never set leaves it empty.
func TestEmptySchedule(t *testing.T) {
	var s Schedule
	for _, number := range []uint32{0, 1, fan, 1 << 31} {
		_, due := s.At(number)
		require.False(t, due)
	}
	_, _, any := s.First()
	require.False(t, any)
	s.Clear(NewOwner(), 3)
	for _, number := range []uint32{0, 3, fan} {
		_, due := s.At(number)
		require.False(t, due)
	}
	_, _, any = s.First()
	require.False(t, any)
}
