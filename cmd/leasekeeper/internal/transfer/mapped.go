package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"
	"unicode/utf8"

	"github.com/itchyny/gojq"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// Bounds of what a jq program may do with one line.
const (
	// maxTime is how long it may take: long enough for a machine that is busy
	// with other things.
	maxTime = 5 * time.Second
	// maxMapped is how many operations it may make of the line.
	maxMapped = 1 << 16
	// maxOutput is how long, in bytes, all that it makes of the line may be.
	// What it holds together only once may be much longer when written out.
	maxOutput = oplog.MaxEntry
	// maxDepth is how deep that may nest.
	maxDepth = 10000
)

// Program is a jq program that makes operations of the lines of a log.
type Program struct {
	code *gojq.Code
	time time.Duration // for one line
}

// Compile compiles a jq program. It can neither read files nor see the
// environment.
func Compile(text string) (*Program, error) {
	query, err := gojq.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the jq program: %w", err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, fmt.Errorf("the jq program: %w", err)
	}
	return &Program{code, maxTime}, nil
}

// mapped is a log in lines of which a jq program makes operations. What the
// program gives is taken like a line of a history: a list is an operation, an
// object has the fields op and result.
type mapped struct {
	lines   *lines
	program *Program
	waiting []Item // what the last line has given besides
	passed  int
}

// Next implements Source.
func (s *mapped) Next() (Item, error) {
	for len(s.waiting) == 0 {
		line, err := s.lines.next()
		if err != nil {
			return Item{}, err
		}
		if s.waiting, err = s.program.run(line); err != nil {
			s.waiting = nil
			return Item{}, s.lines.fault("this line cannot be mapped: " + err.Error())
		}
		if len(s.waiting) == 0 {
			s.passed++
		}
	}
	item := s.waiting[0]
	s.waiting = s.waiting[1:]
	item.Line, item.Column = s.lines.number, 1
	return item, nil
}

// Offset implements Source.
func (s *mapped) Offset() int64 { return s.lines.offset }

// Passed implements Source.
func (s *mapped) Passed() int { return s.passed }

// run makes operations of a line.
func (p *Program) run(line []byte) ([]Item, error) {
	input, err := value(line)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.time)
	defer cancel()
	var items []Item
	room := maxOutput
	for outputs := p.code.RunWithContext(ctx, input); ; {
		output, more := outputs.Next()
		if !more {
			return items, nil
		}
		if err, failed := output.(error); failed {
			if errors.Is(err, context.DeadlineExceeded) {
				err = fmt.Errorf("the jq program takes longer than %v", p.time)
			}
			return nil, err
		}
		if room = roomAfter(room, output, maxDepth); room < 0 {
			return nil, fmt.Errorf("the jq program makes more than %d bytes of it, or nests them deeper than %d", maxOutput, maxDepth)
		}
		item, err := mappedItem(output)
		if err != nil {
			return nil, err
		}
		if items = append(items, item); len(items) > maxMapped {
			return nil, fmt.Errorf("the jq program makes more than %d operations of it", maxMapped)
		}
	}
}

// value reads a line as jq values, numbers as they are spelled.
func value(line []byte) (any, error) {
	if !utf8.Valid(line) || oplog.LoneSurrogate(line) >= 0 {
		return nil, errors.New("it is not valid Unicode")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("it is no JSON value: %w", err)
	}
	if !json.Valid(line) {
		return nil, errors.New("it holds more than one JSON value")
	}
	return v, nil
}

// roomAfter is what is left of so many bytes once a value has been written out,
// about, or negative if it does not fit, or nests too deep.
func roomAfter(room int, value any, depth int) int {
	if depth == 0 {
		return -1
	}
	room--
	switch v := value.(type) {
	case string:
		room -= len(v)
	case json.Number:
		room -= len(v)
	case *big.Int:
		room -= v.BitLen() / 4
	case []any:
		for i := 0; i < len(v) && room >= 0; i++ {
			room = roomAfter(room, v[i], depth-1)
		}
	case map[string]any:
		for key, element := range v {
			if room -= len(key); room < 0 {
				break
			}
			room = roomAfter(room, element, depth-1)
		}
	}
	return room
}

// mappedItem is an output of the program as an operation.
func mappedItem(output any) (item Item, err error) {
	object, isObject := output.(map[string]any)
	if !isObject {
		if _, isList := output.([]any); !isList {
			return item, fmt.Errorf("the jq program gives %s, neither a list nor an object", gojq.Preview(output))
		}
		item.Operation, err = gojq.Marshal(output)
		return item, err
	}
	operation, ok := object["op"]
	result, recorded := object["result"]
	if known := len(object) == 1 || len(object) == 2 && recorded; !ok || !known {
		return item, fmt.Errorf("the jq program gives %s; an object has op and, if there is one, result", gojq.Preview(output))
	}
	if recorded {
		if item.Recorded, err = gojq.Marshal(result); err != nil {
			return item, err
		}
	}
	item.Operation, err = gojq.Marshal(operation)
	return item, err
}
