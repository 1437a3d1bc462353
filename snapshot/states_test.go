package snapshot_test

import (
	"bytes"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// begin returns a machine in the state before the first event.
func begin(t require.TestingT, rules events.Rules) *fsm.Machine {
	s, err := fsm.New(rules)
	require.NoError(t, err)
	return fsm.NewMachine(s)
}

// after is the state after some events under the current rules.
func after(t require.TestingT, history ...events.Event) fsm.State {
	m := begin(t, events.Current)
	for _, e := range history {
		m.Apply(e)
	}
	return m.State()
}

func write(t require.TestingT, s fsm.State) []byte {
	var b bytes.Buffer
	info, err := snapshot.Write(&b, s)
	require.NoError(t, err)
	require.EqualValues(t, b.Len(), info.Size)
	return b.Bytes()
}

func read(b []byte) (fsm.State, error) { return snapshot.Read(bytes.NewReader(b)) }

func acquire(at int64, client, lock string, ttl int64, mode events.Mode) events.Event {
	return events.Acquire{At: at, Client: client, Lock: lock, TTL: ttl, Mode: mode}
}

// small is a history whose state has every kind of row, and more than one of
// most.
func small() []events.Event {
	return []events.Event{
		acquire(-5, "etl-a", "exports/daily", 30, events.Exclusive),
		acquire(-4, "etl-b", "exports/daily", 20, events.Shared),
		acquire(-3, "etl-c", "exports/daily", 15, events.Exclusive),
		acquire(-2, "r1", "конфиг", 86400, events.Shared),
		acquire(-1, "r2", "конфиг", 300, events.Shared),
		acquire(0, "etl-a", "конфиг", 7, events.Exclusive),
		events.Write{At: 1, Lock: "exports/daily", Key: "part-1", Value: "a:rows 1-100", Token: 1},
		events.Write{At: 1, Lock: "exports/daily", Key: "part-2", Value: "🔒", Token: 1},
		events.Write{At: 2, Lock: "nobody's", Key: "k", Value: "v", Token: 7},
		acquire(3, "brief", "idle", 1, events.Exclusive),
		events.Inspect{At: 4, Lock: "idle"},
	}
}

// histories draws a history in which locks, clients and keys meet again, and
// the rules it stands under.
func histories(t *rapid.T) (events.Rules, []events.Event) {
	rules := events.Rules{
		Edition: rapid.SampledFrom([]events.Edition{events.Edition1, events.Edition2, events.Edition3}).Draw(t, "edition"),
		Unit:    rapid.SampledFrom([]events.Unit{events.Second, events.Nanosecond}).Draw(t, "unit"),
	}
	at := rapid.Int64Range(-1000, 1000).Draw(t, "begin")
	list := make([]events.Event, rapid.IntRange(0, 60).Draw(t, "events"))
	for i := range list {
		at += rapid.Int64Range(0, 12).Draw(t, "pause")
		list[i] = anyEvent(t, rules, at)
	}
	return rules, list
}

func anyEvent(t *rapid.T, rules events.Rules, at int64) events.Event {
	of := func(what string, names ...string) string { return rapid.SampledFrom(names).Draw(t, what) }
	client := of("client", "a", "b", "c", "d", "ä", "a\x00", strings.Repeat("long", 20))
	lock := of("lock", "L", "M", "N", "LL", "замок", strings.Repeat("L", 130))
	ttl := rapid.OneOf(rapid.Int64Range(1, 60), rapid.Just(rules.MaxTTL())).Draw(t, "ttl")
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0, 1, 2, 3, 4:
		mode := events.Exclusive
		if rules.Edition > events.Edition1 && rapid.Bool().Draw(t, "shared") {
			mode = events.Shared
		}
		return acquire(at, client, lock, ttl, mode)
	case 5:
		return events.Renew{At: at, Client: client, Lock: lock, TTL: ttl}
	case 6:
		return events.Release{At: at, Client: client, Lock: lock}
	case 7:
		token := rapid.Int64Range(1, 5).Draw(t, "token")
		return events.Write{At: at, Lock: lock, Key: of("key", "k", "key", "\x00"), Value: of("value", "v", "\n", "wert"), Token: token}
	case 8:
		return events.Inspect{At: at, Lock: lock}
	}
	return events.Invalid{Raw: "[]", Refusal: events.InvalidArguments}
}
