package history

import "github.com/leasekeeper/leasekeeper/events"

// enumerateRepeats goes through the plain histories around one repeat: it alone,
// or with an operation before or behind it.
func (s *shrinker) enumerateRepeats() bool {
	before := s.best
	if !contains(before, repeatKind) || size(before) > longestWithRepeat {
		return false
	}
	heads, tails := companions(before.Rules)
	for _, template := range plainTemplates {
		for _, count := range []int64{1, 2} {
			for _, step := range []int64{0, 1} {
				if s.calls <= 0 || step >= count {
					break
				}
				repeat := fields{kind: repeatKind, count: count, step: step, text: template}.event(before.Rules)
				s.try(History{Rules: before.Rules, Events: []events.Event{repeat}})
				for _, head := range heads {
					s.try(History{Rules: before.Rules, Events: []events.Event{head, repeat}})
				}
				for _, tail := range tails {
					s.try(History{Rules: before.Rules, Events: []events.Event{repeat, tail}})
				}
			}
		}
	}
	return Order(s.best, before) < 0
}

// longestWithRepeat is the size up to which that is done.
const longestWithRepeat = 8

// companions are the operations before and behind a repeat.
func companions(rules events.Rules) (heads, tails []events.Event) {
	for _, name := range [][2]string{{"a", "L"}, {"0", "L"}, {"a", "0"}} {
		heads = append(heads, events.Acquire{Client: name[0], Lock: name[1], TTL: 1, Mode: events.Exclusive})
		tails = append(tails, events.Inspect{Lock: name[1]}, events.Read{Lock: name[1], Key: "k"}, fields{kind: statusKind, client: name[0]}.event(rules))
	}
	for _, lock := range []string{"L", "0"} {
		heads = append(heads, events.Write{Lock: lock, Key: "k", Value: "v", Token: 1})
	}
	return heads, tails
}
