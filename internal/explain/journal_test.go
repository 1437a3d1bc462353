package explain

import (
	"bytes"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/leasekeeper/leasekeeper/snapshot"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// journaled keeps a tale in a journal, with snapshots after the given events.
func journaled(t require.TestingT, s *tale, snapshots map[uint64]bool) *Journal {
	genesis, err := journal.NewGenesis(s.world.Rules, bytes.NewReader(make([]byte, 16)))
	require.NoError(t, err)
	j, err := journal.NewMemory(genesis)
	require.NoError(t, err)
	m := fsm.NewMachine(s.states[0])
	for i, e := range s.events {
		result := m.Apply(e)
		require.NoError(t, j.Append(journal.Record{
			Sequence: uint64(i + 1), Event: events.Append(nil, e), Fingerprint: m.Fingerprint(),
			Answer: journal.NewAnswer(result.Answer.AppendJSON(nil)),
		}))
		if snapshots[uint64(i+1)] {
			w, err := j.CreateSnapshot(uint64(i+1), m.Fingerprint())
			require.NoError(t, err)
			_, err = snapshot.Write(w, m.State())
			require.NoError(t, err)
			require.NoError(t, w.Commit())
		}
	}
	return NewJournal(j, func(err error) { require.NoError(t, err) })
}

// Where a replay begins changes nothing: from snapshots, with all the time in
// the world to look back, the account is that of a replay from the genesis. With
// less time a fact may go back to before some event, but to no wrong one.
func TestSnapshotsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawTale(t)
		last := s.source.Last()
		snapshots := map[uint64]bool{}
		for range rapid.IntRange(0, 5).Draw(t, "snapshots") {
			snapshots[rapid.Uint64Range(1, last).Draw(t, "snapshot")] = true
		}
		kept := journaled(t, s, snapshots)
		n := rapid.Uint64Range(1, last).Draw(t, "event")
		whole, err := Event(s.source, n, Options{})
		require.NoError(t, err)
		same, err := Event(kept, n, Options{Budget: -1})
		require.NoError(t, err)
		require.Equal(t, whole, same)

		short, err := Event(kept, n, Options{Budget: rapid.Int64Range(1, 10).Draw(t, "budget")})
		require.NoError(t, err)
		told := map[string]bool{}
		for _, text := range whole.Texts() {
			told[text] = true
		}
		for _, f := range short.Facts {
			if f.BeforeEvent == 0 && f.Event != 0 && f.EndEvent == 0 {
				require.True(t, told[f.Text], "%s", f.Text)
			}
			require.LessOrEqual(t, f.BeforeEvent, n)
		}

		clock, _ := s.states[last].Clock()
		at := Place{At: new(rapid.Int64Range(-25, clock+9).Draw(t, "instant"))}
		lock := rapid.SampledFrom(s.world.Locks).Draw(t, "lock")
		whole, err = LockAt(s.source, lock, at, Options{})
		require.NoError(t, err)
		same, err = LockAt(kept, lock, at, Options{Budget: -1})
		require.NoError(t, err)
		require.Equal(t, whole, same)
		client := rapid.SampledFrom(s.world.Clients).Draw(t, "client")
		whole, err = ClientAt(s.source, client, at, Options{})
		require.NoError(t, err)
		same, err = ClientAt(kept, client, at, Options{Budget: -1})
		require.NoError(t, err)
		require.Equal(t, whole, same)
	})
}

// A journal whose first events are in an archive explains what it still has.
func TestWhatLiesBeforeTheOldestSnapshot(t *testing.T) {
	s := story(t,
		`["acquire",0,"a","L",100]`, `["write",1,"L","k","v",1]`, `["acquire",2,"b","L",50]`, `["inspect",3,"L"]`,
		`["release",4,"b","M"]`, `["read",5,"L","k"]`,
	)
	source := journaled(t, s, map[uint64]bool{3: true})
	account, err := Event(source, 4, Options{Budget: 1})
	require.NoError(t, err)
	require.Equal(t, []string{
		`Event #4, at clock 3, is ["inspect",3,"L"].`,
		`By the rules its answer is {"holders":[["a","exclusive",1,100]],"queue":[["b","exclusive"]]}.`,
		`a holds L, exclusive, with token 1 until 100, since some time before #4. (R2, R5)`,
		`Nobody who waits for L is granted it, because b at the head of the queue does not fit: an exclusive lease needs a lock that nobody holds. Nobody overtakes the head. (R9, R11)`,
		`b waits for L, exclusive, at position 1, since some time before #4. (R4)`,
		`The high-water mark of L was 1 already before #4. (R6)`,
	}, account.Texts())
	account, err = Event(source, 5, Options{Budget: 1})
	require.NoError(t, err)
	require.Contains(t, account.Texts(), `b holds no lease on M, and no lease of it has ended since event #4, which is as far back as this looked. (R2, R7)`)
	account, err = Event(source, 6, Options{Budget: 1})
	require.NoError(t, err)
	require.Contains(t, account.Texts(), `The value of k under L was written before #4. (R6)`)
	account, err = Event(source, 6, Options{})
	require.NoError(t, err)
	require.Contains(t, account.Texts(), `The value of k under L was written last at 1 (#2), with token 1. (R6)`)
}
