package oplog

import "encoding/json"

// extent is where a value begins and ends.
type extent struct {
	at  place
	end int64
}

// readLine reads one value of the form of lines: an operation, or an object
// that holds one beside its recorded answer.
func (s *scanner) readLine() (Entry, error) {
	s.keep()
	defer s.drop()
	var operation, result extent
	c, err := s.peek()
	switch {
	case err != nil:
	case c == '{':
		operation, result, err = s.operationAndResult()
	default:
		operation, err = s.extent()
	}
	if err == nil {
		err = s.checkLength()
	}
	if err != nil {
		return Entry{}, err
	}
	entry := Entry{
		Operation: s.kept(operation.at.offset, operation.end),
		Line:      operation.at.line, Column: operation.at.column(),
	}
	if result.end > 0 {
		entry.Recorded = s.kept(result.at.offset, result.end)
	}
	return entry, nil
}

// operationAndResult reads a line that is an object. Without a result its
// extent is zero.
func (s *scanner) operationAndResult() (operation, result extent, err error) {
	err = s.fields(func(name string, at place) (err error) {
		switch name {
		case "op":
			operation, err = s.extent()
		case "result":
			result, err = s.extent()
		default:
			err = s.unknownField(at, name, "a line has op and result")
		}
		return err
	})
	if err == nil && operation.end == 0 {
		err = s.fault(s.from, `this line has no field "op"`)
	}
	return operation, result, err
}

// isRecorded tells whether an element of an array is an operation beside its
// recorded answer: an object that has a field op.
func isRecorded(element []byte) bool {
	if element[0] != '{' {
		return false
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(element, &fields) // the scanner has seen that it is JSON
	_, ok := fields["op"]
	return ok
}

// extent reads one value and notes where it lies.
func (s *scanner) extent() (extent, error) {
	if _, err := s.spaceWithin(); err != nil {
		return extent{}, err
	}
	at := s.place()
	err := s.value()
	return extent{at, s.offset()}, err
}
