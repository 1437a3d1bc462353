package history

import "github.com/leasekeeper/leasekeeper/events"

// cut makes a long history short: it leaves out operations, many at a time
// first, until each that is left is needed.
func (s *shrinker) cut() {
	s.cutRuns()
	s.truncate()
	for _, rules := range simplerRules(s.best.Rules) {
		if s.try(under(rules, s.best)) {
			s.truncate()
			break
		}
	}
	s.keepRelated()
	for _, r := range []role{lockRole, clientRole} {
		s.cutByName(r)
	}
	s.cutChunks()
}

// cutRuns leaves out the repeats of many runs, or most of their runs: they cost
// the judge more than all else.
func (s *shrinker) cutRuns() {
	for i := len(s.best.Events) - 1; i >= 0 && i < len(s.best.Events); i-- {
		f := fieldsOf(s.best.Events[i])
		if f.count < manyRuns || s.try(leftOut(s.best, i, i+1)) {
			continue
		}
		for count := range smaller(f.count, 1) {
			f.count = count
			if s.try(replaced(s.best, i, f.event(s.best.Rules))) {
				break
			}
		}
	}
}

// manyRuns is how many runs are a reason to look at a repeat first.
const manyRuns = 100

// simplerRules are all rules that Order prefers, the simplest first.
func simplerRules(rules events.Rules) []events.Rules {
	var all []events.Rules
	for edition := events.Edition3; edition >= rules.Edition; edition-- {
		for _, unit := range events.Units {
			if edition > rules.Edition || unit < rules.Unit {
				all = append(all, events.Rules{Edition: edition, Unit: unit})
			}
		}
	}
	return all
}

// keepRelated keeps the operations that have to do with the last one: those
// that share a lock or a client with it, or else with one of these, and so on.
func (s *shrinker) keepRelated() {
	type tagged struct {
		r    role
		name string
	}
	names := map[tagged]bool{}
	collect := func(e events.Event) {
		eachName(e, func(r role, name string) {
			if r == lockRole || r == clientRole {
				names[tagged{r, name}] = true
			}
		})
	}
	h := s.best
	if len(h.Events) == 0 {
		return
	}
	collect(h.Events[len(h.Events)-1])
	for known := 0; known < len(names); {
		known = len(names)
		kept := History{Rules: h.Rules}
		for _, e := range h.Events {
			related := false
			eachName(e, func(r role, name string) { related = related || names[tagged{r, name}] })
			if related {
				kept.Events = append(kept.Events, e)
			}
		}
		if len(kept.Events) == len(h.Events) || s.try(kept) {
			return
		}
		for _, e := range kept.Events {
			collect(e)
		}
	}
}

// cutByName leaves out all operations that name some clients, or locks: half of
// them at a time, then fewer.
func (s *shrinker) cutByName(r role) {
	names := namesIn(s.best, r)
	for chunk := (len(names) + 1) / 2; chunk > 0 && s.calls > 0; chunk /= 2 {
		for from := 0; from < len(names); {
			to := min(from+chunk, len(names))
			dropped := map[string]bool{}
			for _, name := range names[from:to] {
				dropped[name] = true
			}
			if s.try(without(s.best, r, dropped)) {
				names = append(names[:from:from], names[to:]...)
			} else {
				from = to
			}
		}
	}
}

func without(h History, r role, dropped map[string]bool) History {
	kept := History{Rules: h.Rules}
	for _, e := range h.Events {
		named := false
		eachName(e, func(of role, name string) { named = named || of == r && dropped[name] })
		if !named {
			kept.Events = append(kept.Events, e)
		}
	}
	return kept
}

// cutChunks leaves out stretches of operations, the long ones first, and ends
// when no single one can be left out.
func (s *shrinker) cutChunks() {
	for chunk := len(s.best.Events) / 2; chunk > 0 && s.calls > 0; {
		shorter := false
		for end := len(s.best.Events); end > 0; {
			from := max(end-chunk, 0)
			if s.try(leftOut(s.best, from, end)) {
				shorter = true
			}
			end = from
		}
		if chunk > 1 || !shorter {
			chunk /= 2
		}
	}
}

// leftOut is a history without the events from one index up to another.
func leftOut(h History, from, to int) History {
	kept := make([]events.Event, 0, len(h.Events)-(to-from))
	kept = append(kept, h.Events[:from]...)
	return History{Rules: h.Rules, Events: append(kept, h.Events[to:]...)}
}
