package baseline

// lapses is a heap of all leases: the next one to lapse comes first. It
// implements heap.Interface.
type lapses []*lease

// Len implements heap.Interface.
func (h lapses) Len() int { return len(h) }

// Less implements heap.Interface.
func (h lapses) Less(i, j int) bool {
	a, b := h[i], h[j]
	if a.expiresAt != b.expiresAt {
		return a.expiresAt < b.expiresAt
	}
	return a.grant < b.grant
}

// Swap implements heap.Interface.
func (h lapses) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].inLapses, h[j].inLapses = i, j
}

// Push implements heap.Interface.
func (h *lapses) Push(x any) {
	pushed := x.(*lease)
	pushed.inLapses = len(*h)
	*h = append(*h, pushed)
}

// Pop implements heap.Interface.
func (h *lapses) Pop() any {
	popped := (*h)[len(*h)-1]
	*h = cut(*h)
	return popped
}
