package history

import (
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// enumerate goes through plain histories that are not longer than the best one,
// the shortest first: operations that have an effect by the rules, and any one
// behind them that might show what is wrong. It does so once, since what it
// finds does not depend on the history that it begins with. What needs an odd
// text is not among them.
func (s *shrinker) enumerate() bool {
	start, err := fsm.New(s.best.Rules)
	if s.enumerated || err != nil || weigh(s.best)[oddBytes] > 0 {
		return false
	}
	s.enumerated = true
	before := s.best
	store := contains(before, writeKind) || contains(before, readKind) || contains(before, repeatKind)
	shared := weigh(before)[sharedRequests] > 0
	for n := 1; uint64(n) <= size(s.best) && n <= longestEnumerated; n++ {
		g := growth{s: s, length: n, store: n < 3 || n < 4 && store, shared: n < 3}
		g.grow(start, nil, 0)
		if shared && n >= 3 {
			g.shared = true
			g.grow(start, nil, 0)
		}
	}
	return Order(s.best, before) < 0
}

// longestEnumerated is the most operations of the histories that are enumerated.
const longestEnumerated = 5

// growth is the enumeration of the histories of one length.
type growth struct {
	s      *shrinker
	length int
	store  bool             // with reads and writes
	shared bool             // with shared requests
	seen   map[reached]bool // where it has been: one way to a state is enough
}

// reached is a state, and how many operations have led to it.
type reached struct {
	operations int
	state      fsm.Fingerprint
}

// grow appends every operation to the head of a history that has led to a state
// and an instant, and goes on from there.
func (g *growth) grow(state fsm.State, head []events.Event, now int64) {
	if len(head) == 0 {
		g.seen = map[reached]bool{}
	}
	last := len(head) == g.length-1
	for e := range g.palette(head, now).events() {
		if g.s.calls <= 0 || size(g.s.best) < uint64(g.length) {
			return
		}
		if acquire, ok := e.(events.Acquire); last && g.length > 2 && ok && acquire.TTL > 1 {
			continue // nobody will see how long it lasts
		}
		all := append(head[:len(head):len(head)], e)
		if last {
			g.s.try(History{Rules: g.s.best.Rules, Events: all})
			continue
		}
		next, result := fsm.Apply(state, e)
		if g.length > 2 && !hasEffect(e, result) || g.length > 4 && !isPlain(e) {
			continue
		}
		if at := (reached{len(all), next.Fingerprint()}); !g.seen[at] {
			g.seen[at] = true
			clock, _ := next.Clock()
			g.grow(next, all, clock)
		}
	}
}

// palette is what may come behind the head of a history: the less, the longer
// the histories are, so that their number stays within bounds.
func (g *growth) palette(head []events.Event, now int64) palette {
	h := History{Rules: g.s.best.Rules, Events: head}
	p := palette{
		rules: h.Rules, store: g.store, shared: g.shared, strangers: g.length <= 2,
		instants: []int64{now}, ttls: []int64{1, 2}, tokens: []int64{1, 2},
	}
	for r := range roles {
		p.names[r] = withFresh(r, namesIn(h, r))
	}
	if len(head) == g.length-1 || g.length == 2 || g.length == 3 && len(head) > 0 {
		p.instants = append(p.instants, now+1)
	}
	if len(head) == 2 && g.length == 3 {
		p.instants = append(p.instants, now+2)
	}
	if g.length > 4 || g.length == 4 && g.shared {
		p.ttls = p.ttls[:1]
	}
	return p
}

// isPlain tells whether an operation is an exclusive acquire.
func isPlain(e events.Event) bool {
	acquire, ok := e.(events.Acquire)
	return ok && acquire.Mode == events.Exclusive
}
