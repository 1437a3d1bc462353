package explore

import (
	"slices"
	"sync"
	"sync/atomic"
)

// visited holds, for every class of states that was reached, the way that
// reached it first: the smallest number of an edge, whichever worker comes with
// it when. It is safe for concurrent use.
type visited struct {
	shards [shardCount]shard
	count  atomic.Int64
}

const shardCount = 64

// shard is a hash table with open addressing: 24 bytes an entry, where a Go
// map takes twice as much.
type shard struct {
	mutex   sync.Mutex
	entries []entry // as many as a power of two; empty where edge is 0
	count   int
}

type entry struct {
	key  key
	edge uint64
}

// add notes that an edge leads to a class.
func (v *visited) add(k key, edge uint64) {
	s := &v.shards[k.hi%shardCount]
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if 4*s.count >= 3*len(s.entries) {
		s.grow()
	}
	e := s.find(k)
	if e.edge == 0 {
		e.key, e.edge = k, edge
		s.count++
		v.count.Add(1)
		return
	}
	e.edge = min(e.edge, edge)
}

// find returns the entry of a class, or the empty one where it belongs.
func (s *shard) find(k key) *entry {
	mask := uint64(len(s.entries) - 1)
	for at := k.lo & mask; ; at = (at + 1) & mask {
		if e := &s.entries[at]; e.edge == 0 || e.key == k {
			return e
		}
	}
}

func (s *shard) grow() {
	old := s.entries
	s.entries = make([]entry, max(64, 2*len(old)))
	for _, e := range old {
		if e.edge != 0 {
			*s.find(e.key) = e
		}
	}
}

// since lists the edges from one on, in order: those that reached a class
// first since that edge was made. Nothing may be added meanwhile.
func (v *visited) since(edge uint64) []uint64 {
	var edges []uint64
	for i := range v.shards {
		for _, e := range v.shards[i].entries {
			if e.edge >= edge {
				edges = append(edges, e.edge)
			}
		}
	}
	slices.Sort(edges)
	return edges
}

// bytes is the memory that is held.
func (v *visited) bytes() int64 {
	total := int64(0)
	for i := range v.shards {
		total += 24 * int64(len(v.shards[i].entries))
	}
	return total
}
