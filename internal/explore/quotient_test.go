package explore

import (
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawScope draws a scope with everything in it.
func drawScope(t *rapid.T) Scope {
	s := Small(events.Current)
	s.Rules.Edition = events.Edition(rapid.IntRange(1, 3).Draw(t, "edition"))
	s.Clients = rapid.IntRange(1, 4).Draw(t, "clients")
	s.Locks = rapid.IntRange(1, 3).Draw(t, "locks")
	s.Keys = rapid.IntRange(1, 2).Draw(t, "keys")
	s.Store = rapid.Bool().Draw(t, "store")
	s.Steps = []int64{0, 1, -1}
	return s
}

// walk makes moves that are drawn, few of which are refused if eager.
func walk(t *rapid.T, moves []move, p point, length int) point {
	var r reader
	var before snapshot
	for range length {
		r.state(&before, p.state)
		e, ok := rapid.SampledFrom(moves).Draw(t, "move").event(&before)
		if !ok {
			continue
		}
		p.state, _ = fsm.Apply(p.state, e)
		p.model.Apply(e)
	}
	return p
}

// States of one class have the same future but for names and numbers: what is
// done to one and, in its terms, to the other gives the same answers and
// effects, in its terms, and leads to states of one class again. It is so for
// fsm and, for itself, for naive.
func TestStatesOfOneClassHaveOneFuture(t *testing.T) {
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		scope := drawScope(t)
		moves := scope.moves()
		root, err := newPoint(scope.Rules, nil)
		require.NoError(t, err)
		j := &judge{moves: moves, start: root, canon: newCanon(scope)}
		first := map[key]point{}
		for range 40 {
			p := walk(t, moves, point{root.state, root.model.Clone()}, rapid.IntRange(1, 12).Draw(t, "length"))
			k := j.keyOf(p)
			other, seen := first[k]
			if !seen {
				first[k] = p
				continue
			}
			if other.state.Fingerprint() != p.state.Fingerprint() {
				merged++
				requireOneFuture(t, scope, moves, other, p)
			}
		}
	})
	require.NotZero(t, merged)
	t.Logf("%d pairs of different states of one class", merged)
}

func requireOneFuture(t *rapid.T, scope Scope, moves []move, a, b point) {
	a.model, b.model = a.model.Clone(), b.model.Clone()
	j := &judge{moves: moves, canon: newCanon(scope)}
	for range 10 {
		requireOneStep(t, scope, j, rapid.SampledFrom(moves).Draw(t, "next move"), &a, &b)
	}
}

// requireOneStep makes a move from a, and what amounts to it from b.
func requireOneStep(t require.TestingT, scope Scope, j *judge, m move, a, b *point) {
	c := newCounterpart(scope, a.state, b.state)
	e, possible := m.event(&c.from)
	f, alike := c.move(m).event(&c.to)
	require.Equal(t, possible, alike, "%+v", m)
	if !possible {
		return
	}
	var inA, inB events.Result
	a.state, inA = fsm.Apply(a.state, e)
	b.state, inB = fsm.Apply(b.state, f)
	requireCounterparts(t, c, m, inA, inB)
	requireCounterparts(t, c, m, a.model.Apply(e), b.model.Apply(f))
	require.Equal(t, j.keyOf(*a), j.keyOf(*b), "after %+v", e)
}

// Whenever an exploration merges a state with another, any move gives the same
// in both. With -all there is a store as well.
func TestMergedStatesHaveOneFuture(t *testing.T) {
	s := scope(events.Current, 2, 1, *all)
	root, err := newPoint(s.Rules, nil)
	require.NoError(t, err)
	j := &judge{moves: s.moves(), canon: newCanon(s)}
	first, queue, merged := map[key]point{j.keyOf(root): root}, []point{root}, 0
	for ; len(queue) > 0; queue = queue[1:] {
		var before snapshot
		j.reader.state(&before, queue[0].state)
		for n, m := range j.moves {
			if _, possible := m.event(&before); !possible {
				continue
			}
			next := j.step(queue[0], n)
			k := j.keyOf(next)
			other, seen := first[k]
			if !seen {
				first[k], queue = next, append(queue, next)
			} else if other.state.Fingerprint() != next.state.Fingerprint() {
				merged++
				for _, m := range j.moves {
					a, b := point{other.state, other.model.Clone()}, point{next.state, next.model.Clone()}
					requireOneStep(t, s, j, m, &a, &b)
				}
			}
		}
	}
	require.Greater(t, merged, 10*len(first))
}

func requireCounterparts(t require.TestingT, c *counterpart, m move, a, b events.Result) {
	got := b.Answer
	if value, ok := got.(events.Value); ok {
		value.Text = ""
		got = value
	}
	require.Equal(t, c.answer(lockNames[m.lock], clientNames[m.client], a.Answer), got)
	effects := each(b.Effects, func(e events.Effect) events.Effect {
		e.Sequence = 0
		if e.Kind == events.EffectWritten || e.Kind == events.EffectRefused {
			e.Token = 0
		}
		return e
	})
	require.Equal(t, each(a.Effects, c.effect), effects)
}

// The two kinds of snapshots agree, and a workspace's clone is a model of its
// own.
func TestClonesGoTheirOwnWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scope := drawScope(t)
		root, err := newPoint(scope.Rules, nil)
		require.NoError(t, err)
		p := walk(t, scope.moves(), root, rapid.IntRange(0, 20).Draw(t, "length"))
		var r reader
		var before, after snapshot
		r.model(&before, p.model)
		var workspace naive.Workspace
		for range 3 {
			clone := point{p.state, workspace.Clone(p.model)}
			clone = walk(t, scope.moves(), clone, rapid.IntRange(0, 20).Draw(t, "length of the clone's way"))
			r.model(&after, clone.model)
			var state snapshot
			r.state(&state, clone.state)
			require.True(t, state.equal(&after), "%s\n%s", &state, &after)
		}
		r.model(&after, p.model)
		require.True(t, before.equal(&after))
	})
}
