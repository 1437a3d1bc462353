package persist

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// leaves makes a tree of a root and leaves with the given numbers of items. Keys
// are ascending and leave gaps of 10.
func leaves(o *Owner, sizes ...int) *Tree[number, int] {
	root := &node[number, int]{owner: o}
	tree := &Tree[number, int]{root: root}
	next := func() item[number, int] {
		tree.n++
		return item[number, int]{number(10 * tree.n), tree.n}
	}
	for i, size := range sizes {
		if i > 0 {
			root.items = append(root.items, next())
		}
		kid := &node[number, int]{owner: o}
		for range size {
			kid.items = append(kid.items, next())
		}
		root.kids = append(root.kids, kid)
	}
	return tree
}

// sizes is how many items the leaves below the root have, or the root itself if
// it is the only node.
func sizes(tree *Tree[number, int]) []int {
	if tree.root.kids == nil {
		return []int{len(tree.root.items)}
	}
	var list []int
	for _, kid := range tree.root.kids {
		list = append(list, len(kid.items))
	}
	return list
}

// A leaf that has got too small borrows from its left neighbour, else from its
// right one, and if neither has one to spare, joins the left one, else the right.
func TestLeavesBorrowAndJoin(t *testing.T) {
	const low = minItems
	for _, test := range []struct {
		before []int
		from   int // the leaf that a key is deleted from
		after  []int
	}{
		{[]int{low + 1, low + 1}, 0, []int{low, low + 1}},
		{[]int{low + 1, low + 1}, 1, []int{low + 1, low}},
		{[]int{low, low + 1}, 0, []int{low, low}},
		{[]int{low + 1, low}, 1, []int{low, low}},
		{[]int{low, low}, 0, []int{2 * low}},
		{[]int{low, low}, 1, []int{2 * low}},
		{[]int{low + 1, low, low + 1}, 1, []int{low, low, low + 1}},
		{[]int{low, low, low + 1}, 1, []int{low, low, low}},
		{[]int{low, low, low}, 0, []int{2 * low, low}},
		{[]int{low, low, low}, 1, []int{2 * low, low}},
		{[]int{low, low, low}, 2, []int{low, 2 * low}},
	} {
		t.Run(fmt.Sprint(test.before, test.from), func(t *testing.T) {
			o := NewOwner()
			tree := leaves(o, test.before...)
			model := maps.Collect(tree.All())
			key := tree.root.kids[test.from].items[0].key
			require.True(t, tree.Delete(o, key))
			delete(model, key)
			require.Equal(t, test.after, sizes(tree))
			require.Equal(t, model, maps.Collect(tree.All()))
			shape(t, tree.root)
		})
	}
}

// A leaf that has got too large is halved, but the last one, where keys often
// come in ascending order, gives one item away.
func TestLeavesSplit(t *testing.T) {
	for _, test := range []struct {
		before []int
		into   int // the leaf that a key is put into
		after  []int
	}{
		{[]int{maxItems - 1, 5}, 0, []int{maxItems, 5}},
		{[]int{maxItems, 5}, 0, []int{16, 15, 5}},
		{[]int{5, maxItems, 5}, 1, []int{5, 16, 15, 5}},
		{[]int{5, maxItems}, 1, []int{5, maxItems - 1, 1}},
	} {
		t.Run(fmt.Sprint(test.before, test.into), func(t *testing.T) {
			o := NewOwner()
			tree := leaves(o, test.before...)
			model := maps.Collect(tree.All())
			key := tree.root.kids[test.into].items[1].key - 1
			tree.Put(o, key, -1)
			model[key] = -1
			require.Equal(t, test.after, sizes(tree))
			require.Equal(t, model, maps.Collect(tree.All()))
			shape(t, tree.root)
		})
	}
}

// A tree of three levels is emptied from one end, from the other, from its root
// downwards, where the largest key below takes the place of the deleted one, and
// here and there. Inner nodes borrow and join like leaves. A fork that was made
// before does not notice.
func TestEmptyingALargeTree(t *testing.T) {
	const n = 1500
	random := rand.New(rand.NewPCG(1, 2))
	victims := map[string]func(*Tree[number, int], map[number]int) number{
		"from the root": func(tree *Tree[number, int], _ map[number]int) number {
			return tree.root.items[len(tree.root.items)/2].key
		},
		"from the first": func(tree *Tree[number, int], _ map[number]int) number {
			first, _, _ := tree.Min()
			return first
		},
		"from the last": func(tree *Tree[number, int], _ map[number]int) number {
			last, _, _ := tree.Below(n + 1)
			return last
		},
		"here and there": func(_ *Tree[number, int], model map[number]int) number {
			for {
				if key := number(random.IntN(n + 1)); model[key] != 0 {
					return key
				}
			}
		},
	}
	for _, how := range slices.Sorted(maps.Keys(victims)) {
		for what, step := range map[string]int{"ascending": 1, "mixed": 997} {
			t.Run(how+", put "+what, func(t *testing.T) {
				var tree Tree[number, int]
				o := NewOwner()
				model := map[number]int{}
				for i := range n {
					key := number(i * step % n)
					tree.Put(o, key, i+1)
					model[key] = i + 1
				}
				require.Equal(t, 3, shape(t, tree.root))
				fork, kept := tree, maps.Clone(model)
				o = NewOwner()
				for left := n - 1; left >= 0; left-- {
					key := victims[how](&tree, model)
					require.True(t, tree.Delete(o, key))
					delete(model, key)
					if left > 0 {
						shape(t, tree.root)
					}
					if left%100 == 0 {
						require.Equal(t, model, maps.Collect(tree.All()))
						require.True(t, slices.IsSorted(slices.Collect(keysOf(&tree))))
					}
				}
				require.Equal(t, kept, maps.Collect(fork.All()))
			})
		}
	}
}

func keysOf(tree *Tree[number, int]) iter.Seq[number] {
	return func(yield func(number) bool) {
		for key := range tree.All() {
			if !yield(key) {
				return
			}
		}
	}
}
