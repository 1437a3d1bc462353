package leasekeeper_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write the golden journals anew; never once they have been released")

// goldens are journals of format 1, one an edition, that must replay alike for
// ever: their heads and the fingerprints of their last states.
var goldens = map[events.Edition][2]string{
	1: {"680:3427e9d28e993d2173b482f211b918cb75196c87df07b8c9a02c728b22a0c606", "010080b6771ba4e2a26e0182dfc3ab86"},
	2: {"680:8acde286ed018b3dd22a7309140efb9715c60c2363c5008c772aac598db7a1ab", "48eb72311c5674448e6d682b352aadfe"},
	3: {"680:b59738f7e60bbb2817bf97f6f37565f97184326bb5a70e0d51093d85c56da5b2", "c0a959bc576fe416a71f81c6b81b8d4c"},
}

func goldenPath(edition events.Edition) string {
	return fmt.Sprintf("testdata/journals/edition-%d.journal", edition)
}

// goldenHistory is a part of the independently decided histories, told to one
// service one after another.
func goldenHistory(t testing.TB, rules events.Rules) []events.Event {
	var list []events.Event
	at := int64(0)
	for _, h := range histories(t)[20:30] {
		offset, first := int64(0), true
		for _, text := range h.Operations {
			e, err := rules.Parse(text)
			require.NoError(t, err)
			ts, moves := e.Instant()
			if moves && first {
				offset, first = at-ts, false
			}
			if moves {
				at = max(at, ts+offset)
			}
			list = append(list, shifted(rules, e, offset))
		}
		at += 1000
	}
	return list
}

// shifted is the event later by an offset.
func shifted(rules events.Rules, e events.Event, offset int64) events.Event {
	switch e := e.(type) {
	case events.Acquire:
		e.At += offset
		return e
	case events.Renew:
		e.At += offset
		return e
	case events.Release:
		e.At += offset
		return e
	case events.Write:
		e.At += offset
		return e
	case events.Read:
		e.At += offset
		return e
	case events.Inspect:
		e.At += offset
		return e
	case events.Status:
		e.At += offset
		return e
	}
	return events.Invalid{Raw: `["no such operation",0]`, Refusal: events.UnknownOperation}
}

// writeGolden records the golden history, with snapshots on the way.
func writeGolden(t testing.TB, path string, edition events.Edition, lie func(*journal.Record)) {
	rules := events.Rules{Edition: edition, Unit: events.Second}
	g, err := journal.NewGenesis(rules, bytes.NewReader(bytes.Repeat([]byte{byte(edition)}, 16)))
	require.NoError(t, err)
	j, err := journal.Create(path, g, journal.Options{})
	require.NoError(t, err)
	state, err := fsm.New(rules)
	require.NoError(t, err)
	m := fsm.NewMachine(state)
	for i, e := range goldenHistory(t, rules) {
		result := m.Apply(e)
		r := journal.Record{
			Sequence: result.Sequence, Event: events.Append(nil, e), Fingerprint: m.Fingerprint(),
			Answer: journal.NewAnswer(result.Answer.AppendJSON(nil)),
		}
		if lie != nil {
			lie(&r)
		}
		require.NoError(t, j.Append(r))
		if i%100 == 99 {
			w, err := j.CreateSnapshot(result.Sequence, m.Fingerprint())
			require.NoError(t, err)
			_, err = snapshot.Write(w, m.State())
			require.NoError(t, err)
			require.NoError(t, w.Commit())
		}
	}
	require.NoError(t, j.Close())
}

// Golden journals replay identically, from the genesis and every snapshot.
func TestGoldenJournals(t *testing.T) {
	for edition, want := range goldens {
		t.Run(fmt.Sprint("edition ", edition), func(t *testing.T) {
			path := goldenPath(edition)
			if *rewrite {
				require.NoError(t, os.RemoveAll(path))
				writeGolden(t, path, edition, nil)
			}
			report, err := journal.Verify(path, journal.VerifyOptions{})
			require.NoError(t, err)
			require.Equal(t, edition, report.Genesis.Rules.Edition)
			j, err := journal.Open(path, journal.Options{ReadOnly: true})
			require.NoError(t, err)
			defer j.Close()
			starts := []uint64{0}
			for _, s := range report.Snapshots {
				starts = append(starts, s.Sequence)
			}
			require.Greater(t, len(starts), 3)
			proof, err := leasekeeper.Prove(j, leasekeeper.ProofOptions{Starts: starts})
			require.NoError(t, err)
			require.Nil(t, proof.First)
			require.Empty(t, proof.BadSnapshots)
			require.Equal(t, want, [2]string{report.Head.String(), proof.Final.Fingerprint().String()})
			require.NoError(t, fsm.Check(proof.Final))
		})
	}
}
