package persist

import "slices"

// Delete removes k and reports whether it was there.
func (t *Tree[K, V]) Delete(o *Owner, k K) bool {
	if _, ok := t.Get(k); !ok {
		return false
	}
	root := own(o, &t.root)
	root.delete(o, k)
	t.n--
	switch {
	case t.n == 0:
		t.root = nil
	case len(root.items) == 0:
		t.root = root.kids[0]
	}
	return true
}

// delete removes k, which is below n. It may leave n with too few items,
// which n's parent then mends.
func (n *node[K, V]) delete(o *Owner, k K) {
	i, found := n.search(k)
	switch {
	case n.kids == nil:
		n.items = slices.Delete(n.items, i, i+1)
		return
	case found:
		n.items[i] = own(o, &n.kids[i]).deleteMax(o)
	default:
		own(o, &n.kids[i]).delete(o, k)
	}
	n.mend(o, i)
}

// deleteMax removes the largest item below n and returns it.
func (n *node[K, V]) deleteMax(o *Owner) item[K, V] {
	last := len(n.items) - 1
	if n.kids == nil {
		it := n.items[last]
		n.items = slices.Delete(n.items, last, last+1)
		return it
	}
	it := own(o, &n.kids[last+1]).deleteMax(o)
	n.mend(o, last+1)
	return it
}

// mend gives kid i, which n owns, enough items again.
func (n *node[K, V]) mend(o *Owner, i int) {
	switch {
	case len(n.kids[i].items) >= minItems:
	case i > 0 && len(n.kids[i-1].items) > minItems:
		n.rotateRight(o, i-1)
	case i < len(n.items) && len(n.kids[i+1].items) > minItems:
		n.rotateLeft(o, i)
	case i > 0:
		n.join(o, i-1)
	default:
		n.join(o, i)
	}
}

// rotateRight moves an item from kid i over n's item i to kid i+1.
func (n *node[K, V]) rotateRight(o *Owner, i int) {
	left, right := own(o, &n.kids[i]), own(o, &n.kids[i+1])
	last := len(left.items) - 1
	right.items = slices.Insert(right.items, 0, n.items[i])
	n.items[i] = left.items[last]
	left.items = slices.Delete(left.items, last, last+1)
	if left.kids != nil {
		right.kids = slices.Insert(right.kids, 0, left.kids[last+1])
		left.kids = slices.Delete(left.kids, last+1, last+2)
	}
}

// rotateLeft moves an item from kid i+1 over n's item i to kid i.
func (n *node[K, V]) rotateLeft(o *Owner, i int) {
	left, right := own(o, &n.kids[i]), own(o, &n.kids[i+1])
	left.items = append(left.items, n.items[i])
	n.items[i] = right.items[0]
	right.items = slices.Delete(right.items, 0, 1)
	if right.kids != nil {
		left.kids = append(left.kids, right.kids[0])
		right.kids = slices.Delete(right.kids, 0, 1)
	}
}

// join puts kid i+1 and n's item i at the end of kid i.
func (n *node[K, V]) join(o *Owner, i int) {
	left, right := own(o, &n.kids[i]), n.kids[i+1]
	left.items = append(append(left.items, n.items[i]), right.items...)
	left.kids = append(left.kids, right.kids...)
	n.items = slices.Delete(n.items, i, i+1)
	n.kids = slices.Delete(n.kids, i+1, i+2)
}
