package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// marking compares answers with those required, in order, as they come.
type marking struct {
	sheet   *sheet
	given   texts
	full    bool // too much was given to keep it
	count   int
	differs int // the first answer that differs, from 1; 0 if there is none
	answer  json.RawMessage
}

// keptAnswers is how many bytes of answers are kept to explain them.
const keptAnswers = 8 << 20

// take takes the next answer. What is no answer at all is a fault, and is not
// taken.
func (m *marking) take(text []byte) *fault {
	right, asked := false, m.count < m.sheet.required.len()
	if asked {
		required := m.sheet.required.at(m.count)
		right = bytes.Equal(text, required) || oplog.SameAnswer(text, required)
	}
	if !right {
		if fault := findFault(text); fault != nil {
			return fault
		}
	}
	m.count++
	if asked && !right && m.differs == 0 {
		m.differs = m.count
		m.answer = append(json.RawMessage{}, text...)
	}
	if m.full || len(m.given.bytes)+len(text) > keptAnswers {
		m.full = true
		return nil
	}
	m.given.bytes = append(m.given.bytes, text...)
	m.given.end()
	return nil
}

// differing is the verdict about the first answer that differs.
func (m *marking) differing() Verdict {
	v := WrongAnswer{
		Sequence:  m.differs,
		Operation: append(json.RawMessage{}, m.sheet.operations.at(m.differs-1)...),
		Required:  append(json.RawMessage{}, m.sheet.required.at(m.differs-1)...),
		Given:     m.answer,
	}
	for i := range m.given.len() {
		if m.full {
			break
		}
		v.Answers = append(v.Answers, append(json.RawMessage{}, m.given.at(i)...))
	}
	return v
}

// complete is the verdict when all answers that will come have come.
func (m *marking) complete(stderr string) Verdict {
	required := m.sheet.required.len()
	switch {
	case m.count != required:
		return WrongCount{
			Required: required, Given: m.count, More: m.count > required+surplus,
			Differs: m.differs, Stderr: stderr,
		}
	case m.differs > 0:
		return m.differing()
	}
	return Agrees{Answers: required}
}

// surplus is how many answers more than there are operations are counted before
// nobody listens any longer.
const surplus = 1000

// fault is what makes output no answer.
type fault struct {
	reason string
	offset int
	text   string
}

// findFault tells what keeps a text from being one JSON value in UTF-8.
func findFault(text []byte) *fault {
	if offset := invalidUTF8(text); offset >= 0 {
		return faultAt(text, offset, "no UTF-8")
	}
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	if err == nil {
		return nil
	}
	offset := len(text)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = min(max(int(syntax.Offset)-1, 0), len(text))
	}
	return faultAt(text, offset, "no JSON")
}

// faultAt quotes what stands at a fault, with a little of what stands before it.
func faultAt(text []byte, offset int, reason string) *fault {
	begin := max(0, offset-20)
	for begin > 0 && !utf8.RuneStart(text[begin]) {
		begin--
	}
	return &fault{reason, offset, string(text[begin:min(len(text), begin+shown)])}
}

// invalidUTF8 is the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// verdict is the fault as a verdict.
func (f *fault) verdict(answered int, stderr string) Garbage {
	return Garbage{Answered: answered, Reason: f.reason, Offset: f.offset, Text: f.text, Stderr: stderr}
}
