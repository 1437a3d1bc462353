package history

import (
	"slices"

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
			g.shared, g.locks = true, 1
			g.grow(start, nil, 0)
			if g.locks = 2; n > 3 {
				g.grow(start, nil, 0)
			}
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
	locks  int              // how many locks, if it is not 0
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
		if last && g.length > 2 && tellsLittle(e, now, g.length) {
			continue
		}
		all := append(head[:len(head):len(head)], e)
		if last {
			g.s.try(History{Rules: g.s.best.Rules, Events: all})
			continue
		}
		next, result := fsm.Apply(state, e)
		if g.length > 2 && !hasEffect(e, result) || !g.mayPrecede(head, e) {
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
	if g.locks == 1 {
		p.names[lockRole] = p.names[lockRole][:1]
	}
	last := len(head) == g.length-1
	if last || g.length == 2 || g.length == 3 && len(head) > 0 {
		p.instants = append(p.instants, now+1)
	}
	if last && (g.length == 3 || g.locks == 1) {
		p.instants = append(p.instants, now+2)
	}
	if g.length > 4 || g.length == 4 && g.shared && g.locks != 1 {
		p.ttls = p.ttls[:1]
	}
	return p
}

// tellsLittle tells whether an operation is not worth a try as the last one: a
// long lease, of which nobody will see the end, and in a long history a renew or
// a release when leases may have lapsed.
func tellsLittle(e events.Event, now int64, length int) bool {
	f := fieldsOf(e)
	if f.kind == acquireKind {
		return f.ttl > 1
	}
	return length > 3 && f.at > now && (f.kind == renewKind || f.kind == releaseKind)
}

// mayPrecede tells whether an operation may stand behind a head, and before
// others. In long histories that is so for acquires only; shared ones stand
// together on one lock or alone.
func (g *growth) mayPrecede(head []events.Event, e events.Event) bool {
	acquire, ok := e.(events.Acquire)
	if !ok {
		return g.length <= 4
	}
	if acquire.Mode == events.Exclusive || g.length <= 3 || g.locks == 1 {
		return true
	}
	return g.length == 4 && !slices.ContainsFunc(head, func(e events.Event) bool { return fieldsOf(e).mode == events.Shared })
}
