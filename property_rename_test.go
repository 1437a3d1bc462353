package leasekeeper_test

import (
	"fmt"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// translation gives clients and locks other names and moves the clock.
type translation struct {
	client, lock func(string) string
	shift        int64
}

func same(name string) string { return name }

func (tr translation) event(e events.Event) events.Event {
	switch e := e.(type) {
	case events.Acquire:
		e.At, e.Client, e.Lock = e.At+tr.shift, tr.client(e.Client), tr.lock(e.Lock)
		return e
	case events.Renew:
		e.At, e.Client, e.Lock = e.At+tr.shift, tr.client(e.Client), tr.lock(e.Lock)
		return e
	case events.Release:
		e.At, e.Client, e.Lock = e.At+tr.shift, tr.client(e.Client), tr.lock(e.Lock)
		return e
	case events.Write:
		e.At, e.Lock = e.At+tr.shift, tr.lock(e.Lock)
		return e
	case events.Read:
		e.At, e.Lock = e.At+tr.shift, tr.lock(e.Lock)
		return e
	case events.Inspect:
		e.At, e.Lock = e.At+tr.shift, tr.lock(e.Lock)
		return e
	case events.Status:
		e.At, e.Client = e.At+tr.shift, tr.client(e.Client)
		return e
	case events.Repeat:
		e.At += tr.shift
		return e
	case events.Invalid:
		if e.MovesClock {
			e.At += tr.shift
		}
		return e
	}
	panic(fmt.Sprintf("no translation of a %T", e))
}

func (tr translation) answer(answer events.Answer) events.Answer {
	switch a := answer.(type) {
	case events.Granted:
		a.ExpiresAt, a.Victims = a.ExpiresAt+tr.shift, each(a.Victims, tr.client)
		return a
	case events.Queued:
		a.Victims = each(a.Victims, tr.client)
		return a
	case events.Deadlock:
		a.Victims = each(a.Victims, tr.client)
		return a
	case events.Renewed:
		a.ExpiresAt += tr.shift
		return a
	case events.LockView:
		a.Holders = each(a.Holders, func(h events.Holder) events.Holder {
			h.Client, h.ExpiresAt = tr.client(h.Client), h.ExpiresAt+tr.shift
			return h
		})
		a.Queue = each(a.Queue, func(w events.Waiter) events.Waiter {
			w.Client = tr.client(w.Client)
			return w
		})
		return a
	case events.ClientView:
		a.Waiting = tr.lock(a.Waiting)
		a.Holds = each(a.Holds, func(h events.Hold) events.Hold {
			h.Lock, h.ExpiresAt = tr.lock(h.Lock), h.ExpiresAt+tr.shift
			return h
		})
		return a
	}
	return answer
}

func (tr translation) effect(e events.Effect) events.Effect {
	e.Client, e.Lock = tr.client(e.Client), tr.lock(e.Lock)
	e.Instant += tr.shift
	switch e.Kind {
	case events.EffectGranted, events.EffectRenewed, events.EffectReleased, events.EffectExpired:
		e.ExpiresAt += tr.shift
	}
	return e
}

func each[T any](list []T, change func(T) T) []T {
	var changed []T
	for _, item := range list {
		changed = append(changed, change(item))
	}
	return changed
}

// requireTranslates applies the translated history and requires the translated
// results. Before there is a clock, a refusal is dated 0, whatever the shift.
func requireTranslates(t *rapid.T, h story, tr translation) {
	s, err := fsm.New(h.world.Rules)
	require.NoError(t, err)
	m := fsm.NewMachine(s)
	for i, event := range h.events {
		result := m.Apply(tr.event(event))
		tr := tr
		if _, started := m.Clock(); !started {
			tr.shift = 0
		}
		require.Equal(t, tr.answer(h.results[i].Answer), result.Answer)
		require.Equal(t, each(h.results[i].Effects, tr.effect), result.Effects)
	}
}

// Law 10: other names for clients, and names for locks that keep their order,
// give the same results under those names.
func TestLaw10NamesMeanNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := arbitrary.Small(t, arbitrary.Rules().Draw(t, "rules"))
		world.Repeats = false // their templates have names of their own
		h := tell(t, world)
		others := rapid.Permutation(world.Clients).Draw(t, "other clients")
		clients := map[string]string{"": ""}
		for i, name := range world.Clients {
			clients[name] = others[i]
		}
		requireTranslates(t, h, translation{
			client: func(name string) string { return clients[name] },
			lock: func(name string) string {
				if name == "" {
					return ""
				}
				return "é/" + name + "\x00…"
			},
		})
	})
}

// Law 10: there is no special instant: what happens a while later happens alike.
func TestLaw10TimeHasNoOrigin(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		// So far that the history ends before the end of time: at each of at
		// most 120 events time may leap to the end of the longest lease.
		far := h.world.Rules.MaxInstant() - 1<<20 - 121*h.world.Rules.MaxTTL()
		shift := rapid.SampledFrom([]int64{1, -1, 1_700_000_000, -far, far}).Draw(t, "shift")
		for i, event := range h.events {
			if r, ok := event.(events.Repeat); ok && r.Step == 1<<62 {
				h.events = h.events[:i] // its runs go beyond the end of time, which does not shift
				break
			}
		}
		requireTranslates(t, h, translation{client: same, lock: same, shift: shift})
	})
}
