package history

import "math"

// pace is a way of choosing the instant of an event.
type pace int

// The paces.
const (
	stay  pace = iota // at the clock
	tick              // a little later
	meet              // when the next lease ends, or one tick before or after
	jump              // when some lease ends, likewise
	leap              // a few ttls later
	night             // later than the longest ttl lasts
	back              // before the clock
	paces
)

// instant draws an instant.
func (g *Generator) instant() int64 {
	if !g.started {
		return g.plan.first
	}
	switch pace(g.weighted(g.plan.paces[:])) {
	case tick:
		return g.later(1 + g.below64(uint64(max(3, g.plan.ttl/8))))
	case meet:
		if end, ok := g.nextEnd(); ok {
			return g.about(end)
		}
	case jump:
		if lock := g.heldLock(); lock != none {
			return g.about(oneOf(&g.dice, g.locks[lock].holders).expiresAt)
		}
	case leap:
		return g.later(1 + g.below64(4*uint64(g.plan.ttl)))
	case night:
		return g.later(1 + uint64(g.rules.MaxTTL()) + g.below64(uint64(g.rules.MaxTTL())))
	case back:
		return g.earlier()
	}
	return g.clock
}

// later is so many ticks after the clock, or the end of time.
func (g *Generator) later(ticks uint64) int64 {
	if room := uint64(g.rules.MaxInstant()) - uint64(g.clock); ticks > room {
		return g.rules.MaxInstant()
	}
	return int64(uint64(g.clock) + ticks)
}

// about is an instant that leases are asked about: the very one, or that
// before or after it, but none that has passed.
func (g *Generator) about(instant int64) int64 {
	switch g.below(8) {
	case 0:
		instant--
	case 1:
		instant++
	}
	return min(max(instant, g.clock), g.rules.MaxInstant())
}

// earlier is an instant that has passed, if time has a past: where the clock
// stood before it last moved, or one tick ago.
func (g *Generator) earlier() int64 {
	switch {
	case g.before < g.clock && g.oneIn(2):
		return g.before
	case g.clock > math.MinInt64:
		return g.clock - 1
	}
	return g.clock
}

// term is a way of choosing a ttl.
type term int

// The terms.
const (
	usual    term = iota // up to what the plan says
	brief                // one tick or two
	together             // so that the lease, if it begins at once, ends when another one does
	day                  // the longest
	terms
)

// lasting draws the ttl of what is asked for at an instant.
func (g *Generator) lasting(at int64) int64 {
	switch term(g.weighted(g.plan.terms[:])) {
	case brief:
		return 1 + int64(g.below(2))
	case together:
		if lock := g.heldLock(); lock != none {
			end := oneOf(&g.dice, g.locks[lock].holders).expiresAt
			if ttl := end - at; at < end && ttl > 0 && ttl <= g.rules.MaxTTL() {
				return ttl
			}
		}
	case day:
		return g.rules.MaxTTL()
	}
	return 1 + int64(g.below64(uint64(g.plan.ttl)))
}
