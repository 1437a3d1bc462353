package leasekeeper_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

// drawn is how many histories TestTheRulesAgreeOnDrawnHistories draws, of fifty
// operations each; nightly, a hundred times as many.
const drawn = 5000

// parted tells whether the state machine and the model of the rules part in a
// history that is drawn from a seed. With deviations in the model they should.
func parted(t testing.TB, g *history.Generator, seed uint64, deviations ...string) (history.Difference, bool) {
	h := g.Generate(history.DrawRules(seed), seed, 50)
	s, err := fsm.New(h.Rules)
	require.NoError(t, err)
	model, err := naive.New(h.Rules, deviations...)
	require.NoError(t, err)
	return history.Compare(h, model, fsm.NewMachine(s), history.Effects)
}

func everything(t testing.TB) history.Profile {
	p, err := history.ProfileNamed("everything")
	require.NoError(t, err)
	return p
}

// What the rules say, said twice, in histories that look for trouble: in every
// edition and unit, with bad input, repeats, cycles and crowds.
func TestTheRulesAgreeOnDrawnHistories(t *testing.T) {
	n := uint64(drawn)
	if *nightly {
		n *= 100
	}
	profile := everything(t)
	var next atomic.Uint64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			g := history.NewGenerator(profile)
			for seed := next.Add(1) - 1; seed < n && !t.Failed(); seed = next.Add(1) - 1 {
				if d, differs := parted(t, g, seed); differs {
					t.Errorf("seed %d: %+v: required %+v, got %+v; leasekeeper fuzz --seed %d --histories 1 tells more",
						seed, d.Event, d.Required, d.Got, seed)
				}
			}
		})
	}
	group.Wait()
}

// The test above has teeth: with any known deviation in the model it fails, in
// the same histories.
func TestTeeth(t *testing.T) {
	g := history.NewGenerator(everything(t))
	for _, d := range naive.Deviations() {
		noticed := false
		for seed := uint64(0); seed < drawn && !noticed; seed++ {
			_, noticed = parted(t, g, seed, d.Name)
		}
		require.True(t, noticed, "%s (%s) survives %d histories: %s", d.Name, d.Rule, drawn, d.Description)
	}
}
