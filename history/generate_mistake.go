package history

import (
	"slices"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// What may stand where it must not (R23 to R25).
var (
	badShapes = []string{`7`, `null`, `true`, `"acquire"`, `{}`, `{"op":"inspect"}`, `[]`, `["inspect"]`, `[["inspect",0]]`, `[[],0]`}
	badNames  = []string{
		`"fly"`, `"Acquire"`, `"RENEW"`, `"lock"`, `""`, `7`, `null`, `true`, `["acquire"]`, `"\ud800"`, `"statu"`,
		`"\u0061cquire"`, `"inspec\u0074"`, // as good as without escapes
	}
	badTexts = []string{
		`""`, `7`, `null`, `true`, `{}`, `["c0"]`, `"\ud800"`, `"\udc00c"`, `"c\ud83d"`, `"\ude00\ud83d"`, `"L\udfff0"`,
		`"\u00630"`, `"L\u0030"`, `"\ud83d\ude00"`, // likewise
	}
	badNumbers = []string{
		`0`, `-1`, `-0`, `null`, `"5"`, `1.5`, `[]`, `{}`, `1e-1`, `5E0`, `6e1`, `60.0`,
		`true`, `true`, `false`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`,
		`1000000000000000000000000000000`, `-100000000000000000000`,
	}
	badCounts    = []string{`0`, `-1`, `100001`, `9223372036854775808`, `true`, `2.0`, `1e0`, `null`, `"3"`}
	badModes     = []string{`"both"`, `"SHARED"`, `"Exclusive"`, `"shared"`, `"exclusive"`, `""`, `7`, `null`, `true`, `"sh\u0061red"`}
	badTemplates = []string{
		`[]`, `{}`, `"acquire"`, `7`, `[7]`, `[null,"c0"]`, `["repeat",1,0,["inspect","L0"]]`, `["inspect","L{i%0}"]`,
		`["release","c{i+1%00}","L0"]`, `["inspect","{i}",1,2,3,4,5,6,"{i%0}"]`, `["status",["{i%0}"]]`,
	}
)

// slips are the actions that are spoiled to make a mistake.
var slips = []action{ask, contend, askBusy, renew, renewOther, release, write, read, inspect, status, repeat}

// mistake draws an ordinary operation and puts something in it that is wrong,
// or two things, so that the order of checks matters (R23).
func (g *Generator) mistake() events.Event {
	switch g.below(16) {
	case 0:
		return g.parsed([]byte(oneOf(&g.dice, badShapes)))
	case 1, 2, 3:
		return g.mistakenTTL()
	}
	e := g.do(oneOf(&g.dice, slips))
	if e == nil {
		return nil
	}
	s := &g.texts
	s.takeApart(e)
	if len(s.elements) < 3 {
		return nil
	}
	for range g.between(1, 2) {
		g.spoil(s)
	}
	if g.oneIn(3) && len(s.elements) > 1 {
		s.elements[1] = strconv.FormatInt(g.later(1+g.below64(uint64(g.plan.ttl))), 10)
	}
	return g.parsed(s.list())
}

// timed are the actions with a ttl.
var timed = []action{ask, contend, comeBack, askBusy, renew, renewOther}

// mistakenTTL draws an operation with nothing wrong but its ttl: next to the
// bounds of R2, or no integer for a narrow miss (R24).
func (g *Generator) mistakenTTL() events.Event {
	e := g.do(oneOf(&g.dice, timed))
	if e == nil {
		return nil
	}
	s := &g.texts
	s.takeApart(e)
	s.elements[4] = oneOf(&g.dice, []string{
		"0", "0", strconv.FormatInt(g.rules.MaxTTL()+1, 10), "true", asFraction(s.elements[4]), "-1", "6e1",
	})
	return g.parsed(s.list())
}

// spoil puts one wrong thing into an operation.
func (g *Generator) spoil(s *scribe) {
	i := g.below(len(s.elements) + 1)
	switch {
	case i == len(s.elements):
		g.spoilCount(s)
	case i == 0:
		s.elements[0] = oneOf(&g.dice, badNames)
	case i == 1:
		s.elements[1] = g.badInstant(s.elements[1])
	case i == 5:
		s.elements[5] = oneOf(&g.dice, badModes)
	case s.elements[i][0] == '"':
		s.elements[i] = oneOf(&g.dice, badTexts)
	case s.elements[i][0] == '[':
		s.elements[i] = oneOf(&g.dice, badTemplates)
	case s.elements[0] == `"repeat"`:
		s.elements[i] = oneOf(&g.dice, badCounts)
	default:
		s.elements[i] = g.badNumber(s.elements[i])
	}
}

// spoilCount makes one argument more or less of an operation.
func (g *Generator) spoilCount(s *scribe) {
	switch {
	case g.oneIn(3):
		i := g.between(1, len(s.elements)-1)
		s.elements = slices.Delete(s.elements, i, i+1)
	case g.oneIn(3):
		s.elements = append(s.elements, oneOf(&g.dice, badNumbers))
	default:
		s.elements = append(s.elements, oneOf(&g.dice, badModes))
	}
}

// badInstant is an instant that is none, or one beyond the end of time (R24).
func (g *Generator) badInstant(good string) string {
	switch g.below(4) {
	case 0:
		return asFraction(good)
	case 1:
		return strconv.FormatUint(uint64(g.rules.MaxInstant())+1, 10)
	}
	return oneOf(&g.dice, badNumbers[3:])
}

// badNumber is a number of the wrong type or range; for a ttl one of those next
// to its bounds (R2).
func (g *Generator) badNumber(good string) string {
	switch g.below(6) {
	case 0:
		return asFraction(good)
	case 1:
		return "0"
	case 2:
		return strconv.FormatInt(g.rules.MaxTTL()+1, 10)
	}
	return oneOf(&g.dice, badNumbers)
}

// asFraction writes an integer as a number with a fraction; what is no integer
// has been spoiled already and stays.
func asFraction(good string) string {
	if _, err := strconv.ParseInt(good, 10, 64); err != nil {
		return good
	}
	return good + ".0"
}
