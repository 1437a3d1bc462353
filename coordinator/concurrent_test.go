package coordinator

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// Eight workers do what they like on few keys with the system's clock, while a
// watcher looks on: no error but the expected ones, and nobody sees two leases
// under one token.
func TestEightWorkers(t *testing.T) {
	for _, kind := range []string{"memory", "journal"} {
		t.Run(kind, func(t *testing.T) {
			var list []Option
			if kind == "journal" {
				j := memoryJournal(t)
				k := keep(t, j)
				list = append(list, WithJournal(k))
				defer func() { prove(t, j); require.NoError(t, k.Close()) }()
			}
			c, err := New(list...)
			require.NoError(t, err)
			var seen sync.Map
			var group sync.WaitGroup
			for worker := range 8 {
				group.Go(func() { work(t, c, worker, &seen) })
			}
			watched := make(chan bool)
			go func() {
				var last uint64
				for change := range c.Watch(t.Context(), "k0") {
					require.GreaterOrEqual(t, change.Token, last)
					last = change.Token
				}
				close(watched)
			}()
			group.Wait()
			tidy(t, c, nil)
			<-watched
		})
	}
}

// work does 200 operations.
func work(t *testing.T, c *Coordinator, worker int, seen *sync.Map) {
	random := rand.New(rand.NewPCG(uint64(worker), 1))
	var mine *Lease
	for range 200 {
		key := fmt.Sprint("k", random.IntN(3))
		var err error
		switch {
		case mine == nil:
			ask := c.Grant
			if random.IntN(4) == 0 {
				ask = c.Wait
			}
			if mine, err = ask(t.Context(), key, time.Duration(random.IntN(3)+1)*time.Millisecond, 0); err == nil {
				_, again := seen.LoadOrStore(fmt.Sprint(mine.Key, " ", mine.Token), true)
				require.False(t, again, "worker %d: token %d of %s came twice", worker, mine.Token, mine.Key)
			}
		case random.IntN(2) == 0:
			_, err = c.Renew(t.Context(), mine.Key, mine.ID, time.Millisecond, 0)
		default:
			_ = mine.Done()
			c.CheckToken(mine.Key, mine.Token)
			err = c.Release(t.Context(), mine.Key, mine.ID)
			mine = nil
		}
		if err != nil && !errors.Is(err, ErrLeaseHeld) && !errors.Is(err, ErrLeaseExpired) && !errors.Is(err, ErrLeaseNotFound) {
			require.NoError(t, err, "worker %d", worker)
		}
	}
}

// call is an operation of the linearizability test.
type call struct {
	name  string // grant, check or release
	token uint64 // of a check
}

// slot is the model: one key on a clock that stands still.
type slot struct {
	held    bool
	highest uint64
}

var slots = porcupine.Model{
	Init: func() any { return slot{} },
	Step: func(state, input, output any) (bool, any) {
		s, in := state.(slot), input.(call)
		switch in.name {
		case "grant":
			if s.held {
				return output == uint64(0), s
			}
			return output == s.highest+1, slot{true, s.highest + 1}
		case "release":
			good := s.held && s.highest == in.token
			return output == good, slot{s.held && !good, s.highest}
		}
		return output == (s.held && s.highest == in.token), s
	},
}

// Whatever overlaps, there is an order in which every answer is right.
func TestAnswersAreLinearizable(t *testing.T) {
	eachKind(t, func(t *testing.T, c *Coordinator, _ *ManualClock) {
		var mu sync.Mutex
		var history []porcupine.Operation
		start := time.Now()
		record := func(client int, in call, do func() any) {
			from := time.Since(start)
			out := do()
			to := time.Since(start)
			mu.Lock()
			defer mu.Unlock()
			history = append(history, porcupine.Operation{ClientId: client, Input: in, Output: out, Call: int64(from), Return: int64(to)})
		}
		var group sync.WaitGroup
		for client := range 4 {
			group.Go(func() {
				for range 20 {
					var lease *Lease
					record(client, call{name: "grant"}, func() any {
						var err error
						if lease, err = c.Grant(t.Context(), "k", time.Hour); err != nil {
							return uint64(0)
						}
						return lease.Token
					})
					token, _ := c.Token("k")
					record(client, call{"check", token}, func() any { return c.CheckToken("k", token) })
					if lease != nil {
						record(client, call{"release", lease.Token}, func() any {
							return c.Release(t.Context(), "k", lease.ID) == nil
						})
					}
				}
			})
		}
		group.Wait()
		require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(slots, history, time.Minute))
	})
}
