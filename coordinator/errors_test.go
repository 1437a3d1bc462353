package coordinator

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// R2: who asks for too long is told what is allowed.
func TestABadTimeoutSaysWhatIsAllowed(t *testing.T) {
	c, err := New(WithClock(NewManualClock(noon)))
	require.NoError(t, err)
	_, err = c.Grant(t.Context(), "k", 48*time.Hour)
	require.ErrorIs(t, err, ErrInvalidTimeout)
	require.EqualError(t, err, `coordinator: invalid timeout: 48h0m0s with a margin of 1s; `+
		`the timeout has to be more than 0, and timeout + margin at most 24h0m0s (grant of "k")`)
	_, err = c.Grant(t.Context(), "k", time.Second, -1)
	require.EqualError(t, err, `coordinator: invalid margin: -1ns is less than 0 (grant of "k")`)
}

// A wait that its context ends says for which key it was, whether it stood in
// line or had not begun.
func TestAWaitThatEndsNamesItsKey(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, _ *ManualClock) {
		grant(t, c, "k", time.Minute)
		wait := func(ctx context.Context, want error) {
			_, err := c.Wait(ctx, "k", time.Second)
			require.ErrorIs(t, err, want)
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, Error{Op: "wait", Key: "k", Err: want}, *e)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		wait(ctx, context.DeadlineExceeded)
		wait(ctx, context.DeadlineExceeded)
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		wait(ctx, context.Canceled)
		_, err := c.Wait(ctx, "k", time.Second)
		require.EqualError(t, err, `coordinator: context canceled (wait of "k")`)
	})
}

// The token in an error is that of a lease in force, or of the one that has
// expired: never one that was released.
func TestTheTokenInAnErrorIsInTheWay(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		refused := func(id string, want error) (token uint64, end time.Time) {
			_, err := c.Renew(t.Context(), "k", id, time.Second)
			require.ErrorIs(t, err, want)
			var e, released *Error
			require.True(t, errors.As(err, &e))
			require.ErrorAs(t, c.Release(t.Context(), "k", id), &released)
			require.Equal(t, e.Token, released.Token)
			return e.Token, e.ExpiresAt
		}
		old := grant(t, c, "k", time.Second)
		clock.Set(old.ExpiresAt)
		token, end := refused(old.ID, ErrLeaseExpired)
		require.EqualValues(t, 1, token)
		require.Equal(t, old.ExpiresAt, end)

		next := grant(t, c, "k", time.Second)
		token, end = refused(old.ID, ErrLeaseNotFound)
		require.EqualValues(t, 2, token, "the next leader is in the way")
		require.Equal(t, next.ExpiresAt, end)

		require.NoError(t, c.Release(t.Context(), "k", next.ID))
		for _, id := range []string{old.ID, next.ID} {
			token, end = refused(id, ErrLeaseNotFound)
			require.Zero(t, token, "it was released")
			require.Zero(t, end)
		}
		last := grant(t, c, "k", time.Second)
		clock.Set(last.ExpiresAt)
		token, _ = refused(old.ID, ErrLeaseNotFound)
		require.Zero(t, token, "what has expired is not in the way of another lease")
	})
}
