package coordinator

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A millisecond late: nothing changes, and the next token is one more.
func TestLateRenewalChangesNothing(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		lease := grant(t, c, "k", 5*time.Second)
		clock.Set(lease.ExpiresAt.Add(time.Millisecond))
		for range 2 {
			_, err := c.Renew(t.Context(), "k", lease.ID, time.Minute)
			require.ErrorIs(t, err, ErrLeaseExpired)
			require.ErrorIs(t, c.Release(t.Context(), "k", lease.ID), ErrLeaseExpired)
		}
		require.False(t, c.CheckToken("k", 1))
		next := grant(t, c, "k", 5*time.Second)
		require.EqualValues(t, 2, next.Token, "refusals use up no token")
		require.Equal(t, clock.Now().Add(6*time.Second), next.ExpiresAt)
	})
}

// A renewal of the lease before does not touch the one in force, although it
// may stand under the same client's name.
func TestRenewalRacingANewGrant(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		old := grant(t, c, "k", 5*time.Second)
		clock.Set(old.ExpiresAt)
		next := grant(t, c, "k", 5*time.Second)
		_, err := c.Extend(t.Context(), "k", old.ID, time.Hour)
		require.ErrorIs(t, err, ErrLeaseNotFound)
		require.ErrorIs(t, c.Release(t.Context(), "k", old.ID), ErrLeaseNotFound)
		require.True(t, c.ValidateToken("k", next.Token))
		clock.Set(next.ExpiresAt.Add(-1))
		require.True(t, c.CheckToken("k", next.Token))
		clock.Advance(1)
		require.False(t, c.CheckToken("k", next.Token), "its end is still its own")
	})
}

// A released lease, one of another key, and one that never was are not found.
func TestUnknownLeasesAreNotFound(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, _ *ManualClock) {
		lease := grant(t, c, "k", time.Second)
		other := grant(t, c, "other", time.Second)
		for _, id := range []string{"", other.ID, lease.ID + " ", "holder-1#", "\xff"} {
			_, err := c.Renew(t.Context(), "k", id, time.Second)
			require.ErrorIs(t, err, ErrLeaseNotFound, "%q", id)
			require.ErrorIs(t, c.Release(t.Context(), "k", id), ErrLeaseNotFound)
		}
		require.NoError(t, c.Release(t.Context(), "k", lease.ID))
		require.ErrorIs(t, c.Release(t.Context(), "k", lease.ID), ErrLeaseNotFound)
		_, err := c.Renew(t.Context(), "nobody's", lease.ID, time.Second)
		require.ErrorIs(t, err, ErrLeaseNotFound)
	})
}

// R2: a renewal counts from now, so margins do not add up; it keeps ID and token.
func TestRenewKeepsTokenAndAddsNoMargins(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		lease := grant(t, c, "k", 10*time.Second)
		for range 5 {
			clock.Advance(time.Second)
			renewed, err := c.Renew(t.Context(), "k", lease.ID, 10*time.Second, 3*time.Second)
			require.NoError(t, err)
			require.Equal(t, lease.ID, renewed.ID)
			require.Equal(t, lease.Token, renewed.Token)
			require.Equal(t, clock.Now(), renewed.Since)
			require.Equal(t, clock.Now().Add(13*time.Second), renewed.ExpiresAt)
		}
		shorter, err := c.Renew(t.Context(), "k", lease.ID, 1, 0)
		require.NoError(t, err)
		require.Equal(t, clock.Now().Add(1), shorter.ExpiresAt)
	})
}

// A holder's own clock counts nowhere. One that runs ahead is good within the
// margin and fenced behind it; one that runs behind renews early.
func TestHoldersClockDrifts(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		slow := grant(t, c, "k", 10*time.Second, 2*time.Second)
		clock.Advance(11 * time.Second) // by its own clock 10 s are not over
		require.True(t, c.CheckToken("k", slow.Token))
		renewed, err := c.Renew(t.Context(), "k", slow.ID, 10*time.Second, 2*time.Second)
		require.NoError(t, err)
		clock.Advance(12 * time.Second)
		require.False(t, c.CheckToken("k", renewed.Token))

		fast := grant(t, c, "k", 10*time.Second, 2*time.Second)
		clock.Advance(time.Second) // by its own clock 9 s are over
		again, err := c.Renew(t.Context(), "k", fast.ID, 10*time.Second, 2*time.Second)
		require.NoError(t, err)
		require.Equal(t, fast.Token, again.Token)
	})
}

// The store's side: one token is good, and only while its lease is in force.
func TestStaleWritersAreFenced(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, clock *ManualClock) {
		_, held := c.Token("k")
		require.False(t, held, "never leased")
		require.False(t, c.CheckToken("k", 0))
		released := grant(t, c, "k", time.Second)
		require.NoError(t, c.Release(t.Context(), "k", released.ID))
		require.False(t, c.CheckToken("k", 1), "released in the middle of its term")
		expired := grant(t, c, "k", time.Second)
		clock.Set(expired.ExpiresAt)
		require.False(t, c.CheckToken("k", 2), "expired")
		lease := grant(t, c, "k", time.Second)
		for token, good := range map[uint64]bool{0: false, 1: false, 2: false, 3: true, 4: false, 1<<64 - 1: false} {
			require.Equal(t, good, c.CheckToken("k", token), "token %d", token)
		}
		token, held := c.Token("k")
		require.True(t, held)
		require.Equal(t, lease.Token, token)
	})
}
