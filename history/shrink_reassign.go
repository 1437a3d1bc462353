package history

import (
	"iter"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// reassign goes through all ways to give the clients, the locks and the modes of
// the best history to its operations anew, as long as none is refused by the
// rules that was not refused before.
func (s *shrinker) reassign() bool {
	state, err := fsm.New(s.best.Rules)
	if err != nil || len(s.best.Events) > longestReassigned || weigh(s.best)[oddBytes] > 0 {
		return false
	}
	before := s.best
	a := assignment{
		s: s, of: before, shared: int(weigh(before)[sharedRequests]),
		names: len(namesIn(before, clientRole)) + len(namesIn(before, lockRole)),
	}
	machine := fsm.NewMachine(state)
	for _, e := range before.Events {
		a.refused = append(a.refused, isRefused(machine.Apply(e)))
	}
	a.assign(state, nil, [roles]int{}, 0)
	return Order(s.best, before) < 0
}

// longestReassigned is the most operations of a history that is reassigned.
const longestReassigned = 6

func isRefused(result events.Result) bool {
	_, refused := result.Answer.(events.Refusal)
	return refused
}

type assignment struct {
	s       *shrinker
	of      History
	refused []bool // which operations are refused by the rules
	shared  int    // how many requests may be shared
	names   int    // how many names there may be: with more it is not simpler
}

// assign goes on from the operations that have their names already, so many of
// each role and so many shared requests among them.
func (a *assignment) assign(state fsm.State, head []events.Event, used [roles]int, shared int) {
	i := len(head)
	if i == len(a.of.Events) {
		a.s.try(History{Rules: a.of.Rules, Events: head})
		return
	}
	for f := range a.choices(fieldsOf(a.of.Events[i]), used, shared < a.shared) {
		if a.s.calls <= 0 {
			return
		}
		now, more := used, shared
		if c, ok := plainIndex(clientRole, f.client); ok {
			now[clientRole] = max(used[clientRole], c+1)
		}
		if l, ok := plainIndex(lockRole, f.lock); ok {
			now[lockRole] = max(used[lockRole], l+1)
		}
		if f.mode == events.Shared {
			more++
		}
		e := f.event(a.of.Rules)
		next, result := fsm.Apply(state, e)
		if now[clientRole]+now[lockRole] > a.names || isRefused(result) && !a.refused[i] {
			continue
		}
		a.assign(next, append(head[:i:i], e), now, more)
	}
}

// choices yields an operation with any of the names in use, or the next ones.
func (a *assignment) choices(f fields, used [roles]int, mayShare bool) iter.Seq[fields] {
	modes := []events.Mode{f.mode}
	if f.kind == acquireKind {
		modes = []events.Mode{events.Exclusive, events.Shared}
		if !mayShare {
			modes = modes[:1]
		}
	}
	return func(yield func(fields) bool) {
		for _, client := range namesFor(clientRole, f.client, used) {
			for _, lock := range namesFor(lockRole, f.lock, used) {
				for _, mode := range modes {
					g := f
					g.client, g.lock, g.mode = client, lock, mode
					if !yield(g) {
						return
					}
				}
			}
		}
	}
}

// namesFor are the names that may stand in the place of one: none in the place
// of none.
func namesFor(r role, name string, used [roles]int) []string {
	if name == "" {
		return []string{""}
	}
	names := make([]string, used[r]+1)
	for i := range names {
		names[i] = plainName(r, i)
	}
	return names
}
