package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/leasekeeper/leasekeeper/events"
)

func TestPlainNamesAreCounted(t *testing.T) {
	seen := map[string]bool{}
	for r := range roles {
		for i := range 200 {
			name := plainName(r, i)
			require.False(t, seen[name], "%s is a name of two things", name)
			seen[name] = true
			index, ok := plainIndex(r, name)
			require.True(t, ok, name)
			require.Equal(t, i, index, name)
		}
		for _, name := range []string{"", "0", "a0", "a01", "a1x", "L-1", "aa", "é", "a99999999999999999999", strings.Repeat("a", 1000)} {
			_, ok := plainIndex(r, name)
			require.False(t, ok, "%q", name)
		}
	}
}

// TestSmallerEndsAtTheLeast takes the first number that will do, again and again,
// where all numbers from some on will do.
func TestSmallerEndsAtTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1<<63-1).Draw(t, "number")
		goal := rapid.Int64Range(1, n).Draw(t, "least that will do")
		steps := 0
		for again := true; again; steps++ {
			again = false
			for m := range smaller(n, 1) {
				require.Less(t, m, n)
				require.GreaterOrEqual(t, m, int64(1))
				if m >= goal {
					n, again = m, true
					break
				}
			}
		}
		require.Equal(t, goal, n)
		require.Less(t, steps, 70)
	})
}

// TestMovesProposeWhatCouldBeRead draws small histories and looks at everything
// that is proposed in their place.
func TestMovesProposeWhatCouldBeRead(t *testing.T) {
	everything, err := ProfileNamed("everything")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		h := Generate(DrawRules(seed), everything, seed, rapid.IntRange(0, 5).Draw(t, "operations"))
		before := fmt.Sprint(h.Events)
		for i, m := range moves {
			count := 0
			for proposal := range m(h) {
				require.NoError(t, proposal.Rules.Validate())
				if count%7 == 0 {
					require.True(t, slices.Equal(under(proposal.Rules, proposal).Events, proposal.Events), "move %d: %v", i, proposal)
				}
				if count++; count == 500 {
					break // a move ends when it is told to
				}
			}
		}
		require.Equal(t, before, fmt.Sprint(h.Events), "a move has changed its history")
	})
}

// TestRebuiltHistoriesLeadToTheSameLeases has a queue that was served, and asks
// for what is left of it directly.
func TestRebuiltHistoriesLeadToTheSameLeases(t *testing.T) {
	h := History{Rules: events.Current}
	for _, text := range []string{
		`["acquire",0,"a","L",1]`, `["acquire",0,"b","L",5]`, `["acquire",0,"c","L",7]`, `["acquire",0,"a","M",9]`, `["inspect",1,"L"]`,
	} {
		h.Events = append(h.Events, parsed(h.Rules, text))
	}
	var all []string
	for proposal := range rebuilt(h) {
		var lines []string
		for _, e := range proposal.Events {
			lines = append(lines, string(events.AppendJSON(nil, e)))
		}
		all = append(all, strings.Join(lines, " "))
	}
	require.Contains(t, all,
		`["acquire",0,"a","M",8] ["acquire",0,"b","L",5] ["acquire",0,"c","L",7] ["inspect",0,"L"]`)
}
