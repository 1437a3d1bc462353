package projection

import (
	"fmt"
	"strings"
)

// String is the write in one line: who was late, by how much, and who held the
// lock.
func (w *FencedWrite) String() string {
	return fmt.Sprintf("%s key %s token %d at %s: %s (mark %d); %s, %s; held by %s", name(w.Lock), name(w.Key), w.Token,
		w.At, accepted(w.Refusal), w.Mark, w.Standing, w.whose(), w.holders())
}

// holders names those who held the lock.
func (w *FencedWrite) holders() string {
	if w.Held == 0 {
		return "nobody"
	}
	var names []string
	for _, h := range w.Holders {
		names = append(names, fmt.Sprintf("%s (token %d)", name(h.Client), h.Token))
	}
	if more := w.Held - len(w.Holders); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// DescribeFencing draws writes that tested the fence, and how many writes there
// were of each kind. #n is event n.
func DescribeFencing(writes []FencedWrite, counts FencingCounts) string {
	var d drawing
	for i, of := range [...]Answered{counts.InForce, counts.Over, counts.NeverGranted} {
		d.row(Standing(i), of.Accepted, of.Refused)
	}
	d.draw("writes", "token | accepted | refused")
	for i := range writes {
		w := &writes[i]
		d.row(w.At, name(w.Lock), name(w.Key), w.Token, w.Mark, accepted(w.Refusal), w.Standing, w.whose(), w.holders())
	}
	d.draw("writes that tested the fence", "at | lock | key | token | mark | answer | standing | whose | held by")
	return d.String()
}

// whose says whose lease the token was, and when it ended.
func (w *FencedWrite) whose() string {
	switch {
	case w.Standing == NeverGranted:
		return "nobody's"
	case !w.LeaseKnown:
		return "not known"
	case w.Standing == InForce:
		return name(w.Lease.Client)
	}
	return fmt.Sprintf("%s until %s (%s)", name(w.Lease.Client), w.Lease.Ended, w.Lease.How)
}
