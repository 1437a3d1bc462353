package coordinator

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model is what a key should be: a holder, and those in line in the order of
// their coming. Waiters have numbers; -1 is nobody.
type model struct {
	holder int
	ends   time.Time
	token  uint64
	line   []int
	ttl    map[int]time.Duration
	served map[int]uint64 // the token that each waiter got
}

// advance hands over at each end up to now (R3).
func (m *model) advance(now time.Time) {
	for m.holder >= 0 && !m.ends.After(now) {
		m.handOver(m.ends)
	}
}

// handOver gives the key to the first in line.
func (m *model) handOver(at time.Time) {
	m.holder = -1
	if len(m.line) > 0 {
		next := m.line[0]
		m.line = m.line[1:]
		m.take(next, at)
	}
}

func (m *model) take(who int, at time.Time) {
	m.token++
	m.holder, m.ends, m.served[who] = who, at.Add(m.ttl[who]), m.token
}

// Waiters come, give up, release and lapse as they like: each gets the token
// that the model says, in the order of the line, and those who gave up leave
// nothing.
func TestWaitAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		steps := rapid.SliceOfN(rapid.SampledFrom([]string{"wait", "wait", "cancel", "release", "pass"}), 1, 40).Draw(r, "steps")
		picks := rapid.SliceOfN(rapid.IntRange(0, 9), len(steps), len(steps)).Draw(r, "picks")
		synctest.Test(t, func(t *testing.T) { play(t, steps, picks) })
	})
}

// play carries the steps out in a bubble, where time is exact.
func play(t *testing.T, steps []string, picks []int) {
	c, err := New(WithDefaultMargin(0))
	require.NoError(t, err)
	m := &model{holder: -1, ttl: map[int]time.Duration{}, served: map[int]uint64{}}
	cancels, gone := []context.CancelFunc{}, map[int]bool{}
	var mu sync.Mutex
	leases := map[int]*Lease{} // as Wait returned them
	for i, step := range steps {
		switch pick := picks[i]; step {
		case "wait":
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			who := len(cancels)
			cancels = append(cancels, cancel)
			m.ttl[who] = time.Duration(pick+1) * time.Second
			go func() {
				lease, err := c.Wait(ctx, "k", m.ttl[who])
				if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				leases[who] = lease
			}()
			if m.holder < 0 {
				m.take(who, time.Now())
			} else {
				m.line = append(m.line, who)
			}
		case "cancel":
			if len(m.line) > 0 {
				at := pick % len(m.line)
				cancels[m.line[at]]()
				gone[m.line[at]] = true
				m.line = slices.Delete(slices.Clone(m.line), at, at+1)
			}
		case "release":
			if m.holder >= 0 {
				require.NoError(t, c.Release(t.Context(), "k", idOf(c, "k")))
				m.handOver(time.Now())
			}
		case "pass":
			time.Sleep(time.Duration(pick) * 700 * time.Millisecond)
			m.advance(time.Now())
		}
		synctest.Wait()
		mu.Lock()
		got := maps.Clone(leases)
		mu.Unlock()
		agree(t, c, m, got, gone)
	}
	tidy(t, c, nil)
}

// idOf is the ID of a key's lease.
func idOf(c *Coordinator, key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.keys[key].last.id
}

// agree compares the coordinator with the model.
func agree(t *testing.T, c *Coordinator, m *model, leases map[int]*Lease, gone map[int]bool) {
	token, held := c.Token("k")
	require.Equal(t, m.holder >= 0, held)
	if held {
		require.Equal(t, m.token, token)
		require.Equal(t, m.ends.UnixNano(), leases[m.holder].ExpiresAt.UnixNano())
	}
	for who, token := range m.served {
		require.NotNil(t, leases[who], "waiter %d", who)
		require.Equal(t, token, leases[who].Token, "waiter %d", who)
	}
	for who := range gone {
		require.Nil(t, leases[who])
	}
	require.Len(t, stateOf(c).Queue("k"), len(m.line))
}
