package baseline

// lapses is a heap of all leases: the next one to lapse comes first. Leases
// that end together are in no order: it decides no answer, only effects, which
// nobody sees here. It implements heap.Interface.
type lapses []lapse

// lapse repeats the lease's end, so that comparing two does not have to fetch
// them.
type lapse struct {
	at    int64
	lease *lease
}

// Len implements heap.Interface.
func (h lapses) Len() int { return len(h) }

// Less implements heap.Interface.
func (h lapses) Less(i, j int) bool { return h[i].at < h[j].at }

// Swap implements heap.Interface.
func (h lapses) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].lease.inLapses, h[j].lease.inLapses = i, j
}

// Push implements heap.Interface.
func (h *lapses) Push(x any) {
	pushed := x.(*lease)
	pushed.inLapses = len(*h)
	*h = append(*h, lapse{at: pushed.expiresAt, lease: pushed})
}

// Pop implements heap.Interface.
func (h *lapses) Pop() any {
	last := len(*h) - 1
	popped := (*h)[last].lease
	(*h)[last] = lapse{}
	*h = (*h)[:last]
	return popped
}
