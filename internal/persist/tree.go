package persist

import (
	"iter"
	"slices"
)

// maxItems is the most items that a node keeps; minItems is what a deletion
// leaves in a node other than the root before it joins or borrows.
const (
	maxItems = 31
	minItems = maxItems / 2
)

// Key is a key that orders itself.
type Key[K any] interface{ Less(K) bool }

// Tree is a persistent B-tree: an ordered map whose copies share their nodes.
// The zero Tree is empty. Every operation on one key costs O(log n); small
// trees take little memory, because a node grows with its items.
type Tree[K Key[K], V any] struct {
	root *node[K, V]
	n    int
}

type item[K Key[K], V any] struct {
	key   K
	value V
}

type node[K Key[K], V any] struct {
	owner *Owner
	items []item[K, V]
	kids  []*node[K, V] // nil in a leaf, else one more than items
}

// Len is the number of items.
func (t *Tree[K, V]) Len() int { return t.n }

// search returns the first item not less than k, and whether it is k.
func (n *node[K, V]) search(k K) (int, bool) {
	low, high := 0, len(n.items)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if n.items[middle].key.Less(k) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(n.items) && !k.Less(n.items[low].key)
}

// Get returns the value of k.
func (t *Tree[K, V]) Get(k K) (value V, ok bool) {
	for n := t.root; n != nil; {
		i, found := n.search(k)
		if found {
			return n.items[i].value, true
		}
		if n.kids == nil {
			break
		}
		n = n.kids[i]
	}
	return value, false
}

// Min returns the smallest item.
func (t *Tree[K, V]) Min() (key K, value V, ok bool) {
	if t.n == 0 {
		return key, value, false
	}
	n := t.root
	for n.kids != nil {
		n = n.kids[0]
	}
	return n.items[0].key, n.items[0].value, true
}

// Above returns the smallest item with a key above k.
func (t *Tree[K, V]) Above(k K) (key K, value V, ok bool) {
	for n := t.root; n != nil; {
		i, found := n.search(k)
		if found {
			i++
		}
		if i < len(n.items) {
			key, value, ok = n.items[i].key, n.items[i].value, true
		}
		if n.kids == nil {
			break
		}
		n = n.kids[i]
	}
	return key, value, ok
}

// Below returns the largest item with a key below k.
func (t *Tree[K, V]) Below(k K) (key K, value V, ok bool) {
	for n := t.root; n != nil; {
		i, _ := n.search(k)
		if i > 0 {
			key, value, ok = n.items[i-1].key, n.items[i-1].value, true
		}
		if n.kids == nil {
			break
		}
		n = n.kids[i]
	}
	return key, value, ok
}

// All yields the items in the order of their keys. The tree must not be
// changed by the owner of its nodes meanwhile.
func (t *Tree[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		if t.root != nil {
			t.root.all(yield)
		}
	}
}

func (n *node[K, V]) all(yield func(K, V) bool) bool {
	for i := range n.items {
		if n.kids != nil && !n.kids[i].all(yield) {
			return false
		}
		if !yield(n.items[i].key, n.items[i].value) {
			return false
		}
	}
	return n.kids == nil || n.kids[len(n.kids)-1].all(yield)
}

// own makes the node at *at the owner's and returns it. A copy has room for
// one more item, which is what most changes need.
func own[K Key[K], V any](o *Owner, at **node[K, V]) *node[K, V] {
	n := *at
	if n.owner == o {
		return n
	}
	c := &node[K, V]{owner: o, items: append(make([]item[K, V], 0, len(n.items)+1), n.items...)}
	if n.kids != nil {
		c.kids = append(make([]*node[K, V], 0, len(n.kids)+1), n.kids...)
	}
	*at = c
	return c
}

// Put sets the value of k.
func (t *Tree[K, V]) Put(o *Owner, k K, v V) {
	if t.root == nil {
		t.root = &node[K, V]{owner: o}
	}
	root := own(o, &t.root)
	if root.put(o, k, v) {
		t.n++
	}
	if len(root.items) > maxItems {
		t.root = &node[K, V]{owner: o, kids: []*node[K, V]{root}}
		t.root.split(0)
	}
}

// put reports whether k is new. It may leave one item too many in n, which
// n's parent then splits.
func (n *node[K, V]) put(o *Owner, k K, v V) bool {
	i, found := n.search(k)
	if found {
		n.items[i].value = v
		return false
	}
	if n.kids == nil {
		n.items = slices.Insert(n.items, i, item[K, V]{k, v})
		return true
	}
	kid := own(o, &n.kids[i])
	added := kid.put(o, k, v)
	if len(kid.items) > maxItems {
		n.split(i)
	}
	return added
}

// split halves kid i, which n owns. The last kid is split near its end: keys
// often come in ascending order, and the left part then stays full.
func (n *node[K, V]) split(i int) {
	kid := n.kids[i]
	at := len(kid.items) / 2
	if i == len(n.kids)-1 {
		at = len(kid.items) - 2
	}
	right := &node[K, V]{owner: kid.owner, items: slices.Clone(kid.items[at+1:])}
	if kid.kids != nil {
		right.kids = slices.Clone(kid.kids[at+1:])
		clear(kid.kids[at+1:])
		kid.kids = kid.kids[:at+1]
	}
	n.items = slices.Insert(n.items, i, kid.items[at])
	n.kids = slices.Insert(n.kids, i+1, right)
	clear(kid.items[at:])
	kid.items = kid.items[:at]
}
