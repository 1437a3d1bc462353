// Package naive is the rules of leasekeeper written down once more, slowly and
// obviously, as the judge of package fsm. It shares nothing with fsm but the
// vocabulary of package events.
//
// Leases and requests lie in two tables in the order in which they came about;
// every question is answered by looking from the front through those of one
// lock, of one client, or through all. Nothing else is indexed, cached or kept
// in step with anything, so that each function can be held against its rule in
// docs/rules.md line by line. The price is time: an operation costs the product
// of a few list lengths, which is little as long as queues are short.
//
// A Model can be told to get single rules wrong: see Deviations. A deviation
// is how one shows that a test would notice, and how one puts a name to what
// another implementation does. In the rules a deviation always reads as an if
// on m.wrong, or as a call into one of the files wrong_*.go; what remains when
// those are left out is the rules.
package naive

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// lease is a lock held by a client until expiresAt.
type lease struct {
	names
	mode             events.Mode
	token, expiresAt int64

	ttl int64 // as granted; only deviations ask
}

// request is a client's place in the queue of a lock.
type request struct {
	names
	mode events.Mode
	ttl  int64

	at, token int64 // when it was made, and a token set aside for it; only deviations ask
}

// place is where the store keeps a value. A lock's high-water mark is kept
// under the lock alone, with no key.
type place struct{ lock, key string }

// Model is a whole lease service. It is not safe for concurrent use.
type Model struct {
	rules events.Rules

	started  bool // false until an operation has set the clock (R26)
	clock    int64
	sequence uint64

	leases table[*lease]    // in the order of their grants
	queue  table[*request]  // oldest first
	quiet  int64            // no lease ends before
	tokens map[string]int64 // by lock: the last fencing token given (R5)

	ages          map[string]int64 // by client: registered ones only (R15)
	registrations int64

	marks  map[place]int64 // by lock: the highest token accepted (R6)
	values map[place]string

	now     events.Event    // the operation that is being handled
	effects []events.Effect // what the event has brought about so far

	wrong   [deviationCount]bool
	deviant bool // any deviation is on
	rereads bool // one is on that looks at the text of an Invalid
	recalls bool // one is on that looks at the tables of before
	past    past
}

// New returns a fresh service under the rules given. It fails if the rules do
// not exist, or if a deviation does not: see Deviations for the names.
func New(rules events.Rules, deviations ...string) (*Model, error) {
	if err := rules.Validate(); err != nil {
		return nil, fmt.Errorf("naive: %w", err)
	}
	m := &Model{
		rules:  rules,
		tokens: map[string]int64{},
		ages:   map[string]int64{},
		marks:  map[place]int64{},
		values: map[place]string{},
		past:   past{ages: map[string]int64{}, firstEnd: map[string]int64{}},
	}
	for _, name := range deviations {
		d, err := lookUp(name)
		if err != nil {
			return nil, err
		}
		m.wrong[d], m.deviant = true, true
		m.rereads = m.rereads || slices.Contains(rereading, d)
		m.recalls = m.recalls || slices.Contains(recalling, d)
	}
	return m, nil
}

// Run gives the operations, each the JSON text of one, to a fresh service and
// returns a result for each. It fails where New does and where a text is no
// JSON at all.
func Run(rules events.Rules, operations []json.RawMessage, deviations ...string) ([]events.Result, error) {
	m, err := New(rules, deviations...)
	if err != nil {
		return nil, err
	}
	results := make([]events.Result, 0, len(operations))
	for i, operation := range operations {
		e, err := rules.Parse(operation)
		if err != nil {
			return nil, fmt.Errorf("naive: operation %d: %w", i+1, err)
		}
		results = append(results, m.Apply(e))
	}
	return results, nil
}

// Apply handles one event and tells what it brought about.
func (m *Model) Apply(e events.Event) events.Result {
	m.sequence++
	m.effects = nil
	answer := m.operate(e)
	return events.Result{Sequence: m.sequence, Answer: answer, Effects: m.effects}
}

// operate handles one operation: an event, or one run of a repeat. Between
// the caller and the rules stand the deviations of reading and reporting.
func (m *Model) operate(e events.Event) events.Answer {
	return m.misreport(m.answer(m.misread(e)))
}

// answer goes through the checks in their order (R23): first those that need
// no state, with the clock in their midst (R1, R26), then the operation's own.
func (m *Model) answer(e events.Event) events.Answer {
	m.now = e
	at, moves, refusal := m.admit(e)
	if !moves {
		return m.refuse(m.clock, refusal)
	}
	if m.wentBack(at) {
		return m.refuse(at, events.ClockWentBack)
	}
	m.advance(at)
	if refusal != events.NotRefused {
		return m.refuse(m.clock, m.misjudge(refusal))
	}
	if m.wrong[ageByFirstMention] {
		m.registerMentioned(e)
	}
	switch e := e.(type) {
	case events.Acquire:
		return m.acquire(e)
	case events.Renew:
		return m.renew(e)
	case events.Release:
		return m.release(e)
	case events.Write:
		return m.write(e)
	case events.Read:
		return m.read(e)
	case events.Inspect:
		return m.inspect(e.Lock)
	case events.Status:
		return m.status(e.Client)
	case events.Repeat:
		return m.repeat(e)
	}
	panic(fmt.Sprintf("naive: event %T was admitted, but there is no rule for it", e))
}

// refuse answers with a refusal and notes it. An operation that was understood
// has names to note; an Invalid has none.
func (m *Model) refuse(at int64, refusal events.Refusal) events.Answer {
	effect := events.Effect{Kind: events.EffectRefused, Refusal: refusal, Instant: at}
	switch e := m.now.(type) {
	case events.Acquire:
		effect.Lock, effect.Client = e.Lock, e.Client
	case events.Renew:
		effect.Lock, effect.Client = e.Lock, e.Client
	case events.Release:
		effect.Lock, effect.Client = e.Lock, e.Client
	case events.Write:
		effect.Lock, effect.Key, effect.Token = e.Lock, e.Key, e.Token
	case events.Read:
		effect.Lock, effect.Key = e.Lock, e.Key
	case events.Inspect:
		effect.Lock = e.Lock
	case events.Status:
		effect.Client = e.Client
	}
	m.record(effect)
	return refusal
}

// record notes an effect of the event being applied.
func (m *Model) record(effect events.Effect) {
	effect.Sequence = m.sequence
	m.effects = append(m.effects, effect)
}
