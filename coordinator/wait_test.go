package coordinator

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// bubble tells a story under the system's clock, whose time passes only while
// everybody waits.
func bubble(t *testing.T, story func(t *testing.T, c *Coordinator)) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(WithDefaultMargin(0))
		require.NoError(t, err)
		story(t, c)
		tidy(t, c, nil)
	})
}

// R3, R4: waiters get the key in the order of their coming, each at the
// instant at which the lease before it ends.
func TestWaitersAreServedInOrder(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		first := grant(t, c, "k", 10*time.Second)
		got := make(chan *Lease, 3)
		for i := range 3 {
			go func() {
				lease, err := c.Wait(t.Context(), "k", time.Duration(i+1)*time.Second)
				require.NoError(t, err)
				got <- lease
			}()
			synctest.Wait()
		}
		_, err := c.Grant(t.Context(), "k", time.Second)
		require.ErrorIs(t, err, ErrLeaseHeld)
		end := first.ExpiresAt
		for i := range 3 {
			lease := <-got
			require.EqualValues(t, i+2, lease.Token)
			require.Equal(t, end, lease.Since)
			require.True(t, time.Now().Equal(end), "nobody waits longer than needed")
			require.Equal(t, time.Duration(i+1)*time.Second, lease.Timeout)
			end = end.Add(lease.Timeout)
			require.Equal(t, end, lease.ExpiresAt)
		}
	})
}

// R7: a release hands over at once.
func TestReleaseHandsOver(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		first := grant(t, c, "k", time.Hour)
		got := make(chan *Lease)
		go func() {
			lease, err := c.Wait(t.Context(), "k", time.Minute)
			require.NoError(t, err)
			got <- lease
		}()
		synctest.Wait()
		time.Sleep(time.Second)
		require.NoError(t, c.Release(t.Context(), "k", first.ID))
		lease := <-got
		require.Equal(t, first.Since.Add(time.Second), lease.Since)
		require.True(t, c.CheckToken("k", 2))
		require.NoError(t, c.Release(t.Context(), "k", lease.ID))
	})
}

// A free key needs no waiting.
func TestWaitTakesAFreeKey(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		lease, err := c.Wait(t.Context(), "k", time.Second)
		require.NoError(t, err)
		require.EqualValues(t, 1, lease.Token)
		require.Zero(t, clock.Alarms())
	})
}

// R13: a context that ends takes the request out of the queue; those behind it
// move up, and no token is used up.
func TestContextThatEndsLeavesNoGhost(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		first := grant(t, c, "k", 10*time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		gone, got := make(chan error), make(chan *Lease)
		go func() {
			_, err := c.Wait(ctx, "k", time.Hour)
			gone <- err
		}()
		synctest.Wait()
		go func() {
			lease, err := c.Wait(t.Context(), "k", time.Minute)
			require.NoError(t, err)
			got <- lease
		}()
		require.ErrorIs(t, <-gone, context.DeadlineExceeded)
		require.True(t, time.Now().Equal(first.Since.Add(3*time.Second)))
		lease := <-got
		require.EqualValues(t, 2, lease.Token)
		require.Equal(t, first.ExpiresAt, lease.Since)
	})
}

// The context ends in the moment of the hand-over: either the caller has the
// lease, or nobody has it.
func TestContextEndsAtTheHandOver(t *testing.T) {
	outcomes := map[bool]int{}
	for range 50 {
		bubble(t, func(t *testing.T, c *Coordinator) {
			grant(t, c, "k", time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			lease, err := c.Wait(ctx, "k", time.Hour)
			outcomes[err == nil]++
			token, held := c.Token("k")
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.False(t, held)
				return
			}
			require.True(t, held)
			require.Equal(t, lease.Token, token)
		})
	}
	t.Log("lease kept or not:", outcomes)
}

// A waiter whose lease would have ended before it could be told asks again.
func TestWaiterThatMissedItsTurnAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewManualClock(noon)
		c, err := New(WithClock(clock), WithDefaultMargin(0))
		require.NoError(t, err)
		grant(t, c, "k", 10*time.Second)
		got := make(chan *Lease)
		go func() {
			lease, err := c.Wait(t.Context(), "k", time.Second)
			require.NoError(t, err)
			got <- lease
		}()
		synctest.Wait()
		late(clock, noon.Add(15*time.Second))
		require.False(t, c.CheckToken("k", 2))
		clock.Advance(0)
		lease := <-got
		require.EqualValues(t, 3, lease.Token, "token 2 was used up (R3)")
		require.Equal(t, noon.Add(15*time.Second), lease.Since)
		tidy(t, c, clock)
	})
}

