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

// A schedule is as deep as its largest number needs, and no deeper.
func TestScheduleIsAsDeepAsItMustBe(t *testing.T) {
	for number, bits := range map[uint32]uint{0: 4, 15: 4, 16: 8, 255: 8, 256: 12, 1 << 20: 24, 1<<32 - 1: 32} {
		var s Schedule
		o := NewOwner()
		s.Set(o, number, Due{At: 7, Turn: 1})
		require.Equal(t, bits, s.bits, "number %d", number)
		s.Set(o, 0, Due{At: 9, Turn: 2})
		require.Equal(t, bits, s.bits)
		first, due, ok := s.First()
		require.True(t, ok)
		if number != 0 {
			require.Equal(t, number, first)
			require.Equal(t, Due{At: 7, Turn: 1}, due)
		}
	}
}
