package persist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A pointer to a row is good for changes as long as its owner is in charge,
// whatever else the owner changes meanwhile, in the same leaf or elsewhere.
func TestEditedRowsStayWhereTheyAre(t *testing.T) {
	var v Vector[int]
	o := NewOwner()
	var rows []*int
	for i := range uint32(200) {
		require.Equal(t, i, v.Append(o, 0))
		rows = append(rows, v.Edit(o, i))
		for _, row := range rows {
			*row++
		}
	}
	for i := range uint32(200) {
		require.Equal(t, int(200-i), *v.At(i))
		require.Same(t, rows[i], v.Edit(o, i))
	}

	// After a fork the first change moves a row, and then it stays again.
	fork := v
	o = NewOwner()
	moved := v.Edit(o, 0)
	require.NotSame(t, rows[0], moved)
	require.Same(t, moved, v.Edit(o, 0))
	*v.Edit(o, 1) = -1
	*moved = -2
	require.Equal(t, []int{-2, -1, 198}, []int{*v.At(0), *v.At(1), *v.At(2)})
	require.Equal(t, []int{200, 199, 198}, []int{*fork.At(0), *fork.At(1), *fork.At(2)})
}

// The root has an entry for every 2^17 rows.
func TestRootsGrowWithTheirRows(t *testing.T) {
	var v Vector[byte]
	o := NewOwner()
	const full = 1 << shift4
	for i := range uint32(2*full + 1) {
		v.Append(o, byte(i))
		if len(v.root) != int(i/full)+1 {
			t.Fatalf("the root has %d entries for %d rows", len(v.root), i+1)
		}
	}
	for _, i := range []uint32{0, full - 1, full, 2 * full} {
		*v.Edit(NewOwner(), i) = 1
		require.Len(t, v.root, 3)
	}
}

func TestVectorsAreBounded(t *testing.T) {
	full := Vector[int]{n: 1<<32 - 1}
	require.PanicsWithValue(t, "persist: a vector holds at most 2^32-1 rows", func() { full.Append(NewOwner(), 7) })
}
