package persist

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// shape checks a node and those below it: no node holds more than it may, an
// inner one has a kid more than items, and all leaves are equally deep.
func shape(t *testing.T, n *node[number, int]) (depth int) {
	switch {
	case len(n.items) == 0 || len(n.items) > maxItems:
		t.Fatalf("a node has %d items", len(n.items))
	case n.kids == nil:
		return 1
	case len(n.kids) != len(n.items)+1:
		t.Fatalf("a node has %d items and %d kids", len(n.items), len(n.kids))
	}
	depth = shape(t, n.kids[0])
	for _, kid := range n.kids[1:] {
		if other := shape(t, kid); other != depth {
			t.Fatalf("a leaf is %d deep, another one %d", depth, other)
		}
	}
	return depth + 1
}

// A tree stays one node while its items fit into one, and after every Put and
// every Delete no node holds too many.
func TestTreeSplitsWhenItMust(t *testing.T) {
	const n = 8 * maxItems
	for what, key := range map[string]func(int) number{
		"ascending":  func(i int) number { return number(i) },
		"descending": func(i int) number { return number(n - i) },
		"mixed":      func(i int) number { return number(i * 97 % n) },
	} {
		t.Run(what, func(t *testing.T) {
			var tree Tree[number, int]
			o := NewOwner()
			for i := range n {
				tree.Put(o, key(i), i)
				shape(t, tree.root)
				require.Equal(t, i+1 <= maxItems, tree.root.kids == nil, "with %d items", i+1)
			}
			for i := range n - 1 {
				require.True(t, tree.Delete(o, key(i)))
				shape(t, tree.root)
			}
			require.Nil(t, tree.root.kids)
			require.True(t, tree.Delete(o, key(n-1)))
			require.Nil(t, tree.root)
		})
	}
}

// In ascending order, as queues grow, nodes are full but for the last.
func TestAscendingKeysFillTheNodes(t *testing.T) {
	var tree Tree[number, int]
	o := NewOwner()
	for i := range 10 * maxItems {
		tree.Put(o, number(i), i)
	}
	for _, kid := range tree.root.kids[:len(tree.root.kids)-1] {
		require.Len(t, kid.items, maxItems-1)
	}
}

func TestEmptyTree(t *testing.T) {
	var tree Tree[number, int]
	_, there := tree.Get(3)
	require.False(t, there)
	_, _, there = tree.Min()
	require.False(t, there)
	_, _, there = tree.Above(3)
	require.False(t, there)
	_, _, there = tree.Below(3)
	require.False(t, there)
	require.False(t, tree.Delete(NewOwner(), 3))
	for range tree.All() {
		t.Fatal("an empty tree has an item")
	}
}

// A walk ends where it is left, wherever in the tree that is.
func TestTreesMayBeLeft(t *testing.T) {
	const n = 1500
	var tree Tree[number, int]
	o := NewOwner()
	for i := range n {
		tree.Put(o, number(i*7%n), i)
	}
	require.Equal(t, 3, shape(t, tree.root))
	for stop := 0; stop < n; stop += 7 {
		seen := 0
		for key := range tree.All() {
			require.EqualValues(t, seen, key)
			if seen == stop {
				break
			}
			seen++
		}
		require.Equal(t, stop, seen)
	}
}
