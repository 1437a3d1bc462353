package journal

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConformance holds the two journals to one behaviour.
func TestConformance(t *testing.T) {
	kinds := map[string]func(*testing.T, Genesis) Journal{
		"memory": func(t *testing.T, g Genesis) Journal {
			m, err := NewMemory(g)
			require.NoError(t, err)
			return m
		},
		"file": func(t *testing.T, g Genesis) Journal {
			f, err := Create(t.TempDir()+"/j", g, Options{checkpointRecords: 32})
			require.NoError(t, err)
			t.Cleanup(func() { f.Close() })
			return f
		},
	}
	for kind, create := range kinds {
		for _, story := range stories {
			t.Run(kind+"/"+strings.ReplaceAll(story.name, " ", "-"), func(t *testing.T) {
				story.tell(t, func(g Genesis) Journal { return create(t, g) })
			})
		}
	}
}

// stories are what a journal has to do, one behaviour each.
var stories = []struct {
	name string
	tell func(t *testing.T, create func(Genesis) Journal)
}{
	{"an empty journal", emptyJournal},
	{"records come back as they were", recordsComeBack},
	{"scans take a part", scansTakeAPart},
	{"a scan ends where the journal ended", scanEnds},
	{"sequences have no gap", noGap},
	{"malformed records are refused", malformedRecords},
	{"heads do not depend on commits", headsDoNotDependOnCommits},
	{"every byte is in the head", everyByteIsInTheHead},
	{"a journal with a base", journalWithABase},
	{"snapshots of any length", snapshotsOfAnyLength},
	{"an unfinished snapshot is invisible", unfinishedSnapshot},
	{"snapshots keep their place", snapshotsKeepTheirPlace},
	{"appends while scanning", appendsWhileScanning},
	{"a closed journal", closedJournal},
}

func appendsWhileScanning(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.NoError(t, j.Append(samples(1, 500)...))
	var group sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		group.Go(func() {
			for n := 0; ; n++ {
				want := uint64(0)
				for r, err := range j.Scan(0, 0) {
					want++
					if err != nil || r.Sequence != want {
						t.Errorf("record %d where %d is due: %v", r.Sequence, want, err)
						return
					}
				}
				if want < 500 {
					t.Errorf("%d records", want)
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for j.Last() < 1200 {
		n := j.Last()
		require.NoError(t, j.Append(samples(n+1, n+1+n%5)...))
		if n%3 == 0 {
			addSnapshot(t, j, n, 3000)
		}
	}
	close(stop)
	group.Wait()
}

func closedJournal(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.NoError(t, j.Append(samples(1, 3)...))
	addSnapshot(t, j, 2, 10)
	require.NoError(t, j.Close())
	require.NoError(t, j.Close())
	require.ErrorIs(t, j.Append(sample(4)), ErrClosed)
	for _, err := range j.Scan(0, 0) {
		require.ErrorIs(t, err, ErrClosed)
	}
	_, err := j.Snapshots()
	require.ErrorIs(t, err, ErrClosed)
	_, err = j.OpenSnapshot(2)
	require.ErrorIs(t, err, ErrClosed)
	_, err = j.CreateSnapshot(3, [16]byte{})
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, j.DeleteSnapshot(2), ErrClosed)
	require.Equal(t, uint64(3), j.Last())
}
