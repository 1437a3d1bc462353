package history

import (
	"math"

	"github.com/leasekeeper/leasekeeper/events"
)

// huge is the first whole number whose successor has no float64 of its own (R24).
const huge = 1 << 53

// write offers a value to the store, with a token of the given kind (R6).
func (g *Generator) write(kind action) events.Event {
	lock := g.anyLock()
	l := &g.locks[lock]
	token := max(1, l.tokens)
	switch kind {
	case write:
		if len(l.holders) > 0 && g.oneIn(2) {
			token = oneOf(&g.dice, l.holders).token
		}
	case writeStale:
		lock = g.find(len(g.locks), func(l int) bool { return g.locks[l].mark > 1 })
		if lock == none {
			return nil
		}
		l = &g.locks[lock]
		if token = l.mark - 1; l.mark < huge && g.oneIn(2) {
			token = 1 + int64(g.below64(uint64(token)))
		}
	case writeAhead:
		token = l.tokens + int64(g.between(1, 4))
	case writeHuge:
		token = max(huge, l.mark) + int64(g.between(0, 2))
		if token < huge || g.oneIn(12) {
			token = math.MaxInt64
		}
	}
	return events.Write{At: g.instant(), Lock: l.name, Key: g.anyKey(), Value: g.anyValue(), Token: token}
}

// read asks for a value, three times in four for one that is there.
func (g *Generator) read() events.Event {
	lock := g.find(len(g.locks), func(l int) bool { return len(g.locks[l].keys) > 0 })
	if lock == none || g.oneIn(4) {
		return events.Read{At: g.instant(), Lock: g.locks[g.anyLock()].name, Key: g.anyKey()}
	}
	return events.Read{At: g.instant(), Lock: g.locks[lock].name, Key: oneOf(&g.dice, g.locks[lock].keys)}
}

func (g *Generator) anyKey() string { return allKeys[g.below(g.plan.keys)] }

func (g *Generator) anyValue() string { return oneOf(&g.dice, allValues) }
