package journal

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// withSnapshots is a closed journal of 1,000 records with snapshots at 100,
// 505 and 900.
func withSnapshots(t *testing.T) string {
	t.Helper()
	f := newFile(t, Options{bulk: true, checkpointRecords: 128})
	for f.Last() < 1000 {
		require.NoError(t, f.Append(samples(f.Last()+1, f.Last()+50)...))
	}
	for _, sequence := range []uint64{100, 505, 900} {
		addSnapshot(t, f, sequence, int(sequence)*10)
	}
	require.NoError(t, f.Close())
	return f.Path()
}

// TestCompact: the new journal begins at a snapshot, and is the same from
// there on.
func TestCompact(t *testing.T) {
	source := withSnapshots(t)
	whole, err := Open(source, Options{ReadOnly: true})
	require.NoError(t, err)
	defer whole.Close()
	for _, c := range []struct{ before, base, first uint64 }{
		{0, 896, 900}, {899, 496, 505}, {505, 496, 505}, {504, 96, 100}, {5000, 896, 900},
	} {
		target := filepath.Join(t.TempDir(), "compacted")
		g, err := Compact(source, target, c.before)
		require.NoError(t, err)
		require.Equal(t, c.base, g.Base.Sequence, "the last link that ends before the snapshot")
		f, err := Open(target, Options{})
		require.NoError(t, err)
		require.Equal(t, g, f.Genesis())
		require.Equal(t, whole.Head(), f.Head())
		require.Equal(t, samples(c.base+1, 1000), collect(t, f, 0, 0))
		list, err := f.Snapshots()
		require.NoError(t, err)
		require.Equal(t, c.first, list[0].Sequence)
		r, err := f.OpenSnapshot(c.first)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, content(int(c.first)*10), got)

		require.NoError(t, f.Append(samples(1001, 1100)...), "and goes on")
		head := whole.Head()
		_, err = Verify(target, VerifyOptions{Head: &head})
		require.NoError(t, err)
		require.NoError(t, VerifyJoin(target, source))
		require.NoError(t, f.Close())
	}
}

// TestCompactTwice: a journal compacted again has two archives, end to end.
func TestCompactTwice(t *testing.T) {
	first := withSnapshots(t)
	second, third := first+".2", first+".3"
	_, err := Compact(first, second, 200)
	require.NoError(t, err)
	_, err = Compact(second, third, 0)
	require.NoError(t, err)
	require.NoError(t, VerifyJoin(second, first))
	require.NoError(t, VerifyJoin(third, second))
	require.NoError(t, VerifyJoin(third, first))
	require.ErrorIs(t, VerifyJoin(second, third), ErrJoin)
	require.ErrorIs(t, VerifyJoin(first, second), ErrJoin)
	old := Head{Sequence: 50}
	_, err = Verify(third, VerifyOptions{Head: &old})
	require.ErrorIs(t, err, ErrHead)
	require.ErrorContains(t, err, "in an archive")
}

// TestCompactRefuses what it cannot do, and leaves nothing behind.
func TestCompactRefuses(t *testing.T) {
	source := withSnapshots(t)
	target := source + ".new"
	_, err := Compact(source, target, 99)
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Compact(source, source, 0)
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = Compact(source+".none", target, 0)
	require.ErrorIs(t, err, fs.ErrNotExist)

	b, err := os.ReadFile(source)
	require.NoError(t, err)
	r := sample(950)
	b[indexOf(b, r.append(nil)[keySize:])+40] ^= 1
	require.NoError(t, os.WriteFile(source, b, 0o600))
	_, err = Compact(source, target, 0)
	require.ErrorIs(t, err, ErrDamaged)
	left, err := os.ReadDir(filepath.Dir(source))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// TestJoinRefuses archives of another journal, and of another past.
func TestJoinRefuses(t *testing.T) {
	source := withSnapshots(t)
	target := source + ".new"
	_, err := Compact(source, target, 505)
	require.NoError(t, err)

	for what, spoil := range map[string]func(*Genesis, []Record) []Record{
		"another id":            func(g *Genesis, list []Record) []Record { g.ID[0]++; return list },
		"another edition":       func(g *Genesis, list []Record) []Record { g.Rules.Edition = 1; return list },
		"another past":          func(_ *Genesis, list []Record) []Record { list[3].Fingerprint[0]++; return list },
		"another future":        func(_ *Genesis, list []Record) []Record { list[800].Fingerprint[0]++; return list },
		"too short":             func(_ *Genesis, list []Record) []Record { return list[:400] },
		"another record at cut": func(_ *Genesis, list []Record) []Record { list[495].Marks = Clamped; return list },
	} {
		t.Run(what, func(t *testing.T) {
			g, list := testGenesis(), samples(1, 1000)
			list = spoil(&g, list)
			f, err := Create(filepath.Join(t.TempDir(), "other"), g, Options{bulk: true})
			require.NoError(t, err)
			require.NoError(t, f.Append(list...))
			require.NoError(t, f.Close())
			require.ErrorIs(t, VerifyJoin(target, f.Path()), ErrJoin)
		})
	}
}
