package explore

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// space is a graph that can be searched: points, which are concrete states,
// and moves between them. Points of one key are of one class, and only the first
// of a class is looked at further. Each worker has a space of its own.
type space[P any] interface {
	// root is the point at which every history starts.
	root() P
	// keyOf is the class of a point.
	keyOf(P) key
	// step makes a move that is known to be possible and was found right.
	step(p P, move int) P
	// settle looks at a point for itself.
	settle(P) *trouble
	// expand makes every move from a point, and tells each that it finds right.
	// It ends with the first that is not, and returns its number.
	expand(p P, found func(move int, to key)) (move int, t *trouble)
}

// trouble is what was found to be wrong, at a point or with a move.
type trouble struct {
	kind          Kind
	required, got string
}

// search goes through a space, level by level.
type search[P any] struct {
	newSpace  func() space[P]
	moves     int // there are that many, numbered from 0
	workers   int
	maxStates int64

	seen   visited
	low    int      // the first state of the next level
	states []uint64 // by number, in the order in which they were reached: the edge to it
	levels []Level

	edges atomic.Uint64 // of the level at hand
	next  atomic.Int64  // state of the level at hand to go on with
	wrong wrong
}

// wrong is the first trouble, by the number of its edge.
type wrong struct {
	before atomic.Uint64 // no trouble before this edge is known
	mutex  sync.Mutex
	edge   uint64
	found  *trouble
}

// report keeps the trouble that comes first.
func (w *wrong) report(edge uint64, t *trouble) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if edge < w.before.Load() {
		w.edge, w.found = edge, t
		w.before.Store(edge)
	}
}

// An edge is numbered by the state it starts from and its move, so that edges
// in the order of their numbers are those of a search without workers. The
// number just before the first edge of a state stands for the state itself.
func (s *search[P]) edge(state, move int) uint64 {
	return uint64(state)*uint64(s.moves+1) + uint64(move) + 2
}

func (s *search[P]) split(edge uint64) (state, move int) {
	return int((edge - 1) / uint64(s.moves+1)), int((edge-1)%uint64(s.moves+1)) - 1
}

// rootEdge is the way to the first state: there is no edge.
const rootEdge = 1

// run searches up to a depth, or without end if that is 0. It ends early where
// something is wrong, in which case it returns the edge.
func (s *search[P]) run(ctx context.Context, depth int, progress func(Level)) (edge uint64, t *trouble, err error) {
	for more := true; more; {
		expand := depth == 0 || len(s.levels) < depth
		if more, err = s.level(ctx, expand); err != nil || s.wrong.found != nil {
			return s.wrong.edge, s.wrong.found, err
		}
		if progress != nil {
			progress(s.levels[len(s.levels)-1])
		}
	}
	return 0, nil, nil
}

// level looks at the states of the next depth and, if it is to expand them, at
// their edges. It tells whether there is one more level.
func (s *search[P]) level(ctx context.Context, expand bool) (more bool, err error) {
	if s.states == nil {
		first := s.newSpace()
		s.seen.add(first.keyOf(first.root()), rootEdge)
		s.states = []uint64{rootEdge}
		s.wrong.before.Store(math.MaxUint64)
	}
	low, high := s.low, len(s.states)
	if err := s.look(ctx, low, high, expand); err != nil || s.wrong.found != nil {
		return false, err
	}
	if expand {
		s.states = append(s.states, s.seen.since(s.edge(low, 0))...)
	}
	s.low = high
	s.levels = append(s.levels, Level{
		Depth: len(s.levels), States: int64(high - low), Edges: int64(s.edges.Swap(0)), Expanded: expand,
		Bytes: s.seen.bytes() + 8*int64(cap(s.states)),
	})
	return len(s.states) > high, nil
}

// look looks at the states from low up to high, and at their edges.
func (s *search[P]) look(ctx context.Context, low, high int, expand bool) error {
	s.next.Store(int64(low))
	var group sync.WaitGroup
	for range s.workers {
		group.Go(func() { s.work(ctx, high, expand) })
	}
	group.Wait()
	if s.wrong.found != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	if s.seen.count.Load() > s.maxStates {
		return fmt.Errorf("%w: more than %d", ErrStates, s.maxStates)
	}
	return nil
}

// chunk is how many states a worker takes at once.
const chunk = 16

func (s *search[P]) work(ctx context.Context, high int, expand bool) {
	space := s.newSpace()
	trail := trail[P]{search: s, space: space}
	for ctx.Err() == nil && s.seen.count.Load() <= s.maxStates {
		low := int(s.next.Add(chunk)) - chunk
		if low >= high || s.edge(low, -1) > s.wrong.before.Load() {
			return // what comes later cannot be the first trouble
		}
		for state := low; state < min(low+chunk, high); state++ {
			s.visit(space, &trail, state, expand)
		}
	}
}

func (s *search[P]) visit(space space[P], trail *trail[P], state int, expand bool) {
	point := trail.to(state)
	if t := space.settle(point); t != nil {
		s.wrong.report(s.edge(state, -1), t)
		return
	}
	if !expand {
		return
	}
	edges := uint64(0)
	move, t := space.expand(point, func(move int, to key) {
		edges++
		s.seen.add(to, s.edge(state, move))
	})
	s.edges.Add(edges)
	if t != nil {
		s.wrong.report(s.edge(state, move), t)
	}
}

// path lists the moves that lead along an edge, from the root.
func (s *search[P]) path(edge uint64) []int {
	var moves []int
	for edge != rootEdge {
		state, move := s.split(edge)
		if move >= 0 {
			moves = append(moves, move)
		}
		edge = s.states[state]
	}
	slices.Reverse(moves)
	return moves
}
