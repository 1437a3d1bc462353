package history

import (
	"iter"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// palette is what an operation may be about that takes the place of another
// one: the names and numbers of its history, and the next plain ones.
type palette struct {
	rules    events.Rules
	names    [roles][]string
	instants []int64
	ttls     []int64
	tokens   []int64
	store    bool // reads and writes as well
	shared   bool // shared requests as well
	// strangers lets fresh names be given to operations other than acquire and
	// write: to such as do nothing with a name that is not in use.
	strangers bool
}

// paletteOf is the palette of a history for the event at an index.
func paletteOf(h History, i int) palette {
	p := palette{
		rules: h.Rules, ttls: []int64{1, 2}, tokens: []int64{1, 2},
		store: len(h.Events) <= 2, shared: true, strangers: len(h.Events) <= 3,
	}
	for r := range roles {
		p.names[r] = withFresh(r, namesIn(h, r))
	}
	for _, e := range h.Events {
		f := fieldsOf(e)
		if f.ttl > 0 {
			p.ttls = append(p.ttls, f.ttl)
		}
		if f.token > 0 {
			p.tokens = append(p.tokens, f.token)
		}
		p.store = p.store || f.kind == writeKind || f.kind == readKind || f.kind == repeatKind
	}
	if contains(h, repeatKind) { // the names that {i} makes
		for _, r := range []role{clientRole, lockRole, keyRole} {
			p.names[r] = slices.Insert(p.names[r], 0, "0", "1")
		}
	}
	p.ttls, p.tokens = distinct(p.ttls), distinct(p.tokens)
	p.instants = instantsAround(h, i)
	return p
}

// instantsAround are the instants of an event and of those beside it, and the one
// that follows that of the event before it.
func instantsAround(h History, i int) []int64 {
	var times []int64
	for _, j := range []int{i, i - 1, i + 1} {
		if j < 0 || j >= len(h.Events) {
			continue
		}
		t, ok := writtenInstant(h.Events[j])
		if !ok || t > h.Rules.MaxInstant() {
			continue
		}
		times = append(times, t)
		if j == i-1 && t < h.Rules.MaxInstant() {
			times = append(times, t+1)
		}
	}
	if len(times) == 0 {
		return []int64{0}
	}
	return distinct(times)
}

// withFresh adds the first plain name that is not in use.
func withFresh(r role, names []string) []string {
	for i := 0; ; i++ {
		if fresh := plainName(r, i); !slices.Contains(names, fresh) {
			return append(names, fresh)
		}
	}
}

func distinct(list []int64) []int64 {
	slices.Sort(list)
	return slices.Compact(list)
}

// events yields all operations of the palette.
func (p palette) events() iter.Seq[events.Event] {
	return func(yield func(events.Event) bool) {
		for _, at := range p.instants {
			for _, list := range []func(int64, func(events.Event) bool) bool{p.views, p.claims, p.stores} {
				if !list(at, yield) {
					return
				}
			}
		}
	}
}

// known is the names of a role for operations that do nothing with others.
func (p palette) known(r role) []string {
	if names := p.names[r]; !p.strangers && len(names) > 1 {
		return names[:len(names)-1]
	}
	return p.names[r]
}

func (p palette) views(at int64, yield func(events.Event) bool) bool {
	for _, lock := range p.known(lockRole) {
		if !yield(events.Inspect{At: at, Lock: lock}) {
			return false
		}
	}
	if p.rules.Edition < events.Edition3 {
		return true
	}
	for _, client := range p.known(clientRole) {
		if !yield(events.Status{At: at, Client: client}) {
			return false
		}
	}
	return true
}

func (p palette) claims(at int64, yield func(events.Event) bool) bool {
	modes := []events.Mode{events.Exclusive, events.Shared}
	if p.rules.Edition == events.Edition1 || !p.shared {
		modes = modes[:1]
	}
	for _, client := range p.names[clientRole] {
		for _, lock := range p.names[lockRole] {
			for _, ttl := range p.ttls {
				for _, mode := range modes {
					if !yield(events.Acquire{At: at, Client: client, Lock: lock, TTL: ttl, Mode: mode}) {
						return false
					}
				}
			}
		}
	}
	for _, client := range p.known(clientRole) {
		for _, lock := range p.known(lockRole) {
			if !yield(events.Release{At: at, Client: client, Lock: lock}) {
				return false
			}
			for _, ttl := range p.ttls {
				if !yield(events.Renew{At: at, Client: client, Lock: lock, TTL: ttl}) {
					return false
				}
			}
		}
	}
	return true
}

func (p palette) stores(at int64, yield func(events.Event) bool) bool {
	if !p.store {
		return true
	}
	for _, lock := range p.known(lockRole) {
		for _, key := range p.known(keyRole) {
			if !yield(events.Read{At: at, Lock: lock, Key: key}) {
				return false
			}
		}
	}
	for _, lock := range p.names[lockRole] {
		for _, key := range p.names[keyRole] {
			for _, value := range p.names[valueRole] {
				for _, token := range p.tokens {
					if !yield(events.Write{At: at, Lock: lock, Key: key, Value: value, Token: token}) {
						return false
					}
				}
			}
		}
	}
	return true
}
