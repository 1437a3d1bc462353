package naive

import "maps"

// Clone returns a model that goes on from where m stands and shares nothing
// with it that either could change. It takes time with the size of the state.
func (m *Model) Clone() *Model { return new(Workspace).Clone(m) }

// Workspace makes clones one after another in the same memory. The zero value
// is ready. It is not safe for concurrent use.
type Workspace struct {
	model    Model
	leases   []lease
	requests []request
}

// Clone is Model.Clone; the clone made before must not be used any more.
//
// What past says of the tables before an operation is not copied: every
// operation that looks at them has noted them anew by then.
func (w *Workspace) Clone(m *Model) *Model {
	c, old := &w.model, w.model
	*c = *m
	c.now, c.effects = nil, nil
	c.leases = copyTable(old.leases, m.leases, &w.leases)
	c.queue = copyTable(old.queue, m.queue, &w.requests)
	c.tokens = copyMap(old.tokens, m.tokens)
	c.ages = copyMap(old.ages, m.ages)
	c.marks = copyMap(old.marks, m.marks)
	c.values = copyMap(old.values, m.values)
	c.past = past{
		firstEnd: copyMap(old.past.firstEnd, m.past.firstEnd),
		ages:     copyMap(old.past.ages, m.past.ages),
	}
	return c
}

// Corrected is a Clone that gets nothing wrong from here on. What was got wrong
// before stays as it is.
func (w *Workspace) Corrected(m *Model) *Model {
	c := w.Clone(m)
	c.wrong = [deviationCount]bool{}
	c.deviant, c.rereads, c.recalls = false, false, false
	return c
}

// copyTable makes a table of copies of the rows of another, in the memory of an
// old table and of old rows.
func copyTable[R any, T interface {
	*R
	comparable
	about() *names
}](t, from table[T], rows *[]R) table[T] {
	t.all = t.all[:0]
	empty(t.byLock)
	empty(t.byClient)
	if cap(*rows) < len(from.all) {
		*rows = make([]R, 2*len(from.all))
	}
	*rows = (*rows)[:len(from.all)]
	for i, row := range from.all {
		(*rows)[i] = *row
		t.add(&(*rows)[i])
	}
	return t
}

// empty makes all lists empty and keeps their memory.
func empty[T any](lists map[string][]T) {
	for name, list := range lists {
		lists[name] = list[:0]
	}
}

func copyMap[K comparable, V any](m, from map[K]V) map[K]V {
	if m == nil {
		return maps.Clone(from)
	}
	clear(m)
	maps.Copy(m, from)
	return m
}
