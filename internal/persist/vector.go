package persist

import "slices"

// A vector is a tree of fixed depth: the bits of an index choose, from the
// top, a root entry, three branches and a row. Leaves are narrow because the
// rows are wide (a lock takes two cache lines) and a changed leaf is copied
// whole after a fork; branches are wide because they hold pointers only.
const (
	leafBits   = 2
	branchBits = 5
	leafMask   = 1<<leafBits - 1
	branchMask = 1<<branchBits - 1

	shift1 = leafBits            // which leaf of a lower branch
	shift2 = shift1 + branchBits // which lower branch of a middle branch
	shift3 = shift2 + branchBits // which middle branch of an upper branch
	shift4 = shift3 + branchBits // which upper branch of the root
)

type leaf[T any] struct {
	owner *Owner
	rows  [1 << leafBits]T
}

type branch[C any] struct {
	owner *Owner
	kids  [1 << branchBits]*C
}

// Vector is a persistent vector of rows, numbered from 0 in the order in
// which they were appended. The zero Vector is empty.
//
// Reading costs five dependent loads, of which the first ones stay in the
// cache. The first change of a row after a fork copies about a kilobyte.
type Vector[T any] struct {
	root  []*branch[branch[branch[leaf[T]]]]
	owner *Owner // of the root's array
	n     uint32
}

// Len is the number of rows.
func (v *Vector[T]) Len() uint32 { return v.n }

// At returns the row i < Len for reading. The caller must not change it.
func (v *Vector[T]) At(i uint32) *T {
	return &v.leafOf(i).rows[i&leafMask]
}

func (v *Vector[T]) leafOf(i uint32) *leaf[T] {
	return v.root[i>>shift4].kids[i>>shift3&branchMask].kids[i>>shift2&branchMask].kids[i>>shift1&branchMask]
}

// Edit returns the row i < Len for changing by the owner. The pointer stays
// good for changes until the owner is given up.
func (v *Vector[T]) Edit(o *Owner, i uint32) *T {
	// A leaf is owned only if the whole path to it is.
	if l := v.leafOf(i); l.owner == o {
		return &l.rows[i&leafMask]
	}
	return &v.ownLeaf(o, i).rows[i&leafMask]
}

// Append adds a row and returns its number. There is room for 2^32-1 rows.
func (v *Vector[T]) Append(o *Owner, row T) uint32 {
	i := v.n
	if i == 1<<32-1 {
		panic("persist: a vector holds at most 2^32-1 rows")
	}
	v.n++
	v.ownLeaf(o, i).rows[i&leafMask] = row
	return i
}

// ownLeaf makes the path to row i the owner's, copying or creating its nodes.
func (v *Vector[T]) ownLeaf(o *Owner, i uint32) *leaf[T] {
	if v.owner != o {
		v.root, v.owner = slices.Clone(v.root), o
	}
	if int(i>>shift4) == len(v.root) {
		v.root = append(v.root, nil)
	}
	u := ownBranch(o, &v.root[i>>shift4])
	m := ownBranch(o, &u.kids[i>>shift3&branchMask])
	b := ownBranch(o, &m.kids[i>>shift2&branchMask])
	at := &b.kids[i>>shift1&branchMask]
	if *at == nil {
		*at = &leaf[T]{owner: o}
	} else if (*at).owner != o {
		l := **at
		l.owner = o
		*at = &l
	}
	return *at
}

func ownBranch[C any](o *Owner, at **branch[C]) *branch[C] {
	if *at == nil {
		*at = &branch[C]{owner: o}
	} else if (*at).owner != o {
		b := **at
		b.owner = o
		*at = &b
	}
	return *at
}
