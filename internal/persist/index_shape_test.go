package persist

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The index grows by a bucket for every bucketLoad names, no sooner and no
// later, so that no lookup goes far and no bucket stands empty for long.
func TestIndexGrowsWithItsNames(t *testing.T) {
	var x Index
	o := NewOwner()
	for i := range uint32(1000) {
		text := fmt.Sprint("n", i)
		x.Add(o, Tag(text), text, i+1)
		require.EqualValues(t, i/bucketLoad+1, x.buckets.Len(), "with %d names", i+1)
	}
}

// A bucket keeps its first names inline, in the order in which they came, and
// only what comes then in a tree.
func TestBucketsKeepTheirFirstNamesInline(t *testing.T) {
	var b bucket
	o := NewOwner()
	for i := range uint32(bucketSize + 2) {
		b.add(o, name(fmt.Sprint("n", i)), entry{tag: 100 + i, number: i + 1})
		for slot := range uint32(bucketSize) {
			want := entry{}
			if slot <= i {
				want = entry{100 + slot, slot + 1}
			}
			require.Equal(t, want, entry{b.tags[slot], b.numbers[slot]})
		}
		if i < bucketSize {
			require.Nil(t, b.more)
			continue
		}
		require.EqualValues(t, i+1-bucketSize, b.more.Len())
	}
}

// A tag is a hash of the whole name, and differs where the name does.
func TestTagsDiffer(t *testing.T) {
	seen := map[uint32]bool{}
	for i := range 1000 {
		seen[Tag(fmt.Sprint("n", i))] = true
	}
	require.Len(t, seen, 1000)
}

// The tag 0 is a tag like others: where a bucket has room, it finds nobody.
func TestIndexFindsTheTagZero(t *testing.T) {
	var x Index
	o := NewOwner()
	names := []string{"", "a", "b", "c", "d"}
	nameOf := func(number uint32) string {
		require.NotZero(t, number, "asked for the name of nobody")
		return names[number]
	}
	for i, text := range names[1:] {
		require.Zero(t, x.Find(0, text, nameOf))
		x.Add(o, 0, text, uint32(i+1))
		require.Zero(t, x.Find(0, "z", nameOf))
		require.EqualValues(t, i+1, x.Find(0, text, nameOf))
	}
}

// However the index has grown, each name stands in its bucket, once, and what
// it left behind on the way is free again.
func TestEveryNameStandsInItsBucket(t *testing.T) {
	for what, tag := range map[string]func(string) uint32{
		"spread":         Tag,
		"equal low bits": func(s string) uint32 { return Tag(s) << 5 },
	} {
		t.Run(what, func(t *testing.T) {
			var x Index
			o := NewOwner()
			for i := range uint32(200) {
				text := fmt.Sprint("n", i)
				x.Add(o, tag(text), text, i+1)
				requireSound(t, &x, i+1)
			}
		})
	}
}

func requireSound(t *testing.T, x *Index, names uint32) {
	seen := make([]bool, names+1)
	stands := func(e entry, at uint32) {
		require.Equal(t, at, bucketOf(e.tag, x.buckets.Len()))
		require.False(t, seen[e.number], "number %d stands twice", e.number)
		seen[e.number] = true
	}
	for at := range x.buckets.Len() {
		b := x.buckets.At(at)
		for i, number := range b.numbers {
			if number == 0 {
				require.Zero(t, b.tags[i])
				continue
			}
			stands(entry{b.tags[i], number}, at)
		}
		if b.more != nil {
			for _, e := range b.more.All() {
				stands(e, at)
			}
		}
	}
	for _, there := range seen[1:] {
		require.True(t, there)
	}
}
