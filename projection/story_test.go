package projection_test

import (
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// story is a history that was drawn: states[i] is the state before events[i],
// states[i+1] the one after it.
type story struct {
	world   arbitrary.World
	events  []events.Event
	effects [][]events.Effect
	states  []fsm.State
	// Names that the world has, and those that only repeats use.
	clients, locks []string
}

func tell(t *rapid.T) story {
	world := arbitrary.Small(t, arbitrary.Rules().Draw(t, "rules"))
	s, err := fsm.New(world.Rules)
	require.NoError(t, err)
	h := story{world: world, states: []fsm.State{s}}
	for range rapid.IntRange(1, 120).Draw(t, "events") {
		event := world.Event(t, s)
		var result events.Result
		s, result = fsm.Apply(s, event)
		h.events = append(h.events, event)
		h.effects = append(h.effects, result.Effects)
		h.states = append(h.states, s)
		for _, e := range result.Effects {
			h.clients, h.locks = append(h.clients, e.Client), append(h.locks, e.Lock)
		}
	}
	h.clients = names(append(h.clients, world.Clients...))
	h.locks = names(append(h.locks, world.Locks...))
	return h
}

// names sorts names and leaves out repeated and empty ones.
func names(list []string) []string {
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(name string) bool { return name == "" })
}

// law checks a property of histories.
func law(t *testing.T, property func(*rapid.T, story)) {
	rapid.Check(t, func(t *rapid.T) { property(t, tell(t)) })
}

func (h story) last() fsm.State { return h.states[len(h.states)-1] }

// fold feeds projections that began at a cut with the rest of the story.
func (h story) fold(cut int, p ...projection.Projection) {
	projection.Fold(h.states[cut], slices.Values(h.events[cut:]), p...)
}

// cut draws how many events come before a projection begins.
func (h story) cut(t *rapid.T) int { return rapid.IntRange(0, len(h.events)).Draw(t, "cut") }

// asOf is the state as of an instant: after all events, and all runs of a
// repeat, after which the clock was not later, with what had lapsed by then.
func (h story) asOf(ts int64) fsm.State {
	for i, s := range h.states[1:] {
		if clock, started := s.Clock(); !started || clock <= ts {
			continue
		}
		before := h.states[i]
		horizon := leasekeeper.NewHorizon(h.world.Rules, ts)
		horizon.Begin(before.Clock())
		if part, _ := horizon.Take(h.events[i]); part != nil {
			before, _ = fsm.Apply(before, part)
		}
		return before.At(ts)
	}
	return h.last().At(ts)
}

// instant draws an instant from shortly before the story to some time after it.
func (h story) instant(t *rapid.T) (ts int64, ok bool) {
	first, found := int64(0), false
	for _, s := range h.states {
		if clock, started := s.Clock(); started && !found {
			first, found = clock, true
		}
	}
	last, _ := h.last().Clock()
	if !found || last-first > 1<<40 { // a repeat went to the end of time
		last = first + 500
	}
	return rapid.Int64Range(first-2, min(last+100, h.world.Rules.MaxInstant())).Draw(t, "instant"), found
}

// after tells whether something began after a cut.
func after(m projection.Moment, cut int) bool { return m.Sequence > uint64(cut) }

// since keeps the rows that began after a cut.
func since[T any](rows []T, cut int, began func(*T) projection.Moment) []T {
	var kept []T
	for i := range rows {
		if after(began(&rows[i]), cut) {
			kept = append(kept, rows[i])
		}
	}
	return kept
}

// requireSame compares lists, among which no list and an empty one are equal.
func requireSame[T any](t require.TestingT, want, got []T) {
	if len(want) > 0 || len(got) > 0 {
		require.Equal(t, want, got)
	}
}
