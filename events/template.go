package events

import (
	"encoding/json"
	"math"
	"math/bits"
	"slices"
)

// Template is a repeat's operation, read once so that its runs are cheap. It
// is immutable: any number of goroutines may use it.
type Template struct {
	text      string
	kind      kind
	count     int // of all arguments
	arguments [maxArguments]argument
	patterns  [maxArguments]pattern // of the arguments that have placeholders
	expansion int64                 // bytes of a run's strings, at most
}

// CompileTemplate reads the compact JSON text of a repeat's template: an
// operation without its instant, such as ["acquire","job{i}","L{i%100}",60].
// ok is false for a bad template (R27, R28): text that is not compact JSON,
// not a list whose first element is a string other than "repeat", or with a
// placeholder that divides by zero.
//
// A template with an unknown name or with bad arguments is not a bad template:
// each of its runs is refused for itself.
func CompileTemplate(text string) (t *Template, ok bool) {
	source := []byte(text)
	if !isCompactElement(source) {
		return nil, false
	}
	operation, ok := openList(source)
	if !ok {
		return nil, false
	}
	name, ok := operation.next()
	if !ok || name[0] != '"' {
		return nil, false
	}
	t = &Template{text: text, kind: readName(name)}
	if t.kind == kindRepeat {
		return nil, false
	}
	for value, ok := operation.next(); ok; value, ok = operation.next() {
		if !t.add(readArgument(value)) {
			return nil, false
		}
	}
	return t, true
}

// isCompactElement tells whether text is one valid JSON value without
// insignificant white space, and still valid as an element of a list: the
// outside form of a repeat nests its template one level deeper.
func isCompactElement(text []byte) bool {
	return json.Valid(text) && compactJSON(text) == string(text) && json.Valid(slices.Concat([]byte("["), text, []byte("]")))
}

// add takes the next argument. It is false if a placeholder in it is bad.
func (t *Template) add(a argument) bool {
	var p pattern
	if a.kind != listArgument {
		var ok bool
		if p, ok = compilePattern(a.text); !ok {
			return false
		}
		t.expansion += p.size()
	}
	if t.count < maxArguments {
		t.arguments[t.count], t.patterns[t.count] = a, p
	}
	t.count++
	return true
}

// Fits tells whether count runs stay within MaxExpansion: count times the
// most bytes that a run's strings can have (R27).
func (t *Template) Fits(count int64) bool {
	return t.expansion == 0 || count <= MaxExpansion/t.expansion
}

// Event is run i of the template, i from 0, at instant at. A run that breaks
// the contract is an Invalid with its own refusal; its Raw is the template's
// text, without copy, since runs are not journaled one by one. A run later
// than MaxInstant does not move the clock.
func (t *Template) Event(r Rules, at, i int64) Event {
	if !r.knows(t.kind) {
		return Invalid{Raw: t.text, Refusal: UnknownOperation}
	}
	if at > r.MaxInstant() {
		return Invalid{Raw: t.text, Refusal: InvalidArguments}
	}
	if !r.takes(t.kind, t.count) {
		return Invalid{Raw: t.text, Refusal: InvalidArguments, At: at, MovesClock: true}
	}
	arguments := t.arguments
	for n := range t.count {
		if len(t.patterns[n].placeholders) > 0 {
			arguments[n].text = t.patterns[n].expand(uint64(i))
		}
	}
	e, refusal := r.build(t.kind, at, arguments[:t.count])
	if refusal != NotRefused {
		return Invalid{Raw: t.text, Refusal: refusal, At: at, MovesClock: true}
	}
	return e
}

// noInstant is later than every instant that an operation may carry.
const noInstant = math.MaxInt64

// RunAt is the instant of run i, i from 0: At + i × Step. If that does not fit
// 64 bits, ok is false and at is an instant that Template.Event refuses.
func (e Repeat) RunAt(i int64) (at int64, ok bool) {
	if i < 0 || e.Step < 0 {
		return noInstant, false
	}
	high, offset := bits.Mul64(uint64(i), uint64(e.Step))
	room := uint64(math.MaxInt64) - uint64(e.At) // exact, whatever the sign of At
	if high != 0 || offset > room {
		return noInstant, false
	}
	return e.At + int64(offset), true
}
