package coordinator

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// R5: whether a lease is released or expires, the next token is one more, and
// keys count on their own.
func TestTokensIncreaseOverReleaseAndExpiry(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		for cycle := range 5 {
			lease := grant(t, c, "exports", 5*time.Second)
			require.EqualValues(t, cycle+1, lease.Token)
			if cycle%2 == 0 {
				require.NoError(t, c.Release(t.Context(), "exports", lease.ID))
			} else {
				clock.Advance(6 * time.Second)
			}
		}
		require.EqualValues(t, 1, grant(t, c, "imports", time.Second).Token)
		require.EqualValues(t, 6, grant(t, c, "exports", time.Second).Token)
	})
}

// Of 64 that ask at one instant, one gets the key.
func TestSingleWinner(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, _ *ManualClock) {
		var group sync.WaitGroup
		var won, lost atomic.Int32
		var winner atomic.Pointer[Lease]
		for range 64 {
			group.Go(func() {
				lease, err := c.Grant(t.Context(), "leader", time.Second)
				switch {
				case err == nil:
					won.Add(1)
					winner.Store(lease)
				case errors.Is(err, ErrLeaseHeld):
					lost.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, won.Load())
		require.EqualValues(t, 63, lost.Load())
		require.EqualValues(t, 1, winner.Load().Token)
		require.True(t, c.CheckToken("leader", 1))
	})
}

// A refusal says who is in the way and until when.
func TestHeldKeyIsRefusedWithItsLease(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		lease := grant(t, c, "k", 5*time.Second)
		clock.Advance(time.Second)
		_, err := c.Acquire(t.Context(), "k", time.Second)
		var refusal *Error
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, Error{
			Op: "grant", Key: "k", Instant: noon.Add(time.Second),
			Token: 1, ExpiresAt: lease.ExpiresAt, Err: ErrLeaseHeld,
		}, *refusal)
		require.EqualError(t, err, `coordinator: the key is held (grant of "k" at 2030-06-01T12:00:01Z; token 1 until 2030-06-01T12:00:06Z)`)
	})
}

// A grant that was long on its way is dated when it is carried out: the lease
// is a whole one, and one that comes meanwhile finds it.
func TestDelayedGrantUsesProcessingTime(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		clock.Advance(time.Hour) // between sending and receiving
		lease := grant(t, c, "k", 5*time.Second, 2*time.Second)
		require.Equal(t, noon.Add(time.Hour), lease.Since)
		require.Equal(t, noon.Add(time.Hour+7*time.Second), lease.ExpiresAt)
		require.Equal(t, [2]time.Duration{5 * time.Second, 2 * time.Second}, [2]time.Duration{lease.Timeout, lease.Margin})
		clock.Advance(7*time.Second - 1)
		_, err := c.Grant(t.Context(), "k", time.Second)
		require.ErrorIs(t, err, ErrLeaseHeld)
		require.True(t, c.CheckToken("k", 1))
		clock.Advance(1) // R2: the end is not part of the lease
		require.False(t, c.CheckToken("k", 1))
		require.EqualValues(t, 2, grant(t, c, "k", time.Second).Token)
	})
}

// A context that has ended issues nothing: the next token is the first.
func TestCancelledContextsIssueNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, _ *ManualClock) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Grant(ctx, "k", time.Second)
		require.ErrorIs(t, err, context.Canceled)
		_, err = c.Wait(ctx, "k", time.Second)
		require.ErrorIs(t, err, context.Canceled)
		for range c.Watch(ctx, "k") {
			t.Fatal("a watch that has ended yields nothing")
		}
		require.Empty(t, c.keys)
		lease := grant(t, c, "k", time.Second)
		require.EqualValues(t, 1, lease.Token)
		_, err = c.Renew(ctx, "k", lease.ID, time.Hour)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, c.Release(ctx, "k", lease.ID), context.Canceled)
		require.True(t, c.CheckToken("k", 1))
	})
}

