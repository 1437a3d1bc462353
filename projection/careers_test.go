package projection_test

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// After every event, a career is where the state says that the client is
// (R15, R22).
func TestCareersAreWhereTheStateIs(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		careers := projection.NewCareers(h.states[cut], nil, projection.CareersSink{})
		for i := cut; i < len(h.events); i++ {
			apply(h, i, careers)
			for _, client := range h.clients {
				want, got := h.states[i+1].Client(client), careers.View(client)
				requireSame(t, want.Holds, got.Holds)
				want.Holds, got.Holds = nil, nil
				require.Equal(t, want, got)
			}
		}
	})
}

// The stints of a client do not overlap and have growing ages; each has the
// leases and waits that began and ended in it; and together the careers have
// those of the timeline, each once.
func TestCareersAreTheTimelineByClient(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		timeline := projection.CollectTimeline(h.states[0], projection.Filter{})
		careers := projection.CollectCareers(h.states[0], nil)
		h.fold(0, timeline, careers)
		var leases []projection.Lease
		var waits []projection.Wait
		for _, c := range careers.Rows() {
			last := projection.Moment{}
			age := int64(0)
			for _, s := range c.Stints {
				require.Equal(t, c.Client, s.Client)
				require.Greater(t, s.Age, age)
				require.Positive(t, s.Began.Compare(last))
				require.Len(t, s.Leases, s.Granted)
				require.Len(t, s.Waits, s.Waited)
				for _, l := range s.Leases {
					require.True(t, within(s, l.Began, l.Ended), "%s in %+v", &l, s.Registration)
				}
				for _, w := range s.Waits {
					require.True(t, within(s, w.Began, w.Ended), "%s in %+v", &w, s.Registration)
				}
				leases, waits = append(leases, s.Leases...), append(waits, s.Waits...)
				last, age = s.Ended, s.Age
			}
		}
		require.ElementsMatch(t, timeline.Rows().Leases, leases)
		require.ElementsMatch(t, timeline.Rows().Waits, waits)
	})
}

// within tells whether a row lies in a stint. What an abort ends, ends after
// the abort in the order of effects, and at the same instant.
func within(s projection.Stint, began, ended projection.Moment) bool {
	if began.Compare(s.Began) < 0 {
		return false
	}
	return !s.Ended.Happened() || began.Compare(s.Ended) < 0 && ended.Happened() && ended.Instant <= s.Ended.Instant
}

// A client's refusals are those that the effects name it in, and the operation
// is the event's.
func TestCareersKnowRefusals(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		careers := projection.CollectCareers(h.states[0], nil)
		h.fold(0, careers)
		want := map[string][]projection.Refusal{}
		for i, effects := range h.effects {
			for j, e := range effects {
				if e.Kind == events.EffectRefused && e.Client != "" {
					want[e.Client] = append(want[e.Client], projection.Refusal{
						Operation: h.events[i].Operation(), Client: e.Client, Lock: e.Lock, Key: e.Key, Token: e.Token,
						At:     projection.Moment{Instant: e.Instant, Sequence: uint64(i + 1), Effect: j},
						Reason: e.Refusal,
					})
				}
			}
		}
		for _, c := range careers.Rows() {
			requireSame(t, want[c.Client], c.Refusals)
			delete(want, c.Client)
		}
		require.Empty(t, want)
	})
}

// Careers that begin in the middle, and of some clients only, tell the same of
// all that begins afterwards.
func TestCareersFromTheMiddle(t *testing.T) {
	law(t, func(t *rapid.T, h story) {
		cut := h.cut(t)
		client := rapid.SampledFrom(h.clients).Draw(t, "client")
		whole := projection.CollectCareers(h.states[0], nil)
		rest := projection.CollectCareers(h.states[cut], []string{client})
		h.fold(0, whole)
		h.fold(cut, rest)
		var want, got projection.Career
		for _, c := range whole.Rows() {
			if c.Client == client {
				want = c
			}
		}
		if rows := rest.Rows(); len(rows) > 0 {
			require.Len(t, rows, 1)
			got = rows[0]
		}
		requireSame(t, since(want.Stints, cut, registered), since(got.Stints, cut, registered))
		requireSame(t, since(want.Refusals, cut, refusedAt), got.Refusals)
		requireSame(t, since(leasesOf(want), cut, leaseBegan), since(leasesOf(got), cut, leaseBegan))
		requireSame(t, since(waitsOf(want), cut, waitBegan), since(waitsOf(got), cut, waitBegan))
	})
}

func leasesOf(c projection.Career) (all []projection.Lease) {
	for _, s := range c.Stints {
		all = append(all, s.Leases...)
	}
	return all
}

func waitsOf(c projection.Career) (all []projection.Wait) {
	for _, s := range c.Stints {
		all = append(all, s.Waits...)
	}
	return all
}
