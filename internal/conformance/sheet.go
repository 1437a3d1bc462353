package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
)

// sheet is a history as it is asked, with the answers that the rules require.
type sheet struct {
	operations texts
	required   texts
	longest    int // of the required answers, in bytes
}

// texts are short texts in one piece of memory.
type texts struct {
	bytes []byte
	ends  []int
}

func (t *texts) len() int { return len(t.ends) }

func (t *texts) at(i int) []byte {
	begin := 0
	if i > 0 {
		begin = t.ends[i-1]
	}
	return t.bytes[begin:t.ends[i]:t.ends[i]]
}

// end ends the text that has been appended to bytes.
func (t *texts) end() { t.ends = append(t.ends, len(t.bytes)) }

// newSheet writes a history down and answers it. It fails if the rules do not
// exist, or if an operation cannot be sent.
func newSheet(h history.History) (*sheet, error) {
	state, err := fsm.New(h.Rules)
	if err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	machine := fsm.NewMachine(state)
	s := new(sheet)
	for i, event := range h.Events {
		s.operations.bytes = events.AppendJSON(s.operations.bytes, event)
		s.operations.end()
		if err := sendable(s.operations.at(i)); err != nil {
			return nil, fmt.Errorf("conformance: operation %d: %w", i+1, err)
		}
		s.required.bytes = machine.Apply(event).Answer.AppendJSON(s.required.bytes)
		s.required.end()
		s.longest = max(s.longest, len(s.required.at(i)))
	}
	return s, nil
}

// sendable tells whether a text may be sent as an operation. Events that were
// made by hand may hold anything.
func sendable(text []byte) error {
	switch {
	case !utf8.Valid(text):
		return fmt.Errorf("not valid UTF-8: %s", clip(text))
	case bytes.IndexByte(text, '\n') >= 0:
		return fmt.Errorf("more than one line: %s", clip(text))
	case text[0] == '{' && hasField(text, "reset"):
		return fmt.Errorf("would be taken for a reset: %s", clip(text))
	}
	return nil
}

// hasField tells whether a JSON object has a field.
func hasField(text []byte, name string) bool {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields)
	_, ok := fields[name]
	return ok
}

// array is the history as the process protocol has it.
func (s *sheet) array() []byte {
	text := make([]byte, 0, len(s.operations.bytes)+2*s.operations.len()+4)
	text = append(text, '[')
	for i := range s.operations.len() {
		if i > 0 {
			text = append(text, ",\n"...)
		}
		text = append(text, s.operations.at(i)...)
	}
	return append(text, "]\n"...)
}

// lines are the operations as the stream protocol has them, and a reset behind
// them.
func (s *sheet) lines(rules events.Rules) []byte {
	text := make([]byte, 0, len(s.operations.bytes)+s.operations.len()+64)
	for i := range s.operations.len() {
		text = append(append(text, s.operations.at(i)...), '\n')
	}
	return appendReset(text, rules)
}

// appendReset appends the line that begins a history.
func appendReset(text []byte, rules events.Rules) []byte {
	return fmt.Appendf(text, "{\"reset\":{\"edition\":%d,\"unit\":%q}}\n", rules.Edition, rules.Unit)
}

// Bounds of what a program may print: generous, and finite. An answer that is
// right is at most six times as long as ours, by escapes.
func (s *sheet) longestLine() int   { return 1<<20 + 8*s.longest }
func (s *sheet) longestOutput() int { return 1<<20 + 8*(len(s.required.bytes)+s.required.len()) }