// Bad arguments are refused before anything is looked at, and leave nothing.
func TestBadArguments(t *testing.T) {
	c, err := New(WithClock(NewManualClock(noon)))
	require.NoError(t, err)
	list := []struct {
		key     string
		timeout time.Duration
		margins []time.Duration
		want    error
	}{
		{"k", 0, nil, ErrInvalidTimeout},
		{"k", -time.Second, nil, ErrInvalidTimeout},
		{"k", 24 * time.Hour, nil, ErrInvalidTimeout}, // R2: with the margin more than a day
		{"k", 1<<63 - 1, []time.Duration{1<<63 - 1}, ErrInvalidTimeout},
		{"k", time.Second, []time.Duration{-1}, ErrInvalidMargin},
		{"k", time.Second, []time.Duration{0, 0}, ErrInvalidMargin},
		{"", time.Second, nil, ErrInvalidKey},
		{"\xff", time.Second, nil, ErrInvalidKey}, // R25
		{strings.Repeat("k", MaxKey+1), time.Second, nil, ErrInvalidKey},
	}
	for _, bad := range list {
		for name, ask := range map[string]func() error{
			"grant": func() error { _, err := c.Grant(t.Context(), bad.key, bad.timeout, bad.margins...); return err },
			"wait":  func() error { _, err := c.Wait(t.Context(), bad.key, bad.timeout, bad.margins...); return err },
			"renew": func() error {
				_, err := c.Renew(t.Context(), bad.key, "id", bad.timeout, bad.margins...)
				return err
			},
		} {
			err := ask()
			require.ErrorIs(t, err, bad.want, "%s %v", name, bad)
			require.Less(t, len(err.Error()), 500)
		}
		require.False(t, c.CheckToken(bad.key, 1))
	}
	require.ErrorIs(t, c.Release(t.Context(), "", "id"), ErrInvalidKey)
	require.Empty(t, c.keys)
	require.Zero(t, c.machine.Sequence())
	lease := grant(t, c, "k", 24*time.Hour, 0)
	require.Equal(t, noon.Add(24*time.Hour), lease.ExpiresAt, "a day is allowed")
}

// A key that has had all its tokens gives no more, and says so to those who
// wait as well.
func TestTokenSpaceExhausted(t *testing.T) {
	restorer, err := fsm.NewRestorer(fsm.Whole{Rules: rules, Sequence: 1, Clock: noon.UnixNano(), Started: true})
	require.NoError(t, err)
	require.NoError(t, restorer.Lock(fsm.LockRow{Name: "k", Counter: int64(MaxToken) - 2}))
	state, err := restorer.Finish()
	require.NoError(t, err)
	clock := NewManualClock(noon)
	c, err := newCoordinator(options{clock: clock, margin: 0}, state)
	require.NoError(t, err)
	require.Equal(t, MaxToken-1, grant(t, c, "k", time.Second).Token)
	clock.Advance(time.Second)
	last := grant(t, c, "k", time.Second)
	require.Equal(t, MaxToken, last.Token)
	_, err = c.Wait(t.Context(), "k", time.Second)
	require.ErrorIs(t, err, ErrTokenSpaceExhausted)
	clock.Advance(time.Second)
	_, err = c.Grant(t.Context(), "k", time.Second)
	require.ErrorIs(t, err, ErrTokenSpaceExhausted)
	require.EqualValues(t, 1, grant(t, c, "other", time.Second).Token)
}

// Names of clients are used again, so a state does not grow with its leases.
func TestStateDoesNotGrowWithLeases(t *testing.T) {
	c, err := New(WithClock(NewManualClock(noon)))
	require.NoError(t, err)
	ids := map[string]bool{}
	for range 1000 {
		lease := grant(t, c, "k", time.Second)
		require.False(t, ids[lease.ID], "no ID comes twice")
		ids[lease.ID] = true
		require.NoError(t, c.Release(t.Context(), "k", lease.ID))
	}
	clients := 0
	for range stateOf(c).Clients() {
		clients++
	}
	require.Equal(t, 1, clients)
}
