package naive

import "slices"

// names are the two names that a lease or a request is about.
type names struct{ lock, client string }

func (n *names) about() *names { return n }

// table holds leases, or requests, in the order in which they came about. Who
// asks for those of one lock, or of one client, gets what looking through all
// of them would find, in the same order.
type table[T interface {
	comparable
	about() *names
}] struct {
	all              []T
	byLock, byClient map[string][]T
}

func (t *table[T]) add(x T) {
	if t.byLock == nil {
		t.byLock, t.byClient = map[string][]T{}, map[string][]T{}
	}
	n := x.about()
	t.all = append(t.all, x)
	t.byLock[n.lock] = append(t.byLock[n.lock], x)
	t.byClient[n.client] = append(t.byClient[n.client], x)
}

// remove takes x out, if it is there.
func (t *table[T]) remove(x T) {
	n := x.about()
	if !t.has(x) {
		return
	}
	t.all = without(t.all, x)
	leave(t.byLock, n.lock, x)
	leave(t.byClient, n.client, x)
}

// has tells whether x is there.
func (t *table[T]) has(x T) bool { return slices.Contains(t.byClient[x.about().client], x) }

// on is what there is on a lock, to be read before anything changes.
func (t *table[T]) on(lock string) []T { return t.byLock[lock] }

// of is what a client has, to be read before anything changes.
func (t *table[T]) of(client string) []T { return t.byClient[client] }

func leave[T comparable](lists map[string][]T, name string, x T) {
	if lists[name] = without(lists[name], x); len(lists[name]) == 0 {
		delete(lists, name)
	}
}

func without[T comparable](list []T, x T) []T {
	at := slices.Index(list, x)
	return slices.Delete(list, at, at+1)
}
