package persist

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// bucketSize is how many names a bucket holds inline, bucketLoad how many
// names there are for each bucket on average.
const (
	bucketSize = 7
	bucketLoad = 3
)

// bucket fits one cache line. An entry is free if its number is 0.
type bucket struct {
	tags    [bucketSize]uint32
	numbers [bucketSize]uint32
	more    *Tree[name, entry]
}

type entry struct{ tag, number uint32 }

type name string

// Less implements Key.
func (n name) Less(m name) bool { return n < m }

// Index finds the number of a name: a persistent hash table that grows by one
// bucket at a time (linear hashing), so that no operation rehashes all
// names. The zero Index is empty.
//
// Lookups cost O(1) expected. Names that were chosen to collide end up in an
// ordered tree below their bucket, so that looking one up costs O(log n) at
// worst. Only when that bucket's turn to be split comes, once each time the
// number of names doubles, is its tree sorted out in one operation.
type Index struct {
	buckets Vector[bucket]
	n       uint32
}

// Tag is the hash by which an Index files a name.
func Tag(text string) uint32 { return uint32(xxh3.HashString(text)) }

// bucketOf is the bucket of a tag when there are n >= 1 buckets.
func bucketOf(tag, n uint32) uint32 {
	mask := uint32(1)<<bits.Len32(n-1) - 1
	if b := tag & mask; b < n {
		return b
	}
	return tag & (mask >> 1)
}

// Find returns the number that text was added with, or 0. nameOf must return
// the name of a number; it is asked only to tell apart names of equal tags.
func (x *Index) Find(tag uint32, text string, nameOf func(number uint32) string) uint32 {
	if x.n == 0 {
		return 0
	}
	b := x.buckets.At(bucketOf(tag, x.buckets.Len()))
	for i, t := range b.tags {
		if t == tag && b.numbers[i] != 0 && nameOf(b.numbers[i]) == text {
			return b.numbers[i]
		}
	}
	if b.more != nil {
		e, _ := b.more.Get(name(text))
		return e.number
	}
	return 0
}

// Add files a number, which must not be 0, under a name that is not there yet.
func (x *Index) Add(o *Owner, tag uint32, text string, number uint32) {
	if x.n >= x.buckets.Len()*bucketLoad {
		x.grow(o)
	}
	x.n++
	b := x.buckets.Edit(o, bucketOf(tag, x.buckets.Len()))
	b.add(o, name(text), entry{tag, number})
}

func (b *bucket) add(o *Owner, text name, e entry) {
	for i, number := range b.numbers {
		if number == 0 {
			b.tags[i], b.numbers[i] = e.tag, e.number
			return
		}
	}
	more := Tree[name, entry]{}
	if b.more != nil {
		more = *b.more
	}
	more.Put(o, text, e)
	b.more = &more
}

// grow adds a bucket and moves into it what belongs there from the bucket
// that had its names until now.
func (x *Index) grow(o *Owner) {
	fresh := x.buckets.Append(o, bucket{})
	if fresh == 0 {
		return
	}
	from := x.buckets.Edit(o, fresh&(1<<(bits.Len32(fresh)-1)-1))
	to := x.buckets.Edit(o, fresh)
	free := 0
	for i, number := range from.numbers {
		if number != 0 && bucketOf(from.tags[i], fresh+1) == fresh {
			to.tags[free], to.numbers[free] = from.tags[i], number
			from.tags[i], from.numbers[i] = 0, 0
			free++
		}
	}
	if from.more == nil {
		return
	}
	rest := *from.more
	from.more = nil
	for text, e := range rest.All() {
		if bucketOf(e.tag, fresh+1) == fresh {
			to.add(o, text, e)
		} else {
			from.add(o, text, e)
		}
	}
}
