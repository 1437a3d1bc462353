package coordinator

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// R26: a clock that goes back is held, so no lease comes back with it.
func TestClockThatGoesBackIsHeld(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		lease := grant(t, c, "k", 5*time.Second)
		clock.Set(lease.ExpiresAt)
		require.False(t, c.CheckToken("k", 1))
		require.Zero(t, c.ClockWentBack())
		clock.Advance(-5 * time.Second)
		require.False(t, c.CheckToken("k", 1), "it has ended once and for all")
		next := grant(t, c, "k", 5*time.Second)
		require.Equal(t, lease.ExpiresAt, next.Since)
		require.EqualValues(t, 2, c.ClockWentBack())
		clock.Set(time.Time{})
		require.True(t, c.CheckToken("k", 2))
		clock.Set(time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC))
		require.True(t, c.CheckToken("k", 2), "out of range counts as gone back")
		require.EqualValues(t, 4, c.ClockWentBack())
		clock.Set(next.ExpiresAt)
		require.False(t, c.CheckToken("k", 2))
		require.EqualValues(t, 4, c.ClockWentBack())
	})
}

// Options are judged when the coordinator is made.
func TestOptionsAreJudged(t *testing.T) {
	for _, option := range []Option{
		WithClock(nil), WithJournal(nil), WithClock(NewManualClock(time.Time{})),
	} {
		_, err := New(option)
		require.ErrorIs(t, err, ErrOptions)
	}
	for _, margin := range []time.Duration{-1, 24 * time.Hour} {
		_, err := New(WithDefaultMargin(margin))
		require.ErrorIs(t, err, ErrInvalidMargin)
	}
	c, err := New(WithClock(NewManualClock(noon)), WithDefaultMargin(0))
	require.NoError(t, err)
	require.Equal(t, noon.Add(time.Second), grant(t, c, "k", time.Second).ExpiresAt)
}

// Alarms ring in the order of their instants, with the clock there.
func TestManualClockRingsInOrder(t *testing.T) {
	clock := NewManualClock(noon)
	var rung []time.Duration
	ring := func() { rung = append(rung, clock.Now().Sub(noon)) }
	clock.AlarmAt(noon.Add(3), ring)
	clock.AlarmAt(noon.Add(1), func() { ring(); clock.AlarmAt(noon.Add(2), ring) })
	stop := clock.AlarmAt(noon.Add(1), ring)
	require.Equal(t, 3, clock.Alarms())
	require.True(t, stop())
	require.False(t, stop())
	clock.Advance(2)
	require.Equal(t, []time.Duration{1, 2}, rung)
	clock.Advance(10)
	require.Equal(t, []time.Duration{1, 2, 3}, rung)
	require.Equal(t, noon.Add(12), clock.Now())
	clock.Set(noon)
	require.Equal(t, noon, clock.Now())
}

// onlyNow is a clock that cannot ring, and runs at half the system's pace.
type onlyNow struct{ start time.Time }

func (c onlyNow) Now() time.Time { return c.start.Add(time.Since(c.start) / 2) }

// Who brings a clock without alarms waits too: timers of the system ask it.
func TestClockWithoutAlarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := onlyNow{time.Now()}
		c, err := New(WithClock(clock), WithDefaultMargin(0))
		require.NoError(t, err)
		first := grant(t, c, "k", 10*time.Second)
		next, err := c.Wait(t.Context(), "k", 10*time.Second)
		require.NoError(t, err)
		require.Equal(t, first.ExpiresAt, next.Since)
		require.WithinDuration(t, next.Since, clock.Now(), time.Millisecond)
		<-next.Done()
		require.False(t, clock.Now().Before(next.ExpiresAt))
		tidy(t, c, nil)
	})
}

// A clock that shows what does not count is not asked without a pause.
func TestUnusableClockIsGivenTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewManualClock(noon)
		c, err := New(WithClock(clock))
		require.NoError(t, err)
		lease := grant(t, c, "k", time.Second)
		done := lease.Done()
		late(clock, time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC))
		clock.Advance(0)
		time.Sleep(time.Second)
		require.False(t, closed(done))
		require.LessOrEqual(t, c.ClockWentBack(), uint64(1+time.Second/leastTimer))
		clock.Set(lease.ExpiresAt)
		time.Sleep(time.Second)
		require.True(t, closed(done))
		tidy(t, c, clock)
	})
}
