package events_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

// verdict is what Admit says.
type verdict struct {
	at      int64
	moves   bool
	refusal events.Refusal
}

func admit(r events.Rules, e events.Event) verdict {
	at, moves, refusal := r.Admit(e)
	return verdict{at, moves, refusal}
}

// Events made by hand are judged by the same rules as parsed ones (R23).
func TestAdmit(t *testing.T) {
	const late = math.MaxInt64 - 86400 + 1
	good := verdict{7, true, events.NotRefused}
	bad := verdict{7, true, events.InvalidArguments}
	still := verdict{0, false, events.InvalidArguments}
	template := `["read","L","k{i}"]`
	for _, c := range []struct {
		event events.Event
		want  verdict
	}{
		{events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 5, Mode: events.Exclusive}, good},
		{events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 86400, Mode: events.Shared}, good},
		{events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 5}, bad},
		{events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 5, Mode: 3}, bad},
		{events.Acquire{At: 7, Client: "", Lock: "L", TTL: 5, Mode: events.Shared}, bad},
		{events.Acquire{At: 7, Client: "c", Lock: "\xff", TTL: 5, Mode: events.Shared}, bad},
		{events.Acquire{At: 7, Client: "c", Lock: "", TTL: 0, Mode: events.Shared}, bad},
		{events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 0, Mode: 9}, bad},
		{events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 0, Mode: events.Shared}, verdict{7, true, events.InvalidTTL}},
		{events.Acquire{At: late, Client: "c", Lock: "L", TTL: 5, Mode: events.Exclusive}, still},
		{events.Acquire{At: late - 1, Client: "c", Lock: "L", TTL: 5, Mode: events.Exclusive}, verdict{late - 1, true, events.NotRefused}},
		{events.Renew{At: 7, Client: "c", Lock: "L", TTL: 86401}, verdict{7, true, events.InvalidTTL}},
		{events.Renew{At: math.MinInt64, Client: "c", Lock: "L", TTL: 1}, verdict{math.MinInt64, true, events.NotRefused}},
		{events.Renew{At: 7, Client: "c", Lock: "\xc3", TTL: 1}, bad},
		{events.Release{At: 7, Client: "c", Lock: "L"}, good},
		{events.Release{At: 7, Client: "c"}, bad},
		{events.Write{At: 7, Lock: "L", Key: "k", Value: "v", Token: 1}, good},
		{events.Write{At: 7, Lock: "L", Key: "k", Value: "v", Token: 0}, bad},
		{events.Write{At: 7, Lock: "L", Key: "k", Value: "", Token: 1}, bad},
		{events.Read{At: 7, Lock: "L", Key: "k"}, good},
		{events.Read{At: 7, Lock: "L", Key: "\xff"}, bad},
		{events.Inspect{At: 7, Lock: "L"}, good},
		{events.Inspect{At: 7}, bad},
		{events.Status{At: 7, Client: "c"}, good},
		{events.Status{At: 7}, bad},
		{events.Repeat{At: 7, Count: 100000, Step: math.MaxInt64, Template: template}, good},
		{events.Repeat{At: 7, Count: 0, Step: 1, Template: template}, bad},
		{events.Repeat{At: 7, Count: 100001, Step: 1, Template: template}, bad},
		{events.Repeat{At: 7, Count: 1, Step: -1, Template: template}, bad},
		{events.Repeat{At: 7, Count: 1, Template: ""}, bad},
		{events.Repeat{At: 7, Count: 1, Template: `["read", "L","k"]`}, bad}, // not compact
		{events.Invalid{Refusal: events.UnknownOperation}, verdict{0, false, events.UnknownOperation}},
		{events.Invalid{Refusal: events.InvalidArguments}, still},
		{events.Invalid{Refusal: events.InvalidArguments, At: 7, MovesClock: true}, bad},
		{events.Invalid{Refusal: events.InvalidTTL, At: 7, MovesClock: true}, verdict{7, true, events.InvalidTTL}},
	} {
		require.Equal(t, c.want, admit(events.Current, c.event), "%#v", c.event)
	}
}

// What nobody could have parsed is refused and leaves the clock alone.
func TestAdmitImpossibleEvents(t *testing.T) {
	type foreign struct{ events.Inspect }
	for _, e := range []events.Event{
		nil, &events.Inspect{At: 7, Lock: "L"}, (*events.Acquire)(nil), &events.Invalid{}, foreign{},
		events.Invalid{},
		events.Invalid{Refusal: events.ClockWentBack, At: 7, MovesClock: true},
		events.Invalid{Refusal: events.NotHolder, At: 7, MovesClock: true},
		events.Invalid{Refusal: 200, At: 7, MovesClock: true},
		events.Invalid{Refusal: events.UnknownOperation, At: 7, MovesClock: true},
		events.Invalid{Refusal: events.InvalidTTL},
		events.Invalid{Refusal: events.InvalidTTL, At: math.MaxInt64, MovesClock: true},
	} {
		require.Equal(t, verdict{0, false, events.InvalidArguments}, admit(events.Current, e), "%#v", e)
	}
}

// R29: what an edition does not have is unknown, or a wrong argument.
func TestAdmitEditions(t *testing.T) {
	shared := events.Acquire{At: 7, Client: "c", Lock: "L", TTL: 5, Mode: events.Shared}
	require.Equal(t, verdict{7, true, events.InvalidArguments}, admit(edition1, shared))
	require.Equal(t, verdict{7, true, events.NotRefused}, admit(edition2, shared))
	for _, r := range []events.Rules{edition1, edition2} {
		for _, e := range []events.Status{{At: 7, Client: "c"}, {At: math.MaxInt64}} {
			require.Equal(t, verdict{0, false, events.UnknownOperation}, admit(r, e))
		}
	}
}

// R27: what the placeholders of all runs together may expand to is bounded.
func TestAdmitBoundsTheExpansion(t *testing.T) {
	const count = 1000
	room := events.MaxExpansion/count - 20 // one placeholder counts for 20 bytes
	repeat := events.Repeat{At: 7, Count: count, Template: fmt.Sprintf(`["read","%0*d{i}","k"]`, room-1, 0)}
	require.Equal(t, verdict{7, true, events.NotRefused}, admit(events.Current, repeat))
	repeat.Count++
	require.Equal(t, verdict{7, true, events.InvalidArguments}, admit(events.Current, repeat))
	// A string that the runs share counts too: each of them looks at all of it.
	repeat.Template = fmt.Sprintf(`["read","%0*d","k{i}"]`, room, 0)
	require.Equal(t, verdict{7, true, events.InvalidArguments}, admit(events.Current, repeat))
}

// Admit runs once an event: it takes no memory for it.
func TestAdmitDoesNotAllocate(t *testing.T) {
	for _, e := range sampleEvents() {
		if e.Operation() == "repeat" {
			continue
		}
		require.Zero(t, testing.AllocsPerRun(10, func() { events.Current.Admit(e) }), e.Operation())
	}
}

// Parse and Admit tell one truth: the outside form of any event, good or bad,
// parses to an event with the same refusal and the same effect on the clock,
// and to the event itself if it is admitted.
func TestAdmitAgreesWithParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules().Draw(t, "rules")
		e := anyEvent().Draw(t, "event")
		text := events.AppendJSON(nil, e)
		parsed, err := r.Parse(text)
		require.NoError(t, err)
		require.Equal(t, admit(r, e), admit(r, parsed), "%s", text)
		if admit(r, e).refusal == events.NotRefused {
			require.Equal(t, e, parsed)
		} else {
			require.IsType(t, events.Invalid{}, parsed)
		}
	})
}
