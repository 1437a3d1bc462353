package leasekeeper_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// These laws look at effects alone: what a projection sees.

// Law 5: the tokens of a lock are 1, 2, 3… in the order of its grants, for ever.
func TestLaw5TokensCountGrants(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		issued := map[string]int64{}
		for _, result := range h.results {
			for _, e := range result.Effects {
				if e.Kind == events.EffectGranted {
					issued[e.Lock]++
					require.Equal(t, issued[e.Lock], e.Token, e)
				}
			}
		}
		for l := range h.last().Locks() {
			require.Equal(t, issued[l.Name], l.Counter)
		}
	})
}

// Law 6: queues are first in, first out: whoever is granted from a queue stood
// at its head, and the queue is what the effects say (R4, R11).
func TestLaw6QueuesAreFirstInFirstOut(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		queues := map[string][]string{}
		for i, result := range h.results {
			for _, e := range result.Effects {
				queue := queues[e.Lock]
				switch {
				case e.Kind == events.EffectQueued:
					require.Equal(t, len(queue)+1, e.Position)
					queues[e.Lock] = append(queue, e.Client)
				case e.Kind == events.EffectGranted && e.Cause == events.CauseFree:
					require.Empty(t, queue, e)
				case e.Kind == events.EffectGranted:
					require.Equal(t, queue[0], e.Client, e)
					queues[e.Lock] = queue[1:]
				case e.Kind == events.EffectWithdrawn:
					queues[e.Lock] = without(queue, e.Client)
					require.Len(t, queues[e.Lock], len(queue)-1, e)
				}
			}
			for _, lock := range h.world.Locks {
				var waiting []string
				for _, w := range h.states[i+1].Queue(lock) {
					waiting = append(waiting, w.Client)
				}
				require.ElementsMatch(t, queues[lock], waiting)
			}
		}
	})
}

// without returns a new list that lacks a name.
func without(names []string, name string) []string {
	var rest []string
	for _, n := range names {
		if n != name {
			rest = append(rest, n)
		}
	}
	return rest
}

// Law 6: a lock has one exclusive holder or only shared ones, and the head of
// its queue is not compatible with them (R9, R11).
func TestLaw6HoldersGoTogether(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		for _, s := range h.states {
			for _, lock := range h.world.Locks {
				holders, queue := s.Holders(lock), s.Queue(lock)
				shared := true
				for _, holder := range holders {
					shared = shared && holder.Mode == events.Shared
				}
				require.True(t, shared || len(holders) == 1)
				if len(queue) > 0 {
					require.NotEmpty(t, holders)
					require.False(t, shared && queue[0].Mode == events.Shared)
				}
			}
		}
	})
}

// Law 8: a lease starts at its event's ts or at the instant that freed the
// lock, nowhere else, and lasts for the ttl that was asked for (R2, R3).
func TestLaw8LeasesStartWhenTheLockWasFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := arbitrary.Small(t, arbitrary.Rules().Draw(t, "rules"))
		world.Repeats = false // a repeat has many instants
		h := tell(t, world)
		type request struct{ client, lock string }
		wanted := map[request]int64{}
		for i, event := range h.events {
			ts, _ := event.Instant()
			ended := map[string]int64{} // by lock: when it was last freed during this event
			for _, e := range h.results[i].Effects {
				who := request{e.Client, e.Lock}
				if e.Kind == events.EffectQueued || e.Cause == events.CauseFree {
					wanted[who] = event.(events.Acquire).TTL
				}
				switch e.Kind {
				case events.EffectExpired, events.EffectReleased, events.EffectWithdrawn:
					ended[e.Lock] = e.Instant
				case events.EffectGranted:
					start := ts
					if e.Cause != events.CauseFree {
						start = ended[e.Lock]
					}
					require.Equal(t, start, e.Instant, e)
					require.Equal(t, start+wanted[who], e.ExpiresAt, e)
				}
			}
		}
	})
}

// Effects come in the order of time, but for a clock that went back.
func TestEffectsComeInTheOrderOfTime(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		var last int64
		started := false
		for _, result := range h.results {
			for _, e := range result.Effects {
				require.Equal(t, result.Sequence, e.Sequence)
				if e.Kind == events.EffectRefused {
					continue
				}
				require.True(t, !started || last <= e.Instant, e)
				last, started = e.Instant, true
			}
		}
	})
}
