package audit

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/explain"
	"github.com/leasekeeper/leasekeeper/internal/naive"
)

// chainBudget is how many operations may be answered in search of the events
// that matter, the runs of repeats included.
const chainBudget = 3_000_000

// reducer looks for the events that matter: as few as possible that, alone and
// followed by the event that was answered wrongly, still require an answer that
// contradicts the recorded one in the same way, for the same reasons; and to
// which a service with the mistake, if it is known, still gives the wrong one.
type reducer struct {
	*examination
	left   int64 // operations
	causes []string
}

// reduce finds the chain.
func (x *examination) reduce() {
	r := &reducer{examination: x, left: chainBudget}
	if x.report.Explains {
		r.causes = x.causeNames()
	}
	events := r.neighbours()
	events = r.recent(events)
	events = r.shrunk(events)
	x.report.Minimal = r.left > 0 && x.ctx.Err() == nil
	x.chain = append(events, x.first)
}

// neighbours are the events around the wrong answer in the narrowest circle
// that keeps the contradiction: those of its lock, those of the clients that
// had to do with it, of their locks, and so on; in the end all.
func (r *reducer) neighbours() []int {
	before := r.Entries[:r.first]
	c := around(r.report.Event)
	for range 4 {
		if list := c.within(before); r.holds(list) {
			return list
		}
		if !c.widen(before) {
			break
		}
	}
	all := make([]int, r.first)
	for i := range all {
		all[i] = i
	}
	return all
}

// recent leaves out what happened long ago, if the rest suffices: what matters
// is usually near.
func (r *reducer) recent(list []int) []int {
	for n := 8; n < len(list); n *= 4 {
		if tail := list[len(list)-n:]; r.holds(tail) {
			return tail
		}
	}
	return list
}

// shrunk leaves out events, many at a time and then ever fewer, until none can
// be left out alone.
func (r *reducer) shrunk(list []int) []int {
	for size := max(1, len(list)/2); ; size = max(1, size/2) {
		reduced := false
		for end := len(list); end > 0; end = min(end-size, len(list)) {
			without := slices.Delete(slices.Clone(list), max(0, end-size), end)
			if r.left <= 0 || r.ctx.Err() != nil {
				return list
			}
			if r.holds(without) {
				list, reduced = without, true
			}
		}
		if size == 1 && !reduced {
			return list
		}
	}
}

// holds tells whether events suffice. It is cheap where they do not suffice by
// the rules alone.
func (r *reducer) holds(list []int) bool {
	machine := fsm.NewMachine(r.Start)
	for _, i := range list {
		r.spend(r.Entries[i].Event)
		machine.Apply(r.Entries[i].Event)
	}
	if !r.aspect.requires(machine.Apply(r.report.Event).Answer.AppendJSON(nil)) {
		return false
	}
	if r.causes != nil && r.aspect.recorded.kind != "other" {
		model, err := naive.New(r.rules, r.causes...)
		if err != nil {
			panic("audit: " + err.Error()) // the names are from the catalogue
		}
		for _, i := range list {
			r.spend(r.Entries[i].Event)
			model.Apply(r.Entries[i].Event)
		}
		if !r.aspect.gives(model.Apply(r.report.Event).Answer.AppendJSON(nil)) {
			return false
		}
	}
	return r.facts == nil || containsAll(r.reasons(list), r.facts)
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(list, w) })
}

// spend takes an operation off the budget.
func (r *reducer) spend(e events.Event) {
	r.left--
	if repeat, ok := e.(events.Repeat); ok {
		r.left -= repeat.Count
	}
}

// reasons are the kinds of facts that explain the answer behind some events.
func (r *reducer) reasons(list []int) []string {
	source, err := explain.NewMemory(r.rules)
	if err != nil {
		panic("audit: " + err.Error()) // the rules have been examined
	}
	for _, i := range list {
		r.spend(r.Entries[i].Event)
		source.Add(r.Entries[i].Event, nil)
	}
	source.Add(r.report.Event, nil)
	account, err := explain.Event(source, source.Last(), explain.Options{})
	if err != nil {
		return nil
	}
	return kindsOf(account)
}

// besides are kinds of facts that do not say why an answer is required.
var besides = []explain.Kind{"operation", "answer", "recorded", "recorded by another service", "more", "lapsed elsewhere"}

// kindsOf are the kinds of facts of an account.
func kindsOf(account *explain.Account) (kinds []string) {
	for _, f := range account.Facts {
		if !slices.Contains(besides, f.Kind) {
			kinds = append(kinds, string(f.Kind))
		}
	}
	return kinds
}
