package history

import "container/heap"

// settle makes the best history simpler, as long as any move does. If there are
// many calls left it leaves half of them for what comes after it: numbers that
// depend on each other may become smaller in very many small steps.
func (s *shrinker) settle() {
	reserve := max(s.calls/2-500, 0)
	for again := true; again; {
		again = false
		for _, m := range moves {
			for s.calls > reserve && s.step(m) {
				again = true
			}
		}
	}
}

// step takes the first proposal of a move that makes the best history simpler.
func (s *shrinker) step(m move) bool {
	for h := range m(s.best) {
		if s.calls <= 0 {
			return false
		}
		if s.try(h) {
			return true
		}
	}
	return false
}

// patience is how many failing histories are gone on from without any progress.
const patience = 10

// explore goes from the best history to others that fail as well, though they
// may be less simple, and on from the simplest of these, to find a way to one
// that is simpler after all.
func (s *shrinker) explore() {
	if size(s.best) > longestKnown {
		return
	}
	open := frontier{s.best}
	seen := map[string]bool{}
	for waited := 0; len(open) > 0 && waited < patience && s.calls > 0; waited++ {
		from := heap.Pop(&open).(History)
		if s.name(from); s.expanded[string(s.key)] {
			continue
		}
		s.expanded[string(s.key)] = true
		before := s.best
		for h := range neighbours(from) {
			if size(h) > size(s.best) || !s.fails(h) || seen[string(s.key)] {
				continue
			}
			seen[string(s.key)] = true
			heap.Push(&open, h)
			s.try(s.quicklySimpler(h))
		}
		if Order(s.best, before) < 0 {
			s.settle()
			heap.Push(&open, s.best)
			waited = -1
		}
	}
}

// quicklySimpler tries the cheapest ways to make a failing history simpler.
func (s *shrinker) quicklySimpler(h History) History {
	for i := len(h.Events) - 1; i >= 0 && len(h.Events) > 1; i-- {
		if i < len(h.Events)-1 && len(h.Events) > 3 {
			break // in a longer history the last one only
		}
		if shorter := leftOut(h, i, i+1); s.fails(shorter) {
			h = shorter
		}
	}
	for _, rules := range simplerRules(h.Rules) {
		if other := under(rules, h); s.fails(other) {
			return other
		}
	}
	return h
}

// frontier is histories to go on from, a heap with the simplest on top.
type frontier []History

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(i, j int) bool { return Order(f[i], f[j]) < 0 }
func (f frontier) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(h any)        { *f = append(*f, h.(History)) }
func (f *frontier) Pop() any {
	last := len(*f) - 1
	h := (*f)[last]
	*f = (*f)[:last]
	return h
}
