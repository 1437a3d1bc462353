package fsm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

// Hundreds of readers of one lock, a long line for another, and a client with
// hundreds of locks: large enough that every table grows past a single node,
// and comes down again. The model, which has no such tables, agrees (R4, R12).
func TestCrowdsComeAndGo(t *testing.T) {
	const size, line = 300, 100
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 5))
			model, err := naive.New(events.Current)
			require.NoError(t, err)
			m := fsm.NewMachine(after(t, events.Current))
			apply := func(e events.Event) events.Answer {
				result := m.Apply(e)
				require.Equal(t, model.Apply(e), result, "%+v", e)
				return result.Answer
			}
			at := int64(0)
			pick := func(prefix string) string { return fmt.Sprint(prefix, random.IntN(size)) }
			for i := range size {
				apply(events.Acquire{At: at, Client: fmt.Sprint("reader", i), Lock: "read", TTL: 100 + random.Int64N(900), Mode: events.Shared})
				apply(events.Acquire{At: at, Client: "rich", Lock: fmt.Sprint("own", i), TTL: 100 + random.Int64N(900), Mode: events.Exclusive})
			}
			for i := range line {
				apply(events.Acquire{At: at, Client: fmt.Sprint("waiter", i), Lock: "line", TTL: 90, Mode: events.Mode(1 + random.IntN(2))})
			}
			require.NoError(t, fsm.Check(m.State()))
			for range 4 * size {
				at += random.Int64N(2)
				switch random.IntN(5) {
				case 0:
					apply(events.Renew{At: at, Client: pick("reader"), Lock: "read", TTL: 1 + random.Int64N(900)})
				case 1:
					apply(events.Release{At: at, Client: pick("reader"), Lock: "read"})
				case 2:
					apply(events.Release{At: at, Client: fmt.Sprint("waiter", random.IntN(line)), Lock: "line"})
				case 3:
					apply(events.Release{At: at, Client: "rich", Lock: pick("own")})
				case 4:
					apply(events.Write{At: at, Lock: "read", Key: pick("key"), Value: pick("value"), Token: size})
				}
			}
			require.NoError(t, fsm.Check(m.State()))
			require.Empty(t, fsm.Diff(rebuilt(t, m.State()), m.State()))

			// Everything lapses in the end, in the same order.
			apply(events.Status{At: at + 30000, Client: "rich"})
			require.NoError(t, fsm.Check(m.State()))
			_, held := m.State().NextExpiry()
			require.False(t, held)
		})
	}
}

func rebuilt(t *testing.T, s fsm.State) fsm.State {
	restored, err := takeApart(s).putTogether()
	require.NoError(t, err)
	return restored
}
