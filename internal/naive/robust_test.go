package naive_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// randomHistory is a history of few names and short times, so that most of
// its operations meet each other. The same seed gives the same history.
func randomHistory(seed uint64, length int) []json.RawMessage {
	r := rand.New(rand.NewPCG(seed, 0))
	pick := func(choices ...string) string { return choices[r.IntN(len(choices))] }
	ts := r.IntN(20) - 10
	operations := make([]json.RawMessage, 0, length)
	for range length {
		ts += max(0, r.IntN(8)-5)
		client, lock, ttl := pick("a", "b", "c", "d", "A"), pick("L", "M", "N"), pick("1", "2", "5", "9", "30")
		arguments := ""
		name := pick("acquire", "acquire", "acquire", "acquire", "acquire", "renew", "release", "release",
			"write", "read", "inspect", "status", "repeat", "bad")
		switch name {
		case "acquire":
			arguments = fmt.Sprintf(`%q,%q,%s,%q`, client, lock, ttl, pick("shared", "exclusive", "exclusive"))
		case "renew":
			arguments = fmt.Sprintf(`%q,%q,%s`, client, lock, ttl)
		case "release":
			arguments = fmt.Sprintf(`%q,%q`, client, lock)
		case "write":
			arguments = fmt.Sprintf(`%q,%q,"v%d",%s`, lock, pick("k", "l"), r.IntN(100), pick("1", "2", "3", "9007199254740993"))
		case "read":
			arguments = fmt.Sprintf(`%q,%q`, lock, pick("k", "l"))
		case "inspect":
			arguments = fmt.Sprintf(`%q`, lock)
		case "status":
			arguments = fmt.Sprintf(`%q`, client)
		case "repeat":
			template := pick(`["acquire","c{i%4}","L",3]`, `["release","c{i+1%4}","L"]`, `["acquire","{i}","M",0]`,
				`["inspect","M"]`, `["read","L","k"]`, `["acquire","a",true,5]`, `["lock","a"]`)
			arguments = fmt.Sprintf(`%d,%d,%s`, r.IntN(6), r.IntN(3), template)
		case "bad":
			operations = append(operations, json.RawMessage(pick(
				fmt.Sprintf(`["acquire",%d,%q,%q,0]`, ts, client, lock),
				fmt.Sprintf(`["acquire",%d,%q,%q,86401,"read"]`, ts, client, lock),
				fmt.Sprintf(`["renew",%d,%q,%q,-1]`, ts, client, lock),
				fmt.Sprintf(`["lock",%d,%q]`, ts, client),
				fmt.Sprintf(`["read",%d,"\ud800",%q]`, ts, lock),
				fmt.Sprintf(`["renew",%d,%q,%q,6e1]`, ts, client, lock),
				fmt.Sprintf(`["release",%d,%q]`, ts, client),
				fmt.Sprintf(`["inspect",%d,%q]`, ts-3, lock),
				`["lock","now"]`, `["acquire"]`, `{}`, `null`, `[[],0]`, `["acquire",9223372036854775807,"a","L",1]`,
			)))
			continue
		}
		operations = append(operations, json.RawMessage(fmt.Sprintf(`[%q,%d,%s]`, name, ts, arguments)))
	}
	return operations
}

// TestDeviationsMayBeCombined only asks that every deviation, alone and with
// another, comes to an end and answers everything.
func TestDeviationsMayBeCombined(t *testing.T) {
	all := naive.Deviations()
	for i, d := range all {
		for _, step := range []int{0, 1, 7, 19, 43} {
			other := all[(i+step)%len(all)]
			for edition := events.Edition1; edition <= events.Edition3; edition++ {
				seed := uint64(i*100 + step)
				rules := events.Rules{Edition: edition, Unit: events.Second}
				results, err := naive.Run(rules, randomHistory(seed, 60), d.Name, other.Name)
				require.NoError(t, err)
				require.Len(t, results, 60)
			}
		}
	}
}

// TestRunsAreReproducible gives one history to two models.
func TestRunsAreReproducible(t *testing.T) {
	for seed := range uint64(50) {
		history := randomHistory(seed, 100)
		first, err := naive.Run(events.Current, history)
		require.NoError(t, err)
		second, err := naive.Run(events.Current, history)
		require.NoError(t, err)
		require.Equal(t, first, second)
	}
}

func TestNewRefusesWhatDoesNotExist(t *testing.T) {
	_, err := naive.New(events.Current, "renew-at-expiri")
	require.EqualError(t, err, `naive: no such deviation: "renew-at-expiri" (did you mean "renew-at-expiry"?)`)
	_, err = naive.New(events.Rules{})
	require.ErrorContains(t, err, "naive: events: no such edition")
	_, err = naive.Run(events.Current, []json.RawMessage{[]byte(`["inspect",0,"L"]`), []byte(`[`)})
	require.ErrorContains(t, err, "naive: operation 2: ")
}

func TestDeviationsAreDescribed(t *testing.T) {
	all := naive.Deviations()
	require.GreaterOrEqual(t, len(all), 60)
	for i, d := range all {
		require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, d.Name)
		require.Regexp(t, `^R([1-9]|[12][0-9]|30)$`, d.Rule)
		require.NotEmpty(t, d.Description)
		require.NotContains(t, d.Description, "\n")
		if i > 0 {
			require.Less(t, all[i-1].Name, d.Name)
		}
	}
}
