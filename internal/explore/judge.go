package explore

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// judge is the space of what fsm and naive make of histories. It finds wrong
// in what they differ.
type judge struct {
	moves   []move
	start   point
	canon   *canon
	deviant bool // naive is, so nothing may be taken for granted

	reader       reader
	before       snapshot // of the point at hand
	after, model snapshot // after a move, by fsm and by naive
	applied      int
	looks        []look // at the point at hand, as of later instants
	workspace    naive.Workspace
	memory       memory
}

// look is a state as of an instant, with nothing done to it: what reads and
// refusals have to leave behind (R1).
type look struct {
	ts          int64
	started     bool
	fingerprint fsm.Fingerprint
	snapshot    snapshot
	key         key
}

func (j *judge) root() point { return j.start }

func (j *judge) keyOf(p point) key {
	j.reader.state(&j.after, p.state)
	return j.class(&j.after, p)
}

// class is the key of a point with a snapshot.
func (j *judge) class(s *snapshot, p point) key {
	if j.deviant {
		return keyOf(j.memory.plain(p.model))
	}
	return j.canon.key(s)
}

func (j *judge) step(p point, n int) point {
	m := &j.moves[n]
	j.before.clock, _ = p.state.Clock()
	if m.operation == write {
		j.reader.state(&j.before, p.state)
	}
	e, _ := m.event(&j.before)
	next := point{model: p.model.Clone()}
	next.state, _ = fsm.Apply(p.state, e)
	next.model.Apply(e)
	return next
}

func (j *judge) expand(p point, found func(int, key)) (move int, t *trouble) {
	defer j.catch(&t)
	j.reader.state(&j.before, p.state)
	j.looks, j.applied = j.looks[:0], 0
	for move = range j.moves {
		e, ok := j.moves[move].event(&j.before)
		if !ok {
			continue
		}
		to, t := j.apply(p, e)
		if t != nil {
			return move, t
		}
		found(move, to)
	}
	return 0, nil
}

// catch makes a panic, which is how fsm tells that an invariant is broken,
// something that is wrong after a history.
func (j *judge) catch(t **trouble) {
	if reason := recover(); reason != nil {
		*t = lawBroken("no panic", fmt.Sprint(reason))
	}
}

// apply gives an event to both and compares what they say and what they are
// afterwards.
func (j *judge) apply(p point, e events.Event) (key, *trouble) {
	next := point{model: j.workspace.Clone(p.model)}
	required := next.model.Apply(e)
	var got events.Result
	next.state, got = fsm.Apply(p.state, e)
	if t := compare(required, got); t != nil {
		return key{}, t
	}
	unchanged := j.lookAt(p.state, next.state)
	quiet := next.state.Fingerprint() == unchanged.fingerprint
	if !quiet && mustBeQuiet(e, got) {
		return key{}, lawBroken("law 4: only the clock changes", "other rows have changed as well")
	}
	after := &unchanged.snapshot
	if j.applied++; !quiet || j.applied%doubt == 0 {
		after = &j.after
		j.reader.state(after, next.state)
	}
	j.reader.model(&j.model, next.model)
	if !after.equal(&j.model) {
		return key{}, &trouble{States, j.model.String(), after.String()}
	}
	if quiet && !j.deviant {
		return unchanged.key, nil
	}
	return j.class(after, next), nil
}

// doubt is how often a fingerprint that says that nothing has changed is not
// believed: once in so many times the rows are looked at all the same.
const doubt = 8

// lookAt is a state as of the clock of the next one.
func (j *judge) lookAt(s, next fsm.State) *look {
	ts, started := next.Clock()
	for i := range j.looks {
		if at := &j.looks[i]; at.ts == ts && at.started == started {
			return at
		}
	}
	if len(j.looks) < cap(j.looks) {
		j.looks = j.looks[:len(j.looks)+1] // there may be a snapshot with memory
	} else {
		j.looks = append(j.looks, look{})
	}
	at := &j.looks[len(j.looks)-1]
	if started && !(j.before.started && ts == j.before.clock) {
		s = s.At(ts)
	}
	at.ts, at.started, at.fingerprint = ts, started, s.Fingerprint()
	j.reader.state(&at.snapshot, s)
	at.key = j.canon.key(&at.snapshot)
	return at
}

// mustBeQuiet tells whether an event may change nothing but the clock: it was
// refused, or only asked.
func mustBeQuiet(e events.Event, result events.Result) bool {
	switch e.(type) {
	case events.Read, events.Inspect, events.Status:
		return true
	}
	_, refused := result.Answer.(events.Refusal)
	return refused
}

func compare(required, got events.Result) *trouble {
	if !history.EqualAnswers(required.Answer, got.Answer) {
		return &trouble{Answers, string(required.Answer.AppendJSON(nil)), string(got.Answer.AppendJSON(nil))}
	}
	if required.Sequence != got.Sequence {
		return &trouble{Effects, fmt.Sprintf("sequence %d", required.Sequence), fmt.Sprintf("sequence %d", got.Sequence)}
	}
	if !slices.Equal(required.Effects, got.Effects) {
		return &trouble{Effects, fmt.Sprint(required.Effects), fmt.Sprint(got.Effects)}
	}
	return nil
}
