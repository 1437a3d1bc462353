package lab

import (
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/internal/naive"
	"github.com/stretchr/testify/require"
)

func TestAWrongClaimFails(t *testing.T) {
	var c claims
	c.equal("two and two", 5, 2+2)
	c.within("a count", span{1, 3}, 4)
	c.figures(&bench{Setting: Setting{Operations: 100}, exact: true}, []known{{"exactly", 7, 8, 0.5}})
	c.figures(&bench{Setting: Setting{Operations: 100}}, []known{{"in range", 7, 99, 0.5}})
	for _, claim := range c {
		require.False(t, claim.Holds, "%+v", claim)
	}
	c = nil
	c.equal("two and two", 4, 2+2)
	c.within("a count", span{1, 3}, 3)
	c.figures(&bench{Setting: Setting{Operations: 100}}, []known{{"in range", 7, 50, 0.5}})
	for _, claim := range c {
		require.True(t, claim.Holds, "%+v", claim)
	}
}

// failing are the experiments of which a claim fails if the service gets a rule
// wrong.
func failing(t *testing.T, deviation string, operations int) (names []string) {
	t.Helper()
	for _, x := range All() {
		s := Setting{Seed: x.Seed, Operations: operations, Engine: Deviating(deviation)}
		o, err := x.Run(s)
		require.NoError(t, err, deviation)
		for _, c := range o.Claims {
			if !c.Holds {
				names = append(names, x.Name)
				break
			}
		}
	}
	return names
}

// A lab that always says yes would show nothing. Each of these wrong services is
// caught by the experiments whose lesson depends on the rule.
func TestClaimsFailWhereAServiceGetsARuleWrong(t *testing.T) {
	for _, test := range []struct{ deviation, experiments string }{
		{"stale-token-accepted", "fencing client-check sizing designs replication"},     // R6
		{"store-requires-higher", "lease fencing client-check designs gap replication"}, // R6: a plain resource no longer is one
		{"rejected-value-kept", "fencing client-check replication"},                     // R6
		{"counter-reset-when-idle", "fencing client-check replication"},                 // R5
		{"queue-grant-keeps-token", "sizing designs"},                                   // R5
		{"lapse-without-hand-over", "no-expiry sizing"},                                 // R3
		{"hand-over-at-observation", ""},                                                // R3: everybody here looks in time
		{"release-without-hand-over", "no-expiry"},                                      // R3, R7
	} {
		caught := failing(t, test.deviation, 300)
		for _, name := range strings.Fields(test.experiments) {
			require.Contains(t, caught, name, test.deviation)
		}
		if test.experiments == "" {
			require.Empty(t, caught, test.deviation)
		}
	}
}

// Whatever a service gets wrong, an experiment ends and reports it, and every
// experiment is spoilt by something.
func TestEveryDeviationIsBorne(t *testing.T) {
	spoilt := map[string]int{}
	for _, d := range naive.Deviations() {
		for _, name := range failing(t, d.Name, 20) {
			spoilt[name]++
		}
	}
	for _, x := range All() {
		require.NotZero(t, spoilt[x.Name], x.Name)
	}
}

func TestAnEngineThatDoesNotExist(t *testing.T) {
	_, err := fencing.Run(Setting{Engine: Deviating("no-such-thing")})
	require.ErrorContains(t, err, "no-such-thing")
}