// A check between the end of a lease and the alarm knows the next holder (R3).
func TestCheckBeforeTheHandOverIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := NewManualClock(noon)
		c, err := New(WithClock(clock), WithDefaultMargin(0))
		require.NoError(t, err)
		grant(t, c, "k", 10*time.Second)
		go func() { _, _ = c.Wait(t.Context(), "k", 10*time.Second) }()
		synctest.Wait()
		late(clock, noon.Add(11*time.Second))
		sequence := c.machine.Sequence()
		require.True(t, c.CheckToken("k", 2))
		require.False(t, c.CheckToken("k", 1))
		require.Equal(t, sequence, c.machine.Sequence(), "a check is no event")
		_, err = c.Grant(t.Context(), "k", time.Second)
		require.ErrorIs(t, err, ErrLeaseHeld)
		synctest.Wait() // the Grant has noticed
		tidy(t, c, clock)
	})
}

// late moves a clock on without ringing, as if its alarms were late.
func late(clock *ManualClock, to time.Time) {
	clock.mu.Lock()
	defer clock.mu.Unlock()
	clock.now = to
}

// Done is closed by a lapse, put off by a renewal, closed at once by a release.
func TestDone(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		start := time.Now()
		lapses := grant(t, c, "lapses", 10*time.Second)
		<-lapses.Done()
		require.Equal(t, 10*time.Second, time.Since(start))
		require.True(t, closed(lapses.Done()), "it stays closed")

		renewed := grant(t, c, "renewed", 10*time.Second)
		start = time.Now()
		done := renewed.Done()
		time.Sleep(5 * time.Second)
		again, err := c.Renew(t.Context(), "renewed", renewed.ID, 10*time.Second)
		require.NoError(t, err)
		require.Equal(t, done, again.Done())
		<-done
		require.Equal(t, 15*time.Second, time.Since(start))

		released := grant(t, c, "released", time.Hour)
		done = released.Done()
		require.False(t, closed(done))
		require.NoError(t, c.Release(t.Context(), "released", released.ID))
		require.True(t, closed(done))
	})
}

// Whoever notices the end closes Done before he tells.
func TestDoneIsClosedBeforeTheNextGrant(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		for _, notice := range []func(){
			func() { require.False(t, c.CheckToken("k", 1)) },
			func() { grant(t, c, "k", time.Second) },
		} {
			lease := grant(t, c, "k", time.Second)
			done := lease.Done()
			require.Equal(t, 1, clock.Alarms())
			late(clock, lease.ExpiresAt)
			notice()
			require.True(t, closed(done))
		}
	})
}

// Closing sends those who wait home, and leaves no request and no timer.
func TestCloseEndsEveryWait(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		lease := grant(t, c, "k", time.Hour)
		done := lease.Done()
		errs := make(chan error)
		for range 5 {
			go func() { _, err := c.Wait(t.Context(), "k", time.Hour); errs <- err }()
		}
		synctest.Wait()
		require.NoError(t, c.Close())
		for range 5 {
			require.ErrorIs(t, <-errs, ErrClosed)
		}
		require.True(t, closed(done))
		_, err := c.Grant(t.Context(), "other", time.Second)
		require.ErrorIs(t, err, ErrClosed)
		require.ErrorIs(t, c.Release(t.Context(), "k", lease.ID), ErrClosed)
		require.False(t, c.CheckToken("k", 1))
		require.ErrorIs(t, c.Err(), ErrClosed)
	})
}

// Many wait for many keys, and many give up. In the end everything is as if
// those had never come.
func TestManyWaitersOfWhomManyGiveUp(t *testing.T) {
	bubble(t, func(t *testing.T, c *Coordinator) {
		const keys, each = 5, 40
		results := make(chan error, keys*each)
		for i := range keys * each {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%7+1)*100*time.Millisecond)
				defer cancel()
				key := fmt.Sprint("k", i%keys)
				lease, err := c.Wait(ctx, key, time.Second)
				if err == nil {
					time.Sleep(30 * time.Millisecond)
					err = c.Release(t.Context(), key, lease.ID)
				}
				results <- err
			}()
		}
		served := 0
		for range keys * each {
			if err := <-results; err == nil {
				served++
			} else {
				require.True(t, errors.Is(err, context.DeadlineExceeded), "%v", err)
			}
		}
		require.Greater(t, served, keys*10)
		for i := range keys {
			_, held := c.Token(fmt.Sprint("k", i))
			require.False(t, held)
		}
	})
}
