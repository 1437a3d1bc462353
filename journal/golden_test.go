package journal

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden journal anew (never, once it has been released)")

// golden is a journal of format 1, as small makes it. It was written once and
// must open for ever; goldenHead is its head.
const (
	golden     = "testdata/format-1.journal"
	goldenHead = "67:480d04f2cd0a59813f99ed14237a74d95c54b20a93fd990029fd03aaa2283b91"
)

// TestGolden reads what an old program has written, verifies it, and writes
// on.
func TestGolden(t *testing.T) {
	if *update {
		require.NoError(t, os.WriteFile(golden, small(t), 0o644))
	}
	want, err := ParseHead(goldenHead)
	require.NoError(t, err)
	report, err := Verify(golden, VerifyOptions{Head: &want})
	require.NoError(t, err)
	require.Equal(t, testGenesis(), report.Genesis)
	require.Equal(t, want, report.Head)

	b, err := os.ReadFile(golden)
	require.NoError(t, err)
	e, err := learn(image(b).file())
	require.NoError(t, err)
	require.Empty(t, e.wrong(smallTruth(), nil))

	path := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	f, err := Open(path, Options{})
	require.NoError(t, err)
	require.NoError(t, f.Append(samples(68, 100)...))
	require.NoError(t, f.Close())
	_, err = Verify(path, VerifyOptions{Head: &want})
	require.NoError(t, err)
}

// smallTruth is what small has put into its journal.
func smallTruth() everything {
	list := smallRecords()
	c := chainOf(testGenesis())
	for i := range list {
		c.add(list[i].append(nil)[keySize:])
	}
	return everything{
		genesis: testGenesis(),
		head:    c.head(),
		records: list,
		snapshots: []Snapshot{
			{Sequence: 33, Fingerprint: sample(33).Fingerprint, Bytes: 2500},
			{Sequence: 40, Fingerprint: sample(40).Fingerprint, Bytes: 100},
		},
		contents: [][]byte{content(2500), content(100)},
	}
}

// FuzzImage reads journals with bytes overwritten anywhere: errors may come,
// panics and wrong records may not.
func FuzzImage(f *testing.F) {
	b, err := os.ReadFile(golden)
	if err != nil {
		f.Fatal(err)
	}
	truth := smallTruth()
	f.Add(uint32(5*4096), []byte{1, 2, 3, 4}, uint32(4096*7+10), []byte{0})
	f.Add(uint32(40), []byte{9}, uint32(4096+40), []byte{9})
	f.Fuzz(func(t *testing.T, at1 uint32, patch1 []byte, at2 uint32, patch2 []byte) {
		b := append(image(nil), b...)
		copy(b[int(at1)%len(b):], patch1)
		copy(b[int(at2)%len(b):], patch2)
		e, err := learn(b.file())
		require.Empty(t, e.wrong(truth, err))
		_, verr := verify(b.file(), VerifyOptions{})
		require.False(t, err != nil && verr == nil, "Verify misses %v", err)
	})
}
