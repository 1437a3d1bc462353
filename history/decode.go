package history

import "github.com/leasekeeper/leasekeeper/events"

// Bounds of what Decode makes of bytes, so that none of them asks for much.
const (
	planBytes  = 24  // the bytes that decide what a history is about
	maxDecoded = 400 // events
	maxRuns    = 64  // of a repeat that stands in the bytes as text
)

// Decode makes a history of any bytes, always the same of the same. It is for
// a fuzzer that knows nothing of operations: the bytes take the place of the
// random numbers with which Generate draws, so whatever they are, the history
// is one in which most events mean something, and a small change to them is a
// small change to it.
//
// The first 24 bytes stand for the rules and the plan, the others for events.
// A byte 255 where an event begins has a meaning of its own: the next byte is
// a length, and what follows is an operation's JSON text, taken as it is. Text
// that is no JSON is passed over, and so is a repeat of more than 64 runs.
//
// The history has at most 400 events, and no more than there are bytes.
func Decode(data []byte) History {
	g := NewGenerator(Profile{focuses: []*focus{mixture}})
	plan := min(planBytes, len(data))
	g.dice = dice{bytes: data[:plan], fromBytes: true}
	g.begin(g.dice.rules())
	g.bytes = data[plan:]
	for len(g.bytes) > 0 && len(g.list) < maxDecoded {
		if g.bytes[0] != 255 {
			g.add(g.next())
		} else if e := g.verbatim(); e != nil {
			g.add(e)
		}
	}
	return History{Rules: g.rules, Events: g.list}
}

// verbatim takes an event that stands in the bytes as text, behind a mark and
// its length. It is nil if that is none that Decode takes.
func (g *Generator) verbatim() events.Event {
	head, length := g.bytes[1:], 0
	if len(head) > 0 {
		head, length = head[1:], int(head[0])
	}
	length = min(length, len(head))
	text := head[:length]
	g.bytes = head[length:]
	e, err := g.rules.Parse(text)
	if err != nil {
		return nil
	}
	if repeat, ok := e.(events.Repeat); ok && repeat.Count > maxRuns {
		return nil
	}
	return e
}
