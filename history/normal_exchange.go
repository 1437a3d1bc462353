package history

import (
	"iter"

	"github.com/leasekeeper/leasekeeper/events"
)

// exchanged lets two operations change their ttls, their modes or their tokens.
func exchanged(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		if len(h.Events) > mostReplaced {
			return
		}
		for j := range h.Events {
			for i := range j {
				for _, swap := range []func(a, b *fields){
					func(a, b *fields) { a.ttl, b.ttl = b.ttl, a.ttl },
					func(a, b *fields) { a.mode, b.mode = b.mode, a.mode },
					func(a, b *fields) { a.token, b.token = b.token, a.token },
				} {
					f, g := fieldsOf(h.Events[i]), fieldsOf(h.Events[j])
					before := f
					swap(&f, &g)
					if f == before || !complete(f) || !complete(g) {
						continue
					}
					changed := replaced(h, i, f.event(h.Rules))
					changed.Events[j] = g.event(h.Rules)
					if !yield(changed) {
						return
					}
				}
			}
		}
	}
}

// complete tells whether the fields have what their kind needs.
func complete(f fields) bool {
	switch f.kind {
	case acquireKind:
		return f.ttl > 0 && f.mode != 0 && f.token == 0
	case renewKind:
		return f.ttl > 0 && f.mode == 0 && f.token == 0
	case writeKind:
		return f.ttl == 0 && f.mode == 0 && f.token > 0
	}
	return f.ttl == 0 && f.mode == 0 && f.token == 0
}

// outwaited leaves out an operation and lets a tick pass instead, so that what
// it has ended lapses: all leases taken before, or all but those of one
// operation, last a tick longer.
func outwaited(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		if len(h.Events) > mostReplaced {
			return
		}
		for i := range h.Events {
			for shortest := range i {
				later := shifted(h, i, -1)
				for j := range i {
					if f := fieldsOf(h.Events[j]); f.ttl > 0 && j != shortest {
						f.ttl++
						later.Events[j] = f.event(h.Rules)
					}
				}
				if !yield(leftOut(later, i, i+1)) {
					return
				}
			}
		}
	}
}

// otherTokens gives the tokens of all writes plain ones, or such as do not fit a
// floating-point number, in the same order.
func otherTokens(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		var tokens []int64
		for _, e := range h.Events {
			if write, ok := e.(events.Write); ok {
				tokens = append(tokens, write.Token)
			}
		}
		tokens = distinct(tokens)
		if len(tokens) == 0 || len(tokens) > 4 {
			return
		}
		increasing(nil, []int64{1, 2, 3, 4, 1 << 53, 1<<53 + 1}, len(tokens), func(to []int64) bool {
			return yield(withTokens(h, tokens, to))
		})
	}
}

// increasing yields all lists of n numbers of a pool, in its order.
func increasing(head, pool []int64, n int, yield func([]int64) bool) bool {
	if n == 0 {
		return yield(head)
	}
	for i := range len(pool) - n + 1 {
		if !increasing(append(head[:len(head):len(head)], pool[i]), pool[i+1:], n-1, yield) {
			return false
		}
	}
	return true
}

func withTokens(h History, from, to []int64) History {
	changed := History{Rules: h.Rules, Events: append([]events.Event(nil), h.Events...)}
	for i, e := range h.Events {
		if write, ok := e.(events.Write); ok {
			for k, token := range from {
				if write.Token == token {
					write.Token = to[k]
					changed.Events[i] = write
					break
				}
			}
		}
	}
	return changed
}
