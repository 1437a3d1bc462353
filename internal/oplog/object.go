package oplog

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/leasekeeper/leasekeeper/events"
)

// object is the object form, as its first reading found it.
type object struct {
	header     Header
	operations *span
	results    *span // nil if there are none
}

// span is where an array lies in the input, and how many elements it has.
type span struct {
	at     place
	length int
}

// readObject reads the object form from its opening bracket to the end of the
// input, and refuses whatever is wrong with it before anything is answered.
func readObject(s *scanner) (object, error) {
	o := object{header: Header{Form: Object}}
	start := s.place()
	err := s.fields(func(name string, at place) error { return o.field(s, name, at) })
	if err != nil {
		return o, err
	}
	if o.operations == nil {
		return o, s.fault(start, `this object has no field "operations"`)
	}
	if o.results != nil && o.results.length != o.operations.length {
		return o, s.fault(o.results.at, fmt.Sprintf("%s, but %s",
			counted(o.operations.length, "operation"), counted(o.results.length, "result")))
	}
	return o, s.onlySpace("the object")
}

// counted is a number of things in words.
func counted(n int, what string) string {
	if n == 1 {
		return "there is 1 " + what
	}
	return fmt.Sprintf("there are %d %ss", n, what)
}

// field reads the value of one field.
func (o *object) field(s *scanner, name string, at place) (err error) {
	switch name {
	case "operations":
		o.operations, err = s.span(name, false)
	case "results":
		o.results, err = s.span(name, true)
	case "name", "edition", "unit":
		return o.headerField(s, name)
	default:
		return s.unknownField(at, name, "there are name, edition, unit, operations and results")
	}
	return err
}

// headerField reads a field that says something about the whole history. Like
// results, it may be null and then counts as missing.
func (o *object) headerField(s *scanner, name string) error {
	if _, err := s.spaceWithin(); err != nil {
		return err
	}
	text, at, err := s.entry()
	if err != nil || string(text) == "null" {
		return err
	}
	var ok bool
	var expected string
	switch name {
	case "name":
		expected = "a string"
		if at, lone := at.lone(text); lone {
			return s.fault(at, loneMessage)
		}
		ok = text[0] == '"' && json.Unmarshal(text, &o.header.Name) == nil
	case "edition":
		expected = "1, 2 or 3"
		o.header.Edition, ok = ParseEdition(string(text))
	case "unit":
		expected = `"second", "millisecond", "microsecond" or "nanosecond"`
		var unit string
		_ = json.Unmarshal(text, &unit)
		o.header.Unit, err = events.ParseUnit(unit)
		ok = err == nil
	}
	if !ok {
		return s.fault(at, fmt.Sprintf("%q has to be %s", name, expected))
	}
	return nil
}

// ParseEdition reads the number of an edition as headers and flags give it: one
// digit.
func ParseEdition(text string) (events.Edition, bool) {
	for e := events.Edition1; e <= events.Edition3; e++ {
		if text == strconv.Itoa(int(e)) {
			return e, true
		}
	}
	return 0, false
}

// span reads an array and notes where it lies; orNull lets null stand for a
// missing one.
func (s *scanner) span(name string, orNull bool) (*span, error) {
	c, err := s.spaceWithin()
	switch {
	case err != nil:
		return nil, err
	case c == 'n' && orNull:
		return nil, s.word("null")
	case c != '[':
		return nil, s.fault(s.place(), fmt.Sprintf("%q has to be an array", name))
	}
	at := s.place()
	length, err := (&list{s: s}).count()
	return &span{at, length}, err
}

// onlySpace sees to it that nothing but white space is left.
func (s *scanner) onlySpace(behind string) error {
	err := s.space()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	return s.fault(s.place(), "there is more behind the end of "+behind+"; one input holds one history")
}

// fields reads an object that begins here. It calls field behind the colon of
// each field, at its value, which field has to read. A name may stand once.
func (s *scanner) fields(field func(name string, at place) error) error {
	seen := make(map[string]bool)
	if _, err := s.next(); err != nil { // the caller knows that it is a bracket
		return err
	}
	s.pos++
	c, err := s.spaceWithin()
	if err != nil {
		return err
	}
	for c != '}' {
		name, at, err := s.namedField()
		if err != nil {
			return err
		}
		if seen[name] {
			return s.fault(at, "the field "+quoted(name)+" stands twice")
		}
		seen[name] = true
		if err := field(name, at); err != nil {
			return err
		}
		if c, err = s.spaceWithin(); err != nil {
			return err
		}
		if c != ',' && c != '}' {
			return s.unexpected("',' or '}'")
		}
		if c == ',' {
			s.pos++
			c = 0 // another field has to follow
		}
	}
	s.pos++
	return nil
}

// namedField reads a field's name and its colon. The place is the name's.
func (s *scanner) namedField() (name string, at place, err error) {
	if _, err := s.spaceWithin(); err != nil {
		return "", at, err
	}
	if !s.keeping {
		s.keep()
		defer s.drop()
	}
	at = s.place()
	if err := s.fieldName(); err != nil {
		return "", at, err
	}
	text := s.kept(at.offset, s.offset()-1)
	if at, lone := at.lone(text); lone {
		return "", at, s.fault(at, loneMessage)
	}
	return name, at, json.Unmarshal(text, &name)
}
