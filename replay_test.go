package leasekeeper_test

import (
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
	"github.com/stretchr/testify/require"
)

// moment is what one event brought about, and the state after it.
type moment struct {
	result events.Result
	state  fsm.State
}

// live runs a history and keeps everything.
func live(t testing.TB, h decided) []moment {
	state, err := fsm.New(events.Current)
	require.NoError(t, err)
	m := fsm.NewMachine(state)
	var moments []moment
	for _, text := range h.Operations {
		event, err := events.Current.Parse(text)
		require.NoError(t, err)
		result := m.Apply(event)
		result.Effects = slices.Clone(result.Effects)
		moments = append(moments, moment{result, m.State()})
	}
	return moments
}

// record writes a history to a journal, with a snapshot after every event.
func record(t testing.TB, j journal.Journal, h decided, moments []moment) {
	for i, text := range h.Operations {
		event, err := events.Current.Parse(text)
		require.NoError(t, err)
		state := moments[i].state
		require.NoError(t, j.Append(journal.Record{
			Sequence: uint64(i + 1), Event: events.Append(nil, event), Fingerprint: state.Fingerprint(),
			Answer: journal.NewAnswer(moments[i].result.Answer.AppendJSON(nil)),
		}))
		w, err := j.CreateSnapshot(uint64(i+1), state.Fingerprint())
		require.NoError(t, err)
		_, err = snapshot.Write(w, state)
		require.NoError(t, err)
		require.NoError(t, w.Commit())
	}
}

// Law 3: replay from genesis ≡ replay from every snapshot ≡ live, in
// answers, effects and fingerprints, at every event.
func TestLaw3ReplayFromEverySnapshotIsTheLiveRun(t *testing.T) {
	for kind, open := range journals {
		all := histories(t)
		if kind == "file" && testing.Short() {
			all = all[:8]
		}
		for _, h := range all {
			t.Run(kind+"/"+h.Name, func(t *testing.T) {
				t.Parallel() // most of the time goes to waiting for the disk
				moments := live(t, h)
				j := open(t)
				defer j.Close()
				record(t, j, h, moments)
				requireReplay(t, j, nil, moments)
				snapshots, err := j.Snapshots()
				require.NoError(t, err)
				require.Len(t, snapshots, len(moments))
				for _, info := range snapshots {
					start, err := leasekeeper.ReadSnapshot(j, info)
					require.NoError(t, err)
					require.Empty(t, fsm.Diff(moments[info.Sequence-1].state, start))
					requireReplay(t, j, &start, moments)
				}
			})
		}
	}
}

// requireReplay replays from a state to the end and compares every event.
func requireReplay(t testing.TB, j journal.Journal, from *fsm.State, moments []moment) {
	next := 0
	if from != nil {
		next = int(from.Sequence())
	}
	final, err := leasekeeper.Replay(j, leasekeeper.ReplayOptions{From: from, Each: func(s *leasekeeper.Step) error {
		want := moments[next]
		next++
		require.Equal(t, want.result, s.Result)
		require.Nil(t, s.Differs)
		require.Equal(t, [16]byte(want.state.Fingerprint()), s.Recorded.Fingerprint)
		return nil
	}})
	require.NoError(t, err)
	require.Equal(t, len(moments), next)
	require.Empty(t, fsm.Diff(moments[len(moments)-1].state, final))
}

// Prove finds nothing in a journal that tells the truth, from any start.
func TestProveAgrees(t *testing.T) {
	h := histories(t)[25]
	moments := live(t, h)
	for kind, open := range journals {
		t.Run(kind, func(t *testing.T) {
			j := open(t)
			defer j.Close()
			record(t, j, h, moments)
			starts := []uint64{0}
			for i := range moments {
				starts = append(starts, uint64(i+1))
			}
			proof, err := leasekeeper.Prove(j, leasekeeper.ProofOptions{Starts: starts})
			require.NoError(t, err)
			require.Nil(t, proof.First)
			n := uint64(len(moments))
			require.Equal(t, n*(n+1)/2, proof.Events)
			require.Equal(t, moments[n-1].state.Fingerprint(), proof.Final.Fingerprint())
		})
	}
}

// Prove names the first event whose answer, fingerprint or snapshot is not
// what the rules give, and the rows in which a snapshot differs.
func TestProveFindsTheFirstLie(t *testing.T) {
	h := histories(t)[25]
	moments := live(t, h)
	lie := len(moments) / 2
	cases := map[string]func(*journal.Record){
		"answer":      func(r *journal.Record) { r.Answer = journal.NewAnswer([]byte(`"ok, trust me"`)) },
		"fingerprint": func(r *journal.Record) { r.Fingerprint[7] ^= 1 },
	}
	for what, tell := range cases {
		t.Run(what, func(t *testing.T) {
			j := journals["memory"](t)
			for i, text := range h.Operations {
				event, err := events.Current.Parse(text)
				require.NoError(t, err)
				r := journal.Record{
					Sequence: uint64(i + 1), Event: events.Append(nil, event), Fingerprint: moments[i].state.Fingerprint(),
					Answer: journal.NewAnswer(moments[i].result.Answer.AppendJSON(nil)),
				}
				if i >= lie {
					tell(&r)
				}
				require.NoError(t, j.Append(r))
			}
			proof, err := leasekeeper.Prove(j, leasekeeper.ProofOptions{})
			require.NoError(t, err)
			require.NotNil(t, proof.First)
			require.EqualValues(t, lie+1, proof.First.Sequence)
			require.Equal(t, what, proof.First.What)
			_, err = leasekeeper.Keep(j, leasekeeper.Options{})
			require.ErrorIs(t, err, leasekeeper.ErrMismatch)
			var warned []error
			k, err := leasekeeper.Keep(j, leasekeeper.Options{AllowMismatch: true, Warn: func(err error) { warned = append(warned, err) }})
			require.NoError(t, err)
			require.Len(t, warned, len(moments)-lie)
			require.Equal(t, moments[len(moments)-1].state.Fingerprint(), k.State().Fingerprint())
			require.NoError(t, k.Close())
		})
	}
	t.Run("snapshot", func(t *testing.T) {
		j := journals["memory"](t)
		record(t, j, h, moments)
		// The snapshot of another event, made out to be this one's: it is whole,
		// and wrong.
		forged := forge(t, moments[lie-1].state, uint64(lie+1))
		require.NoError(t, j.DeleteSnapshot(uint64(lie+1)))
		w, err := j.CreateSnapshot(uint64(lie+1), forged.Fingerprint())
		require.NoError(t, err)
		_, err = snapshot.Write(w, forged)
		require.NoError(t, err)
		require.NoError(t, w.Commit())
		proof, err := leasekeeper.Prove(j, leasekeeper.ProofOptions{})
		require.NoError(t, err)
		require.NotNil(t, proof.First)
		require.EqualValues(t, lie+1, proof.First.Sequence)
		require.Equal(t, "snapshot", proof.First.What)
		require.Equal(t, fsm.Diff(forged, moments[lie].state), proof.Rows)
		require.NotEmpty(t, proof.Rows)
	})
}

// forge gives a state another sequence.
func forge(t testing.TB, s fsm.State, sequence uint64) fsm.State {
	whole := s.Whole()
	whole.Sequence = sequence
	r, err := fsm.NewRestorer(whole)
	require.NoError(t, err)
	for c := range s.Clients() {
		require.NoError(t, r.Client(c))
	}
	for l := range s.Locks() {
		require.NoError(t, r.Lock(l))
	}
	forged, err := r.Finish()
	require.NoError(t, err)
	return forged
}
