package history

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// scribe holds an operation as text, taken apart into the elements of its
// list, while something is done to these.
type scribe struct {
	text     []byte
	elements []string
}

// takeApart writes an event down. The elements are name, ts and arguments, or
// a single one if the event is no list.
func (s *scribe) takeApart(e events.Event) {
	s.text = events.AppendJSON(s.text[:0], e)
	s.elements = s.elements[:0]
	text := string(s.text)
	if text[0] != '[' {
		s.elements = append(s.elements, text)
		return
	}
	start, depth, quoted := 1, 0, false
	for i := 1; i < len(text)-1; i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			s.elements = append(s.elements, text[start:i])
			start = i + 1
		}
	}
	if start < len(text)-1 {
		s.elements = append(s.elements, text[start:len(text)-1])
	}
}

// list is the elements as a list again.
func (s *scribe) list() []byte {
	s.text = append(s.text[:0], '[')
	for i, element := range s.elements {
		if i > 0 {
			s.text = append(s.text, ',')
		}
		s.text = append(s.text, element...)
	}
	s.text = append(s.text, ']')
	return s.text
}

// parsed is the event that a text is kept as.
func (g *Generator) parsed(text []byte) events.Event {
	e, err := g.rules.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("history: drew %s, which is no JSON: %v", text, err))
	}
	return e
}
