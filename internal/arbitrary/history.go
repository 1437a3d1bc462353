package arbitrary

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"pgregory.net/rapid"
)

// View is what is looked at before an event is drawn. fsm.State is one.
type View interface {
	Clock() (ts int64, started bool)
	NextExpiry() (ts int64, ok bool)
	Holders(lock string) []events.Holder
	Queue(lock string) []events.Waiter
}

// World is what the events of a history are about.
type World struct {
	Rules   events.Rules
	Clients []string
	Locks   []string
	// Mistakes adds operations that are refused for their form or range, and
	// instants that went back.
	Mistakes bool
	// Repeats adds repeat operations. Their templates know the names of Small.
	Repeats bool
}

// Small draws a world of a few clients, c0, c1…, and a few locks, L0, L1….
func Small(t *rapid.T, rules events.Rules) World {
	return World{
		Rules:    rules,
		Clients:  names("c", rapid.IntRange(2, 7).Draw(t, "clients")),
		Locks:    names("L", rapid.IntRange(1, 5).Draw(t, "locks")),
		Mistakes: true,
		Repeats:  true,
	}
}

func names(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return list
}

// Rules draws an edition and a clock unit, most often those in force.
func Rules() *rapid.Generator[events.Rules] {
	return rapid.Custom(func(t *rapid.T) events.Rules {
		return events.Rules{
			Edition: rapid.SampledFrom([]events.Edition{3, 3, 3, 2, 1}).Draw(t, "edition"),
			Unit:    rapid.SampledFrom([]events.Unit{events.Second, events.Second, events.Millisecond, events.Nanosecond}).Draw(t, "unit"),
		}
	})
}

// Event draws the event that comes next.
func (w World) Event(t *rapid.T, v View) events.Event {
	at := w.instant(t, v)
	client := rapid.SampledFrom(w.Clients).Draw(t, "client")
	lock := rapid.SampledFrom(w.Locks).Draw(t, "lock")
	switch kind := rapid.IntRange(0, 99).Draw(t, "operation"); {
	case kind < 50:
		return events.Acquire{At: at, Client: w.asker(t, v, lock, client), Lock: lock, TTL: w.ttl(t), Mode: w.mode(t)}
	case kind < 57:
		return events.Renew{At: at, Client: holder(t, v, lock, client), Lock: lock, TTL: w.ttl(t)}
	case kind < 65:
		return events.Release{At: at, Client: holder(t, v, lock, client), Lock: lock}
	case kind < 71:
		return events.Release{At: at, Client: waiter(t, v, lock, client), Lock: lock}
	case kind < 79:
		return events.Write{
			At: at, Lock: lock, Key: rapid.SampledFrom([]string{"k", "l"}).Draw(t, "key"),
			Value: "by " + client, Token: rapid.Int64Range(1, 6).Draw(t, "token"),
		}
	case kind < 83:
		return events.Read{At: at, Lock: lock, Key: "k"}
	case kind < 87:
		return events.Inspect{At: at, Lock: lock}
	case kind < 91:
		return events.Status{At: at, Client: client}
	case kind < 95 && w.Repeats:
		return repeat(t, at)
	case kind < 98 && w.Mistakes:
		return w.mistake(t, at)
	}
	return events.Inspect{At: at, Lock: lock}
}

// instant draws a time: usually the present or soon, often the end of a lease.
func (w World) instant(t *rapid.T, v View) int64 {
	clock, started := v.Clock()
	if !started {
		return rapid.Int64Range(-20, 20).Draw(t, "begin")
	}
	switch step := rapid.IntRange(0, 19).Draw(t, "step"); {
	case step < 12:
		return clock
	case step < 16:
		return clock + int64(step-11)
	case step < 18:
		if end, ok := v.NextExpiry(); ok {
			return end
		}
	case step == 18:
		return clock + rapid.Int64Range(1, 200).Draw(t, "leap")
	case w.Mistakes:
		return clock - 1
	}
	return clock
}

// ttl draws a number of ticks: short, so that leases lapse.
func (w World) ttl(t *rapid.T) int64 {
	ttl := rapid.Int64Range(1, 64).Draw(t, "ttl")
	switch {
	case ttl < 63:
		return ttl
	case ttl == 64 && w.Mistakes:
		return rapid.SampledFrom([]int64{0, w.Rules.MaxTTL() + 1}).Draw(t, "bad ttl")
	}
	return w.Rules.MaxTTL()
}

// asker takes the given client, or one that is not busy instead (R8, R14).
func (w World) asker(t *rapid.T, v View, wanted, client string) string {
	busy := map[string]bool{}
	for _, lock := range w.Locks {
		for _, waiter := range v.Queue(lock) {
			busy[waiter.Client] = true
		}
		for _, holder := range v.Holders(lock) {
			if lock == wanted || w.Rules.Edition < events.Edition3 {
				busy[holder.Client] = true
			}
		}
	}
	var free []string
	for _, c := range w.Clients {
		if !busy[c] {
			free = append(free, c)
		}
	}
	if !busy[client] || len(free) == 0 || w.Mistakes && rapid.IntRange(0, 9).Draw(t, "ask again") == 9 {
		return client
	}
	return rapid.SampledFrom(free).Draw(t, "client that is not busy")
}

func (w World) mode(t *rapid.T) events.Mode {
	modes := []events.Mode{events.Exclusive, events.Shared}
	if w.Rules.Edition == events.Edition1 && !w.Mistakes {
		modes = modes[:1]
	}
	return rapid.SampledFrom(modes).Draw(t, "mode")
}

// holder draws one of the lock's holders, or takes the other client.
func holder(t *rapid.T, v View, lock, other string) string {
	holders := v.Holders(lock)
	if len(holders) == 0 {
		return other
	}
	return rapid.SampledFrom(holders).Draw(t, "holder").Client
}

// waiter draws one of those who wait for the lock, or takes the other client.
func waiter(t *rapid.T, v View, lock, other string) string {
	queue := v.Queue(lock)
	if len(queue) == 0 {
		return other
	}
	return rapid.SampledFrom(queue).Draw(t, "waiter").Client
}
