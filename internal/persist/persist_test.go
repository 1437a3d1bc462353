package persist

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

type number uint64

func (n number) Less(m number) bool { return n < m }

// pair is a container and what it must hold.
type pair[C, M any] struct {
	container C
	model     M
	owner     *Owner
}

// A fork shares its nodes with its origin, and both go on changing: neither
// may ever see a change of the other.
func TestTreeForksAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		forks := []*pair[Tree[number, int], map[number]int]{{model: map[number]int{}, owner: NewOwner()}}
		wide := rapid.SampledFrom([]int{8, 200, 4000}).Draw(t, "keys")
		for range rapid.IntRange(1, 600).Draw(t, "steps") {
			p := forks[rapid.IntRange(0, len(forks)-1).Draw(t, "fork")]
			k := number(rapid.IntRange(0, wide).Draw(t, "key"))
			switch rapid.IntRange(0, 9).Draw(t, "action") {
			case 0:
				if len(forks) < 6 {
					p.owner = NewOwner()
					forks = append(forks, &pair[Tree[number, int], map[number]int]{p.container, maps.Clone(p.model), NewOwner()})
				}
			case 1, 2, 3:
				_, there := p.model[k]
				require.Equal(t, there, p.container.Delete(p.owner, k))
				delete(p.model, k)
			case 4: // a run of ascending keys fills nodes as queues do
				for i := range 40 {
					p.container.Put(p.owner, k+number(i), i)
					p.model[k+number(i)] = i
				}
			default:
				p.container.Put(p.owner, k, int(k)*3)
				p.model[k] = int(k) * 3
			}
		}
		for _, p := range forks {
			requireTree(t, &p.container, p.model)
		}
	})
}

func requireTree(t *rapid.T, tree *Tree[number, int], model map[number]int) {
	keys := slices.Sorted(maps.Keys(model))
	require.Equal(t, len(keys), tree.Len())
	i := 0
	for k, v := range tree.All() {
		require.Equal(t, keys[i], k)
		require.Equal(t, model[k], v)
		i++
	}
	require.Equal(t, len(keys), i)
	for i, k := range keys {
		v, ok := tree.Get(k)
		require.True(t, ok)
		require.Equal(t, model[k], v)
		below, _, ok := tree.Below(k)
		require.Equal(t, i > 0, ok)
		if ok {
			require.Equal(t, keys[i-1], below)
		}
		above, _, ok := tree.Above(k)
		require.Equal(t, i < len(keys)-1, ok)
		if ok {
			require.Equal(t, keys[i+1], above)
		}
	}
	low, _, ok := tree.Min()
	require.Equal(t, len(keys) > 0, ok)
	if ok {
		require.Equal(t, keys[0], low)
	}
	if tree.root != nil {
		checkNode(t, tree.root, true)
	}
}

func checkNode(t *rapid.T, n *node[number, int], root bool) int {
	require.LessOrEqual(t, len(n.items), maxItems)
	require.NotEmpty(t, n.items, "root %v", root)
	if n.kids == nil {
		return 1
	}
	require.Len(t, n.kids, len(n.items)+1)
	depth := checkNode(t, n.kids[0], false)
	for _, kid := range n.kids[1:] {
		require.Equal(t, depth, checkNode(t, kid, false), "all leaves are equally deep")
	}
	return depth + 1
}

func TestVectorForksAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		forks := []*pair[Vector[int], []int]{{owner: NewOwner()}}
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			p := forks[rapid.IntRange(0, len(forks)-1).Draw(t, "fork")]
			switch {
			case len(forks) < 6 && rapid.IntRange(0, 9).Draw(t, "fork?") == 0:
				p.owner = NewOwner()
				forks = append(forks, &pair[Vector[int], []int]{p.container, slices.Clone(p.model), NewOwner()})
			case len(p.model) > 0 && rapid.Bool().Draw(t, "edit"):
				i := rapid.IntRange(0, len(p.model)-1).Draw(t, "row")
				*p.container.Edit(p.owner, uint32(i)) += 7
				p.model[i] += 7
			default:
				for range rapid.IntRange(1, 90).Draw(t, "rows") {
					require.EqualValues(t, len(p.model), p.container.Append(p.owner, len(p.model)))
					p.model = append(p.model, len(p.model))
				}
			}
		}
		for _, p := range forks {
			require.EqualValues(t, len(p.model), p.container.Len())
			for i, want := range p.model {
				require.Equal(t, want, *p.container.At(uint32(i)))
			}
		}
	})
}

// A vector crosses every level of its tree.
func TestVectorGrowsPastItsBranches(t *testing.T) {
	var v Vector[uint32]
	o := NewOwner()
	const rows = 1<<shift4 + 100
	for i := range uint32(rows) {
		v.Append(o, i)
	}
	fork := v
	*fork.Edit(NewOwner(), rows-1) = 0
	for i := range uint32(rows) {
		require.Equal(t, i, *v.At(i))
	}
}

// findAll looks every name up, and some that were never added.
func findAll(t require.TestingT, x *Index, names []string, tag func(string) uint32) {
	nameOf := func(n uint32) string { return names[n-1] }
	for i, text := range names {
		require.EqualValues(t, i+1, x.Find(tag(text), text, nameOf), text)
		require.Zero(t, x.Find(tag(text), text+"?", nameOf))
	}
}

func TestIndexFindsWhatWasAdded(t *testing.T) {
	tags := map[string]func(string) uint32{
		"spread": Tag,
		// What a stranger achieves who chooses names by their hash.
		"all equal":       func(string) uint32 { return 12345 },
		"equal low bits":  func(s string) uint32 { return Tag(s) << 12 },
		"equal high bits": func(s string) uint32 { return Tag(s) & 15 },
	}
	for what, tag := range tags {
		t.Run(what, func(t *testing.T) {
			var x Index
			var names []string
			o := NewOwner()
			for i := range 3000 {
				names = append(names, fmt.Sprintf("n%d", i))
				x.Add(o, tag(names[i]), names[i], uint32(i+1))
			}
			findAll(t, &x, names, tag)
			fork, more := x, slices.Clone(names)
			o = NewOwner()
			for i := 3000; i < 4000; i++ {
				more = append(more, fmt.Sprintf("n%d", i))
				fork.Add(o, tag(more[i]), more[i], uint32(i+1))
			}
			findAll(t, &x, names, tag)
			findAll(t, &fork, more, tag)
			require.Zero(t, x.Find(tag("n3500"), "n3500", func(n uint32) string { return more[n-1] }))
		})
	}
}
