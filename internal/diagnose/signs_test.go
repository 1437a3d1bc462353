package diagnose

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

var drawn = flag.Uint64("histories", 40, "how many histories to look for signs in")

func TestTablesNameDeviations(t *testing.T) {
	var known []string
	for _, d := range naive.Deviations() {
		known = append(known, d.Name)
	}
	for name := range wants {
		require.Contains(t, known, name)
	}
	for name, others := range near {
		require.Contains(t, known, name)
		require.Subset(t, known, others)
	}
}

// No deviation shows itself in the answers before what it wants has been seen,
// whether it is alone or beside another one. Everything that is ruled out
// without being tried rests on this.
func TestNothingShowsWithoutItsSigns(t *testing.T) {
	all := naive.Deviations()
	profiles := history.Profiles()
	for seed := range *drawn {
		r := rand.New(rand.NewPCG(seed, 1))
		rules := history.DrawRules(seed)
		h := history.Generate(rules, profiles[r.IntN(len(profiles))], seed, 80)
		requireSigns(t, seed, h, "")
		requireSigns(t, seed, h, all[r.IntN(len(all))].Name)
	}
}

// requireSigns adds each deviation in turn to a run with one, or with none.
func requireSigns(t *testing.T, seed uint64, h history.History, with string) {
	base := namedModel(t, h.Rules, with)
	var answers []string
	for _, e := range h.Events {
		answers = append(answers, string(base.Apply(e).Answer.AppendJSON(nil)))
	}
	for _, d := range naive.Deviations() {
		if d.Name == with || isNear(with, d.Name) {
			continue
		}
		shows := slices.Index(answers, "") // nowhere
		model := namedModel(t, h.Rules, with, d.Name)
		for i, e := range h.Events {
			if string(model.Apply(e).Answer.AppendJSON(nil)) != answers[i] {
				shows = i
				break
			}
		}
		base, seen := namedModel(t, h.Rules, with), sighting{}
		for _, e := range h.Events[:shows+1] {
			seen.add(e, base.Apply(e).Effects)
		}
		if shows >= 0 {
			require.True(t, seen.may(d.Name), "seed %d: %s beside %q shows at %d", seed, d.Name, with, shows)
		}
	}
}

func namedModel(t *testing.T, rules events.Rules, names ...string) *naive.Model {
	model, err := naive.New(rules, slices.DeleteFunc(names, func(name string) bool { return name == "" })...)
	require.NoError(t, err)
	return model
}
