package coordinator

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// told is a change in one line.
func told(c Change, start time.Time) string {
	return fmt.Sprintf("%v %s token %d at %v until %v", c.Kind, c.ID, c.Token, c.Instant.Sub(start), c.ExpiresAt.Sub(start))
}

// A watch begins with the lease in force and misses nothing after it; lapses
// and hand-overs carry the instants of R3.
func TestWatchTellsWhatHappens(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		start := time.Now()
		first := grant(t, c, "k", 10*time.Second)
		grant(t, c, "another key", time.Second)
		var lines []string
		go func() {
			for change := range c.Watch(t.Context(), "k") {
				lines = append(lines, told(change, start))
			}
		}()
		synctest.Wait()
		time.Sleep(time.Second)
		_, err := c.Renew(t.Context(), "k", first.ID, 10*time.Second)
		require.NoError(t, err)
		second, err := c.Wait(t.Context(), "k", 10*time.Second)
		require.NoError(t, err)
		time.Sleep(time.Second)
		require.NoError(t, c.Release(t.Context(), "k", second.ID))
		synctest.Wait()
		require.NoError(t, c.Close())
		synctest.Wait()
		require.Equal(t, []string{
			"held holder-1#1 token 1 at 0s until 10s",
			"renewed holder-1#1 token 1 at 1s until 11s",
			"expired holder-1#1 token 1 at 11s until 11s",
			"granted holder-2#2 token 2 at 11s until 21s",
			"released holder-2#2 token 2 at 12s until 21s",
		}, lines)
	})
}

// A lapse is told in time although nobody asks for anything.
func TestWatchRingsAtALapse(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		start := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		grant(t, c, "k", 10*time.Second)
		for change := range c.Watch(ctx, "k") {
			if change.Kind == Expired {
				require.Equal(t, 10*time.Second, time.Since(start))
				cancel()
			}
		}
	})
}

// A slow reader holds up nobody and is told how much it missed.
func TestSlowWatcherIsToldWhatItMissed(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		next, done := make(chan bool), make(chan Change)
		go func() {
			for change := range c.Watch(t.Context(), "k") {
				done <- change
				<-next
			}
			close(done)
		}()
		synctest.Wait()
		lease := grant(t, c, "k", time.Hour)
		require.Equal(t, Granted, (<-done).Kind)
		const renewals = 3 * WatchBuffer
		for range renewals {
			_, err := c.Renew(t.Context(), "k", lease.ID, time.Hour)
			require.NoError(t, err)
		}
		next <- true
		first := <-done
		require.EqualValues(t, renewals-WatchBuffer, first.Missed)
		require.EqualValues(t, 1+renewals-WatchBuffer+1, first.Sequence)
		for range WatchBuffer - 1 {
			next <- true
			require.Zero(t, (<-done).Missed)
		}
		require.NoError(t, c.Close())
		next <- true
		_, more := <-done
		require.False(t, more)
	})
}

// Watching keys that nobody uses leaves nothing, and a watch that ends sets no
// alarm any more.
func TestWatchLeavesNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		grant(t, c, "k", time.Second)
		for change := range c.Watch(t.Context(), "k") {
			require.Equal(t, Held, change.Kind)
			require.Equal(t, 1, clock.Alarms())
			break
		}
		require.Zero(t, clock.Alarms())
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan bool)
		go func() {
			for range c.Watch(ctx, "nobody's") {
			}
			close(ended)
		}()
		cancel()
		<-ended
		for range c.Watch(t.Context(), "") {
			t.Fatal("an invalid key yields nothing")
		}
		require.Len(t, c.keys, 1)
	})
}
