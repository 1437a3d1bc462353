package projection

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Member is a client on a cycle of the wait-for graph. Every member waits.
type Member struct {
	Client string
	Age    int64
	// Wait is its request. Its Position is the place in the queue when it
	// joined; Place is the one at the time of the deadlock.
	Wait  Wait
	Place int
	// Holds are the locks that it holds and that members wait for, by name.
	Holds []string
}

// Edge says that one member waits for another (R16).
type Edge struct {
	From, To string
	Lock     string // that From waits for
	// Ahead tells why: To stands ahead in the lock's queue, or else holds it.
	Ahead bool
}

// cycle returns the requests of the clients that lie on a cycle through this
// one: those that it reaches, over at least one edge, and that reach it (R18).
//
// A request has an edge to everybody ahead and to every holder. The one ahead
// has all of these but itself, so to know who is reached, the edge to the one
// ahead is enough, and only the head of a queue needs those to the holders.
// O(n) for n clients that are reached, and holders of their locks.
func (o *open[X]) cycle(requester *waiting) []*waiting {
	before := map[*waiting][]*waiting{requester: nil} // the edges, backwards
	for todo := []*waiting{requester}; len(todo) > 0; {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for next := range o.blockers(w) {
			if _, seen := before[next]; !seen {
				todo = append(todo, next)
			}
			before[next] = append(before[next], w)
		}
	}
	members := map[*waiting]bool{}
	for todo := slices.Clone(before[requester]); len(todo) > 0; {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !members[w] {
			members[w] = true
			todo = append(todo, before[w]...)
		}
	}
	return slices.Collect(maps.Keys(members))
}

// blockers yields the requests of those whom a request waits for, as far as
// they wait themselves.
func (o *open[X]) blockers(w *waiting) iter.Seq[*waiting] {
	return func(yield func(*waiting) bool) {
		if w.ahead != nil {
			yield(w.ahead)
			return
		}
		for _, h := range o.locks[w.Lock].leases {
			if next := o.waiting[h.Client]; next != nil && !yield(next) {
				return
			}
		}
	}
}

// members describes the clients of a cycle, the oldest first.
func (o *open[X]) members(cycle []*waiting, ages *ages) []Member {
	list := make([]Member, 0, len(cycle))
	for _, w := range cycle {
		list = append(list, Member{Client: w.Client, Age: ages.of[w.Client], Wait: w.Wait})
	}
	slices.SortFunc(list, func(a, b Member) int { return cmp.Compare(a.Age, b.Age) })
	byClient, locks := map[string]*Member{}, map[string]bool{}
	for i := range list {
		byClient[list[i].Client] = &list[i]
		locks[list[i].Wait.Lock] = true
	}
	for _, name := range slices.Sorted(maps.Keys(locks)) {
		l, place := o.locks[name], 0
		for _, h := range l.leases {
			if m := byClient[h.Client]; m != nil {
				m.Holds = append(m.Holds, name)
			}
		}
		for w := l.head; w != nil; w = w.behind {
			place++
			if m := byClient[w.Client]; m != nil {
				m.Place = place
			}
		}
	}
	return list
}

// Edges yields every edge between the members as it stood, by the age of From,
// the oldest first, and then of To. There may be as many as the square of the
// members.
func (d *Deadlock) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for i := range d.Members {
			from := &d.Members[i]
			for j := range d.Members {
				to := &d.Members[j]
				_, holds := slices.BinarySearch(to.Holds, from.Wait.Lock)
				ahead := to.Wait.Lock == from.Wait.Lock && to.Place < from.Place
				if (holds || ahead) && !yield(Edge{from.Client, to.Client, from.Wait.Lock, ahead}) {
					return
				}
			}
		}
	}
}
