package journal

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func emptyJournal(t *testing.T, create func(Genesis) Journal) {
	g := testGenesis()
	j := create(g)
	require.Equal(t, g, j.Genesis())
	require.Zero(t, j.Last())
	require.Equal(t, Head{Hash: g.identity()}, j.Head())
	require.Empty(t, collect(t, j, 0, 0))
	require.NoError(t, j.Append())
	list, err := j.Snapshots()
	require.NoError(t, err)
	require.Empty(t, list)
}

// collect scans and keeps copies.
func collect(t *testing.T, j Journal, from, to uint64) []Record {
	t.Helper()
	var list []Record
	for r, err := range j.Scan(from, to) {
		require.NoError(t, err)
		list = append(list, keep(r))
	}
	return list
}

// keep copies a record's bytes.
func keep(r Record) Record {
	r.Event = slices.Clone(r.Event)
	r.Answer.kept = slices.Clone(r.Answer.kept)
	return r
}

func recordsComeBack(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	long := []byte(`"` + strings.Repeat("x", 5000) + `"`)
	list := samples(1, 6)
	list[1].Marks = Clamped | Foreign
	list[2].Answer = NewAnswer(long)
	list[3].Answer = NewAnswer(long[:MaxAnswer])
	list[4].Event = append([]byte{0x91}, content(200_000)...)
	list[5].Answer = NewAnswer([]byte("0"))
	for _, r := range list {
		require.NoError(t, j.Append(r))
	}
	got := collect(t, j, 0, 0)
	require.Equal(t, list, got)

	_, ok := got[2].Answer.JSON()
	require.False(t, ok, "only the hash of a long answer is kept")
	require.True(t, got[2].Answer.Is(long))
	require.False(t, got[2].Answer.Is(long[1:]))
	require.True(t, got[3].Answer.Is(long[:MaxAnswer]))
	require.Equal(t, NewAnswer(long).Hash(), got[2].Answer.Hash())
}

func scansTakeAPart(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	all := samples(1, 300)
	require.NoError(t, j.Append(all...))
	for _, span := range [][2]uint64{{1, 1}, {300, 300}, {29, 31}, {1, 300}, {100, 100_000}} {
		got := collect(t, j, span[0], span[1])
		require.Equal(t, all[span[0]-1:min(span[1], 300)], got)
	}
	require.Equal(t, all[249:], collect(t, j, 250, 0))
	require.Equal(t, all[:7], collect(t, j, 0, 7))
	require.Empty(t, collect(t, j, 301, 0))
	require.Empty(t, collect(t, j, 20, 10))
	for r, err := range j.Scan(5, 0) { // a caller may stop at any time
		require.NoError(t, err)
		require.Equal(t, uint64(5), r.Sequence)
		break
	}
}

func scanEnds(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.NoError(t, j.Append(samples(1, 50)...))
	seen := 0
	for range j.Scan(0, 0) {
		seen++
		require.NoError(t, j.Append(sample(j.Last()+1)))
	}
	require.Equal(t, 50, seen)
	require.Equal(t, uint64(100), j.Last())
}

func noGap(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.ErrorIs(t, j.Append(sample(0)), ErrSequence)
	require.ErrorIs(t, j.Append(sample(2)), ErrSequence)
	require.NoError(t, j.Append(samples(1, 3)...))
	require.ErrorIs(t, j.Append(sample(3)), ErrSequence)
	require.ErrorIs(t, j.Append(sample(4), sample(6)), ErrSequence)
	require.Equal(t, uint64(3), j.Last(), "a refused call adds nothing")
	require.NoError(t, j.Append(sample(4), sample(5)), "and harms nothing")
	require.Equal(t, samples(1, 5), collect(t, j, 0, 0))
}

func malformedRecords(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	for _, spoil := range []func(*Record){
		func(r *Record) { r.Event = nil },
		func(r *Record) { r.Event = []byte("no array") },
		func(r *Record) { r.Event = append([]byte{0x91}, make([]byte, MaxEvent)...) },
		func(r *Record) { r.Answer = Answer{} },
		func(r *Record) { r.Marks = 1 << 7 },
	} {
		r := sample(1)
		spoil(&r)
		require.ErrorIs(t, j.Append(r), ErrRecord)
	}
	require.Zero(t, j.Last())
}

func headsDoNotDependOnCommits(t *testing.T, create func(Genesis) Journal) {
	all := samples(1, 100)
	var heads []Head
	for _, batch := range []int{1, 7, 16, 100} {
		j := create(testGenesis())
		for part := range slices.Chunk(all, batch) {
			require.NoError(t, j.Append(part...))
		}
		heads = append(heads, j.Head())
	}
	require.Equal(t, uint64(100), heads[0].Sequence)
	for _, h := range heads[1:] {
		require.Equal(t, heads[0], h)
	}
}

func everyByteIsInTheHead(t *testing.T, create func(Genesis) Journal) {
	heads := map[Head]bool{}
	for _, spoil := range []func(*Genesis, *Record){
		func(*Genesis, *Record) {},
		func(g *Genesis, _ *Record) { g.ID[3]++ },
		func(g *Genesis, _ *Record) { g.Rules.Edition = 2 },
		func(g *Genesis, _ *Record) { g.Rules.Unit = 1000 },
		func(_ *Genesis, r *Record) { r.Event[5]++ },
		func(_ *Genesis, r *Record) { r.Answer.kept[3]++ },
		func(_ *Genesis, r *Record) { r.Fingerprint[15]++ },
		func(_ *Genesis, r *Record) { r.Marks = Clamped },
	} {
		g, list := testGenesis(), samples(1, 40)
		spoil(&g, &list[20])
		j := create(g)
		require.NoError(t, j.Append(list...))
		heads[j.Head()] = true
	}
	require.Len(t, heads, 8)
}

func journalWithABase(t *testing.T, create func(Genesis) Journal) {
	whole := create(testGenesis())
	require.NoError(t, whole.Append(samples(1, 48)...))
	g := testGenesis()
	g.Base = whole.Head()
	j := create(g)
	require.Equal(t, whole.Head(), j.Head())
	require.ErrorIs(t, j.Append(sample(1)), ErrSequence)
	require.NoError(t, j.Append(samples(49, 70)...))
	require.NoError(t, whole.Append(samples(49, 70)...))
	require.Equal(t, whole.Head(), j.Head(), "a compacted journal has the heads of the whole one")
	require.Equal(t, samples(49, 70), collect(t, j, 0, 0))
	for _, err := range j.Scan(48, 0) {
		require.ErrorIs(t, err, ErrArchived)
	}
	addSnapshot(t, j, 48, 10)
	w, err := j.CreateSnapshot(47, [16]byte{})
	require.NoError(t, err)
	require.ErrorIs(t, w.Commit(), ErrSequence)
	require.NoError(t, w.Close())
}
