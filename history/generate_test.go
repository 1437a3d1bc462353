package history_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
)

// text is a history as one could write it down.
func text(h history.History) []byte {
	line := fmt.Appendf(nil, "%d %d\n", h.Rules.Edition, h.Rules.Unit)
	for _, e := range h.Events {
		line = append(events.AppendJSON(line, e), '\n')
	}
	return line
}

// golden are checksums of the histories of seeds 0 to 39, by profile.
var golden = map[string]string{
	"contention": "ed20f36d58da9531",
	"shared":     "983741589abb6a50",
	"deadlock":   "722192e35f24ffcf",
	"expiry":     "3fc066676e3df6ba",
	"idle":       "4a0bb7851db0dba7",
	"store":      "6aa1c0838189462f",
	"mistakes":   "e08ad480a392bb39",
	"wide":       "da40a0dd0b5f53d8",
	"everything": "0a899fd78ae4d8c9",
}

// TestHistoriesStayWhatTheyWere: a seed that somebody has noted down must give
// the same history in a year. Who changes what is drawn changes the checksums,
// and says so in the list of changes.
func TestHistoriesStayWhatTheyWere(t *testing.T) {
	sums := map[string]string{}
	for _, profile := range history.Profiles() {
		sum := sha256.New()
		for seed := range uint64(40) {
			sum.Write(text(history.Generate(history.DrawRules(seed), profile, seed, 60)))
		}
		sums[profile.Name] = hex.EncodeToString(sum.Sum(nil))[:16]
	}
	require.Equal(t, golden, sums)
}

func TestRulesAreDrawnInAllEditionsAndUnits(t *testing.T) {
	editions, units := map[events.Edition]int{}, map[events.Unit]int{}
	for seed := range uint64(1000) {
		rules := history.DrawRules(seed)
		require.NoError(t, rules.Validate())
		editions[rules.Edition]++
		units[rules.Unit]++
	}
	require.InDelta(t, 600, editions[events.Edition3], 60)
	require.InDelta(t, 200, editions[events.Edition2], 60)
	require.InDelta(t, 200, editions[events.Edition1], 60)
	require.InDelta(t, 500, units[events.Second], 60)
	require.Len(t, units, len(events.Units))
}

// TestGeneratorsDrawWhatGenerateDraws: whatever a generator has drawn before,
// and however long the history is to be.
func TestGeneratorsDrawWhatGenerateDraws(t *testing.T) {
	for _, profile := range history.Profiles() {
		g := history.NewGenerator(profile)
		for seed := range uint64(20) {
			rules := history.DrawRules(seed)
			long := g.Generate(rules, seed, 90)
			require.Len(t, long.Events, 90)
			short := history.Generate(rules, profile, seed, 30)
			require.Equal(t, long.Events[:30], short.Events, "%s, seed %d", profile.Name, seed)
		}
	}
}

// TestEventsAreThoseThatParseMakes: a history that is written down and read
// again is the same, in both outside forms.
func TestEventsAreThoseThatParseMakes(t *testing.T) {
	for _, profile := range history.Profiles() {
		g := history.NewGenerator(profile)
		for seed := range uint64(100) {
			requireCanonical(t, g.Generate(history.DrawRules(seed), seed, 50))
		}
	}
}

func requireCanonical(t *testing.T, h history.History) {
	t.Helper()
	for _, e := range h.Events {
		parsed, err := h.Rules.Parse(events.AppendJSON(nil, e))
		require.NoError(t, err)
		require.Equal(t, e, parsed)
		decoded, err := events.Decode(events.Append(nil, e))
		require.NoError(t, err)
		require.Equal(t, e, decoded)
	}
}

// TestStateMachineAgreesWithTheModel, whatever is drawn, in answers and effects;
// and the invariants hold in the end.
func TestStateMachineAgreesWithTheModel(t *testing.T) {
	for _, profile := range history.Profiles() {
		g := history.NewGenerator(profile)
		for seed := range uint64(400) {
			h := g.Generate(history.DrawRules(seed), seed, 50)
			d, differs, err := history.Check(h)
			require.NoError(t, err)
			require.False(t, differs, "%s, seed %d: %+v", profile.Name, seed, d)
			requireInvariants(t, h)
		}
	}
}

func requireInvariants(t *testing.T, h history.History) {
	t.Helper()
	state, err := fsm.New(h.Rules)
	require.NoError(t, err)
	m := fsm.NewMachine(state)
	for _, e := range h.Events {
		m.Apply(e)
	}
	require.NoError(t, fsm.Check(m.State()))
}

func TestProfilesAreFoundByName(t *testing.T) {
	profiles := history.Profiles()
	require.Equal(t, "everything", profiles[len(profiles)-1].Name)
	for _, profile := range profiles {
		found, err := history.ProfileNamed(profile.Name)
		require.NoError(t, err)
		require.Equal(t, profile, found)
		require.Regexp(t, `^[a-z]+$`, profile.Name)
		require.NotEmpty(t, profile.Description)
	}
	_, err := history.ProfileNamed("every")
	require.EqualError(t, err, `history: no such profile: "every" (there are contention, shared, deadlock, expiry, `+
		`idle, store, mistakes, wide, everything)`)
	profiles[0].Name = "other"
	require.False(t, slices.ContainsFunc(history.Profiles(), func(p history.Profile) bool { return p.Name == "other" }))
}

func TestGeneratePanicsOnWhatNobodyCanMean(t *testing.T) {
	require.PanicsWithValue(t, "history: the zero Profile is about nothing; take one from Profiles", func() {
		history.Generate(events.Current, history.Profile{}, 0, 1)
	})
	require.Panics(t, func() { history.Generate(events.Rules{}, history.Profiles()[0], 0, 1) })
	require.Empty(t, history.Generate(events.Current, history.Profiles()[0], 0, 0).Events)
}
