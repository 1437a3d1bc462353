package explore

import "slices"

// trail is the points on the way to the state that was looked at last. States
// that follow each other mostly have all of it but the end in common.
type trail[P any] struct {
	search *search[P]
	space  space[P]
	states []int
	points []P
	way    []int // scratch
}

// to returns the point of a state.
func (t *trail[P]) to(state int) P {
	t.way = append(t.way[:0], state)
	for edge := t.search.states[state]; edge != rootEdge; edge = t.search.states[state] {
		state, _ = t.search.split(edge)
		t.way = append(t.way, state)
	}
	slices.Reverse(t.way)
	common := 0
	for common < min(len(t.states), len(t.way)) && t.states[common] == t.way[common] {
		common++
	}
	t.states, t.points = t.states[:common], t.points[:common]
	for _, state := range t.way[common:] {
		if state == 0 {
			t.push(0, t.space.root())
			continue
		}
		_, move := t.search.split(t.search.states[state])
		t.push(state, t.space.step(t.points[len(t.points)-1], move))
	}
	return t.points[len(t.points)-1]
}

func (t *trail[P]) push(state int, p P) {
	t.states, t.points = append(t.states, state), append(t.points, p)
}
