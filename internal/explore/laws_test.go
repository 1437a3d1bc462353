package explore

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/stretchr/testify/require"
)

// No state of fsm breaks a law, so the checks are shown what they must refuse.
func TestBrokenLawsAreSeen(t *testing.T) {
	const exclusive, shared = events.Exclusive, events.Shared
	for name, c := range map[string]struct {
		state  snapshot
		broken string
	}{
		"nothing": {snapshot{}, ""},
		"two readers, and a writer that waits": {snapshot{
			leases:   []lease{{0, 0, shared, 1, 5}, {0, 1, shared, 2, 5}},
			requests: []request{{0, 2, exclusive, 5}, {0, 3, shared, 5}},
		}, ""},
		"writers of two locks": {snapshot{leases: []lease{{0, 0, exclusive, 1, 5}, {1, 1, exclusive, 1, 5}}}, ""},
		"a lease that ends now": {snapshot{
			content: content{clock: 5}, leases: []lease{{0, 0, exclusive, 1, 5}},
		}, "R2"},
		"two writers":                    {snapshot{leases: []lease{{1, 0, exclusive, 1, 5}, {1, 1, exclusive, 2, 5}}}, "law 6"},
		"a reader beside a writer":       {snapshot{leases: []lease{{0, 0, exclusive, 1, 5}, {0, 1, shared, 2, 5}}}, "law 6"},
		"a queue before a free lock":     {snapshot{requests: []request{{0, 2, exclusive, 5}}}, "law 6"},
		"a reader who waits for readers": {snapshot{leases: []lease{{0, 0, shared, 1, 5}}, requests: []request{{0, 2, shared, 5}}}, "law 6"},
	} {
		trouble := holdersAndQueues(&c.state)
		if c.broken == "" {
			require.Nil(t, trouble, name)
			continue
		}
		require.NotNil(t, trouble, name)
		require.Contains(t, trouble.required, c.broken, name)
		require.Equal(t, Laws, trouble.kind)
	}
}

// Results are the same only if answer, effects and sequence are.
func TestDifferentResultsAreSeen(t *testing.T) {
	a := events.Result{Sequence: 1, Answer: events.Released, Effects: []events.Effect{{Kind: events.EffectReleased}}}
	require.Nil(t, compare(a, a))
	b := a
	b.Answer = events.Withdrawn
	require.Equal(t, &trouble{Answers, `"released"`, `"withdrawn"`}, compare(a, b))
	b = a
	b.Sequence = 2
	require.Equal(t, &trouble{Effects, "sequence 1", "sequence 2"}, compare(a, b))
	b = a
	b.Effects = nil
	require.Equal(t, Effects, compare(a, b).kind)
}

// Only what the rules leave open may change with an operation that asks or is
// refused.
func TestWhatMustBeQuiet(t *testing.T) {
	require.True(t, mustBeQuiet(events.Read{}, events.Result{Answer: events.Value{}}))
	require.True(t, mustBeQuiet(events.Renew{}, events.Result{Answer: events.NotHolder}))
	require.False(t, mustBeQuiet(events.Renew{}, events.Result{Answer: events.Renewed{}}))
}

// A row under a name that nobody has used is seen, in either kind of snapshot.
func TestStrangersAreSeen(t *testing.T) {
	p, err := newPoint(events.Current, nil)
	require.NoError(t, err)
	e := events.Acquire{Client: "stranger", Lock: "somewhere", TTL: 1, Mode: events.Exclusive}
	p.state, _ = fsm.Apply(p.state, e)
	p.model.Apply(e)
	var r reader
	var known, state, model snapshot
	r.state(&state, p.state)
	r.model(&model, p.model)
	require.False(t, state.equal(&known))
	require.True(t, state.equal(&model))
	require.Contains(t, state.String(), "rows of other names")
}

// A panic is told like anything else that is wrong, with the history before it.
func TestPanicsAreTold(t *testing.T) {
	p, err := newPoint(events.Current, nil)
	require.NoError(t, err)
	s := Small(events.Current)
	p.model = nil
	j := &judge{moves: s.moves(), start: p, canon: newCanon(s)}
	move, trouble := j.expand(p, func(int, key) { t.Error("an edge without a model") })
	require.Zero(t, move)
	require.Equal(t, "no panic", trouble.required)
	require.Contains(t, trouble.got, "nil pointer")
}
