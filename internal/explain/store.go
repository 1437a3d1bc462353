package explain

import (
	"github.com/leasekeeper/leasekeeper/events"
)

// marked is the fact of a lock's high-water mark: the write that raised it.
func (a *account) marked(lock string, mark int64) Fact {
	f := Fact{Lock: lock, Mark: mark}
	e, ok := find(a.past, func(t *trail) (events.Effect, bool) {
		e, ok := t.marks[lock]
		return e, ok && e.Token == mark
	})
	if !ok {
		return a.origin(f, nil)
	}
	f.Key = e.Key
	return a.origin(f, &e)
}

// written explains a write that the store took.
func (a *account) written(e events.Write) {
	old := a.before.Mark(e.Lock)
	var marked *Fact
	if old > 0 {
		f := a.marked(e.Lock, old)
		marked = &f
	}
	a.happen()
	a.lapses(e.Lock)
	f := Fact{Lock: e.Lock, Key: e.Key, Token: e.Token, Mark: old, Event: a.result.Sequence, Instant: &e.At}
	if old < e.Token {
		a.add("written and raised", f)
	} else {
		a.add("written", f)
	}
	if marked != nil {
		a.add("mark", *marked)
	}
	a.owner(e.Lock, e.Token, true)
}

// stale explains a write that the store refused.
func (a *account) stale(e events.Write) {
	mark := a.before.Mark(e.Lock)
	a.happen()
	a.lapses(e.Lock)
	a.add("stale", Fact{Lock: e.Lock, Key: e.Key, Token: e.Token, Mark: mark, Event: a.result.Sequence, Instant: &e.At})
	a.add("mark", a.marked(e.Lock, mark))
	a.owner(e.Lock, mark, false)
	a.owner(e.Lock, e.Token, false)
}

// owner tells whose a token is or was. A write that was accepted although its
// lease was over is a late one.
func (a *account) owner(lock string, token int64, accepted bool) {
	for _, h := range a.state.Holders(lock) {
		if h.Token == token {
			a.add("held", a.held(lock, h))
			return
		}
	}
	issued := a.state.Issued(lock)
	if token > issued {
		a.add("never granted", Fact{Lock: lock, Token: token, Count: issued})
		return
	}
	if accepted {
		a.add("late but accepted", Fact{Lock: lock, Token: token, Event: a.result.Sequence})
	}
	c, ok := find(a.past, func(t *trail) (*career, bool) {
		c := t.tokens[grantNumber{lock, token}]
		return c, c != nil && c.ended != nil
	})
	if !ok {
		a.add("owner unknown", a.origin(Fact{Lock: lock, Token: token}, nil))
		return
	}
	a.over(c, a.began(c))
}

// read explains a value: who wrote it and when.
func (a *account) read(e events.Read) {
	value := a.result.Answer.(events.Value)
	f := Fact{Lock: e.Lock, Key: e.Key, Instant: &e.At}
	if !value.Found {
		f.Event = a.result.Sequence
		a.add("no value", f)
		return
	}
	written, ok := find(a.past, func(t *trail) (events.Effect, bool) {
		w, ok := t.values[place{e.Lock, e.Key}]
		return w, ok
	})
	if !ok {
		a.add("value", a.origin(f, nil))
		return
	}
	f.Token = written.Token
	a.add("value", a.origin(f, &written))
	a.owner(e.Lock, written.Token, false)
}
