package history

import "math"

// plan is what one history is about. No two seeds have the same: each leaves
// some actions out and does others more often, since a fault that needs many
// releases, or none, would hardly ever show in an even mixture.
type plan struct {
	actions [actions]int
	paces   [paces]int
	terms   [terms]int
	ttl     int64 // the longest of the usual ones
	first   int64 // the instant of the first event
	shared  int   // percent of the acquires
	keys    int   // how many there are
}

// makePlan draws a plan, and the names that it needs.
func (g *Generator) makePlan(f *focus) {
	g.plan = plan{
		actions: f.actions,
		paces:   f.paces,
		terms:   f.terms,
		ttl:     g.longestUsualTTL(),
		first:   int64(g.between(-3, 20)),
		shared:  oneOf(&g.dice, f.shared),
		keys:    g.between(1, len(allKeys)),
	}
	if !g.fromBytes { // who chooses the bytes also chooses what to leave out
		g.swing(g.plan.actions[ask+1:])
		g.swing(g.plan.paces[stay+1:])
		g.swing(g.plan.terms[usual+1:])
	}
	if g.percent(f.early) {
		g.plan.first = g.farInstant()
	}
	g.keepToEdition()
	odd := g.percent(f.odd)
	g.name(odd, g.between(f.clients.low, f.clients.high), g.between(f.locks.low, f.locks.high))
}

// swing leaves out one weight in five and halves or doubles others.
func (g *Generator) swing(weights []int) {
	for i, weight := range weights {
		switch g.below(10) {
		case 0, 1:
			weights[i] = 0
		case 2, 3:
			weights[i] = (weight + 1) / 2
		case 4, 5:
			weights[i] = 2 * weight
		case 6:
			weights[i] = 4 * weight
		}
	}
}

// keepToEdition turns down what an edition does not have (R29). Now and then it
// is asked for all the same, and refused.
func (g *Generator) keepToEdition() {
	if g.rules.Edition < 3 {
		g.plan.actions[status] = (g.plan.actions[status] + 3) / 4
		g.plan.actions[nest], g.plan.actions[closeCycle] = 0, 0
	}
	if g.rules.Edition < 2 {
		g.plan.shared = min(g.plan.shared, 3)
	}
}

// longestUsualTTL draws the scale of a history's ttls, and with it that of its
// steps.
func (g *Generator) longestUsualTTL() int64 {
	return oneOf(&g.dice, []int64{4, 12, 12, 40, 40, 40, 200, 1000, g.rules.MaxTTL() / 20, g.rules.MaxTTL()})
}

// farInstant draws a first instant that is unusual: the very ends of time,
// places where a number loses its last digits in a float64, and times as of
// today.
func (g *Generator) farInstant() int64 {
	last := g.rules.MaxInstant()
	return oneOf(&g.dice, []int64{
		last, last - 1, last - g.plan.ttl, last - 100,
		math.MinInt64, math.MinInt64 + 10, -1 << 53, -g.plan.ttl, -1000,
		1<<53 - 1, 1<<31 - 2, 1 << 32, 1_790_000_000,
	})
}
