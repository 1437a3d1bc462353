package waitgraph

import "slices"

// slot is a place in a layer: a client, or where an edge passes by.
type slot struct {
	node  int // -1 for an edge that passes
	layer int
	order float64 // while the layers are being put in order
	row   int
	y     int   // in rows, from the top
	near  []int // slots of adjacent layers that it is joined to
}

// layout gives each client a layer, so that who waits stands to the left of
// those whom it waits for, and a row. Edges that close a cycle run back.
type layout struct {
	slots  []slot
	layers [][]int
	routes [][]int // of each edge, the slots that it goes through
	back   []bool  // of each edge: it runs against the layers
}

func arrange(g *Graph) *layout {
	index := map[string]int{}
	for i, n := range g.Nodes {
		index[n.Client] = i
	}
	ends := make([][2]int, len(g.Edges))
	out := make([][]int, len(g.Nodes)) // edges
	for i, e := range g.Edges {
		ends[i] = [2]int{index[e.From], index[e.To]}
		out[ends[i][0]] = append(out[ends[i][0]], i)
	}
	l := &layout{back: make([]bool, len(g.Edges)), routes: make([][]int, len(g.Edges))}
	for i, depth := range l.depths(len(g.Nodes), ends, out) {
		l.add(slot{node: i, layer: depth})
	}
	for i := range ends {
		l.route(i, ends[i])
	}
	l.order()
	l.place()
	return l
}

// depths are the lengths of the longest ways to somebody who waits for nobody,
// without the edges that close a cycle. The search keeps its own stack.
func (l *layout) depths(n int, ends [][2]int, out [][]int) []int {
	depth, next := make([]int, n), make([]int, n)
	const unseen, open, done = 0, 1, 2
	state := make([]uint8, n)
	for root := range n {
		for stack := []int{root}; len(stack) > 0; {
			v := stack[len(stack)-1]
			if state[v] == done {
				stack = stack[:len(stack)-1]
				continue
			}
			state[v] = open
			if next[v] == len(out[v]) {
				state[v] = done
				stack = stack[:len(stack)-1]
				for _, e := range out[v] {
					if !l.back[e] {
						depth[v] = max(depth[v], depth[ends[e][1]]+1)
					}
				}
				continue
			}
			e := out[v][next[v]]
			next[v]++
			switch to := ends[e][1]; state[to] {
			case unseen:
				stack = append(stack, to)
			case open:
				l.back[e] = true
			}
		}
	}
	return depth
}

func (l *layout) add(s slot) int {
	for len(l.layers) <= s.layer {
		l.layers = append(l.layers, nil)
	}
	l.slots = append(l.slots, s)
	at := len(l.slots) - 1
	l.layers[s.layer] = append(l.layers[s.layer], at)
	return at
}

// route leads an edge through every layer between its ends.
func (l *layout) route(e int, ends [2]int) {
	from, to := ends[0], ends[1]
	way := []int{from}
	step := -1
	if l.slots[from].layer < l.slots[to].layer {
		step = 1
	}
	for layer := l.slots[from].layer + step; layer != l.slots[to].layer && l.slots[from].layer != l.slots[to].layer; layer += step {
		way = append(way, l.add(slot{node: -1, layer: layer}))
	}
	way = append(way, to)
	for i := 1; i < len(way); i++ {
		a, b := way[i-1], way[i]
		l.slots[a].near = append(l.slots[a].near, b)
		l.slots[b].near = append(l.slots[b].near, a)
	}
	l.routes[e] = way
}

// order puts each layer in an order in which few edges cross: again and again
// each slot goes to the middle of those that it is joined to.
func (l *layout) order() {
	for _, layer := range l.layers {
		for row, at := range layer {
			l.slots[at].row = row
		}
	}
	const sweeps = 8
	for sweep := range sweeps {
		for i := range l.layers {
			layer := l.layers[i]
			neighbour := i - 1
			if sweep%2 == 1 {
				layer = l.layers[len(l.layers)-1-i]
				neighbour = len(l.layers) - i
			}
			l.sortLayer(layer, neighbour)
		}
	}
}

func (l *layout) sortLayer(layer []int, neighbour int) {
	for _, at := range layer {
		s := &l.slots[at]
		sum, n := 0, 0
		for _, other := range s.near {
			if l.slots[other].layer == neighbour {
				sum, n = sum+l.slots[other].row, n+1
			}
		}
		s.order = float64(s.row)
		if n > 0 {
			s.order = float64(sum) / float64(n)
		}
	}
	slices.SortStableFunc(layer, func(a, b int) int {
		switch x, y := l.slots[a].order, l.slots[b].order; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for row, at := range layer {
		l.slots[at].row = row
	}
}

// place gives each slot its height: that of those to its right which it is
// joined to, so that a queue is a straight line, or further down if that is
// taken.
func (l *layout) place() {
	for i, layer := range l.layers {
		free := 0
		for _, at := range layer {
			s := &l.slots[at]
			sum, n := 0, 0
			for _, other := range s.near {
				if l.slots[other].layer == i-1 {
					sum, n = sum+l.slots[other].y, n+1
				}
			}
			if n > 0 {
				free = max(free, sum/n)
			}
			s.y = free
			free++
		}
	}
}
