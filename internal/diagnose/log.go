package diagnose

import (
	"context"
	"slices"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// log is what models are held against: the operations that the rules have been
// held against.
type log struct {
	rules    events.Rules
	entries  []Entry
	answered int
	wrong    []int // the places of wrong answers, ascending
	first    *Mismatch
	// seen are the signs of the operations up to the first wrong answer, as
	// the rules have them.
	seen sighting
}

// examine lets the state machine answer everything, until the context is done.
// Once a wrong answer is found, it takes no more than half of the time, so that
// something can be said of what was examined.
func examine(ctx context.Context, rules events.Rules, entries []Entry) (*log, error) {
	state, err := fsm.New(rules)
	if err != nil {
		return nil, err
	}
	l := &log{rules: rules}
	m := fsm.NewMachine(state)
	var answer []byte
	half := halfOf(ctx)
	for i := range entries {
		if ctx.Err() != nil || l.first != nil && i%counted == 0 && time.Now().After(half) {
			break
		}
		e := &entries[i]
		result := m.Apply(e.Event)
		if l.first == nil {
			l.seen.add(e.Event, result.Effects)
		}
		l.entries = entries[:i+1]
		if !e.answered() {
			continue
		}
		l.answered++
		answer = result.Answer.AppendJSON(answer[:0])
		if e.is(answer) {
			continue
		}
		l.wrong = append(l.wrong, i)
		if l.first == nil {
			l.first = &Mismatch{Index: i, Recorded: e.Recorded, Answer: slices.Clone(answer)}
		}
	}
	return l, nil
}

// halfOf is the middle between now and the deadline; without one, it is too
// far away to come.
func halfOf(ctx context.Context) time.Time {
	now := time.Now()
	if deadline, ok := ctx.Deadline(); ok {
		return now.Add(deadline.Sub(now) / 2)
	}
	return now.AddDate(1000, 0, 0)
}

// wrongBefore is how many of the first n operations were answered wrongly.
func (l *log) wrongBefore(n int) int {
	count, _ := slices.BinarySearch(l.wrong, n)
	return count
}
