package history

import (
	"slices"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// repeated are the actions that a template is made of.
var repeated = []action{
	ask, ask, contend, contend, nest, askBusy, renew, renewOther,
	release, withdraw, releaseOther, write, writeStale, read, inspect, status,
}

// repeat draws an ordinary operation and lets it be run a few times (R27).
func (g *Generator) repeat() events.Event {
	var e events.Event
	if g.oneIn(3) {
		e = g.closeCycle()
	}
	literal := e != nil // or else the cycle would hardly close
	if !literal {
		e = g.do(oneOf(&g.dice, repeated))
	}
	if e == nil {
		return nil
	}
	s := &g.texts
	s.takeApart(e)
	at := s.elements[1]
	s.elements = slices.Delete(s.elements, 1, 2)
	for i, element := range s.elements {
		if i > 0 && element[0] == '"' && !literal && g.oneIn(2) {
			s.elements[i] = g.withPlaceholder(element)
		}
	}
	if g.oneIn(8) {
		i := g.below(len(s.elements))
		s.elements[i] = oneOf(&g.dice, badTexts)
	}
	template := string(s.list())
	s.elements = append(s.elements[:0], `"repeat"`, at, strconv.Itoa(g.runs()), g.stride(), template)
	return g.parsed(s.list())
}

// runs draws how often an operation is run.
func (g *Generator) runs() int {
	if g.oneIn(12) {
		return g.between(7, 24)
	}
	return g.between(1, 6)
}

// stride draws how many ticks lie between the runs.
func (g *Generator) stride() string {
	switch g.below(24) {
	case 0, 1, 2, 3, 4, 5:
		return strconv.FormatInt(1+int64(g.below64(uint64(g.plan.ttl))), 10)
	case 6, 7, 8:
		return "1"
	case 9:
		return strconv.FormatInt(1<<g.between(20, 62), 10)
	}
	return "0"
}

// withPlaceholder lets a quoted name count (R28): in place of its last digit,
// if it has one, and otherwise as an addition to it.
func (g *Generator) withPlaceholder(quoted string) string {
	name := quoted[:len(quoted)-1]
	if last := name[len(name)-1]; len(name) > 1 && '0' <= last && last <= '9' {
		name = name[:len(name)-1]
	} else if !g.oneIn(4) {
		return quoted
	}
	return name + g.placeholder() + `"`
}

// placeholder draws a placeholder.
func (g *Generator) placeholder() string {
	text := "{i"
	if g.oneIn(2) {
		text += "+" + g.addend()
	}
	if !g.oneIn(4) {
		text += "%" + strconv.Itoa(g.between(1, 4))
	}
	if g.oneIn(40) {
		text += "%0"
	}
	return text + "}"
}

// addend draws the number that is added to that of the run, now and then one
// that has no room in 64 bits.
func (g *Generator) addend() string {
	switch g.below(12) {
	case 0:
		return "18446744073709551616"
	case 1:
		return "9223372036854775807"
	}
	return strconv.Itoa(g.below(6))
}
