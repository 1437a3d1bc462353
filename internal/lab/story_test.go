package lab

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/stretchr/testify/require"
)

// A lock without expiry wedges behind a crash (R4); a lease of 10 s hands it over
// (R3), and the nine who are left all complete.
func TestACrashWedgesALockWithoutExpiry(t *testing.T) {
	require.Equal(t, []string{
		"all-fine | 10 | 0 | 10 s | goes on", "crash | 3 | 6 | 3 s | WEDGED", "crash-leased | 9 | 0 | 19 s | goes on",
	}, column(t, reference(t, noExpiry), "case", "completed", "waiting", "last_s", "verdict"))
}

// A lease of 10 s is gone at 10 s (R2): a pause of 9.9 s is harmless, one of 10.1 s
// lets two write, and the older value stays.
func TestAPauseLongerThanTheLeaseLetsTwoWrite(t *testing.T) {
	require.Equal(t, []string{
		"2.0 s | no | A | 200 | safe", "9.9 s | no | A | 200 | safe",
		"10.1 s | yes | BA | 200 | SPLIT BRAIN", "30.0 s | yes | BA | 200 | SPLIT BRAIN",
	}, column(t, reference(t, leases), "pause_s", "b_acquired", "writers", "stays", "verdict"))
}

// The fence refuses what is older than what it has seen (R6), and that alone: a
// late write before the first one of the new holder, and an equal token, pass.
func TestTheFenceRefusesOlderTokens(t *testing.T) {
	rows := column(t, reference(t, fencing), "pause_s", "resource", "token_a", "token_b", "writes", "stays", "verdict")
	require.Equal(t, []string{
		"10.1 s | plain | 1 | 2 | B ok, A ok | 200 | SPLIT BRAIN", "30.0 s | plain | 1 | 2 | B ok, A ok | 200 | SPLIT BRAIN",
		"2.0 s | fenced | 1 | – | A ok | 200 | safe", "9.9 s | fenced | 1 | – | A ok | 200 | safe",
		"10.1 s | fenced | 1 | 2 | B ok, A REFUSED | 100 | safe", "30.0 s | fenced | 1 | 2 | B ok, A REFUSED | 100 | safe",
		"10.1 s | fenced | 1 | 2 | A ok, B ok | 100 | safe", "10.1 s | fenced | 1 | 2 | B ok, B ok, A REFUSED | 100 | safe",
	}, rows[2:])
}

// A check by the client helps unless the pause comes behind it.
func TestAClientsCheckIsNotTheFence(t *testing.T) {
	require.Equal(t, []string{"B | 100 | safe", "BA | 200 | SPLIT BRAIN", "B | 100 | safe"},
		column(t, reference(t, clientCheck), "writers", "stays", "verdict"))
}

// More servers survive more, and none of them makes the fence unnecessary: a plain
// resource keeps the older value in every row. Servers apart have no common
// counter, so there even a fence keeps it (R5).
func TestMoreServersDoNotReplaceTheFence(t *testing.T) {
	require.Equal(t, []string{
		"0 of 1 | 1 of 1 | 200 | 100", "2 of 5 | 0 of 4 | 200 | 100", "2 of 5 | 1 of 1 | 200 | 100", "2 of 5 | 5 of 5 | 200 | 200",
	}, column(t, reference(t, replication), "survives", "two_holders", "plain_keeps", "fenced_keeps"))
}

// A history that an experiment writes down gets the same answers again from the
// rules, and says which rules.
func TestHistoriesReplayToTheirAnswers(t *testing.T) {
	for _, x := range All() {
		o, err := x.Run(Setting{Seed: x.Seed, Operations: 4000})
		require.NoError(t, err)
		require.Equal(t, x.HasHistory, o.History != nil, x.Name)
		require.Equal(t, x.HasPlot, o.Plot != nil, x.Name)
		if o.History == nil {
			continue
		}
		var written struct {
			Name, Unit          string
			Edition             int
			Operations, Results []json.RawMessage
		}
		decoder := json.NewDecoder(bytes.NewReader(o.History.AppendJSON(nil)))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&written), x.Name)
		require.Equal(t, o.History.Rules.Unit.String(), written.Unit)
		require.NotEmpty(t, written.Operations, x.Name)
		i := 0
		for result, err := range leasekeeper.RunSeq(o.History.Rules, each(written.Operations)) {
			require.NoError(t, err)
			require.Equal(t, string(written.Results[i]), string(result.Answer.AppendJSON(nil)), "%s, operation %d", x.Name, i+1)
			i++
		}
		require.Len(t, written.Results, i)
	}
}

func each(list []json.RawMessage) func(func(json.RawMessage) bool) {
	return func(yield func(json.RawMessage) bool) {
		for _, text := range list {
			if !yield(text) {
				return
			}
		}
	}
}

func TestASettingOutOfRange(t *testing.T) {
	for _, n := range []int{0, -1, MaxOperations + 1} {
		_, err := sizing.Run(Setting{Seed: 1, Operations: n})
		require.ErrorContains(t, err, "1 to 1000000")
	}
	_, err := Find("fence")
	require.EqualError(t, err, `lab: there is no experiment "fence"; there are no-expiry, lease, fencing, client-check, sizing, designs, gap, replication`)
}

func TestAnAgendaKeepsItsOrder(t *testing.T) {
	var a agenda
	var happened []int64
	note := func(at int64) { happened = append(happened, at) }
	a.put(5, func(at int64) {
		note(at)
		a.put(2, note) // too late: it happens now, behind what is already due
	})
	a.put(9, note)
	a.put(5, func(int64) { note(-5) })
	a.put(11, note)
	a.runUntil(10)
	require.Equal(t, []int64{5, -5, 5, 9}, happened)
	require.Equal(t, int64(10), a.now)
}
