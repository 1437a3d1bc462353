package projection

import (
	"maps"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// TimelineSink takes the rows of a Timeline. A field that is nil lets its rows
// go.
type TimelineSink struct {
	Lease   func(Lease)   // when it ends
	Renewal func(Renewal) // when it happens
	Wait    func(Wait)    // when it ends
	Write   func(Write)   // when it happens
}

// Timeline tells the life of locks: who held them from when to when, why it
// began and how it ended; who waited for them; what was written under which
// token. It keeps the leases in force and the requests that wait, and passes
// everything else on as soon as it is over.
type Timeline struct {
	open   *open[struct{}]
	filter *filter
	sink   TimelineSink
}

// NewTimeline is a timeline that begins at a state. O(n log n) for n locks of
// the state.
func NewTimeline(state fsm.State, f Filter, sink TimelineSink) *Timeline {
	t := &Timeline{filter: newFilter(f), sink: sink}
	t.open = openAt[struct{}](state, t.filter, nil)
	return t
}

// Apply implements Projection. O(1) an effect, and O(holders) for the end of a
// shared lease.
func (t *Timeline) Apply(s *Step) {
	t.open.next(s)
	for i := range s.Result.Effects {
		if e := &s.Result.Effects[i]; t.filter.lock(e.Lock) {
			t.effect(e, momentOf(e, i))
		}
	}
}

func (t *Timeline) effect(e *events.Effect, at Moment) {
	switch e.Kind {
	case events.EffectGranted:
		if _, _, w := t.open.granted(e, at); w != nil {
			t.passWait(w, t.sink.Wait)
		}
	case events.EffectQueued:
		t.open.queued(e, at)
	case events.EffectRenewed:
		renewed, before := t.open.renewed(e)
		t.passRenewal(Renewal{renewed.Lock, renewed.Client, e.Token, at, before, e.ExpiresAt})
	case events.EffectReleased, events.EffectExpired:
		_, ended := t.open.ended(e, at)
		t.passLease(ended, t.sink.Lease)
	case events.EffectWithdrawn:
		_, w := t.open.withdrawn(e, at)
		t.passWait(w, t.sink.Wait)
	case events.EffectWritten, events.EffectRefused:
		if w, ok := writeOf(e, at); ok {
			t.passWrite(w)
		}
	}
}

func (t *Timeline) passLease(l *Lease, to func(Lease)) {
	if to != nil && t.filter.client(l.Client) && t.filter.span(l.Began, l.Ended) {
		to(*l)
	}
}

func (t *Timeline) passWait(w *Wait, to func(Wait)) {
	if to != nil && t.filter.client(w.Client) && t.filter.span(w.Began, w.Ended) {
		to(*w)
	}
}

func (t *Timeline) passRenewal(r Renewal) {
	if t.sink.Renewal != nil && t.filter.client(r.Client) && t.filter.at(r.At.Instant) {
		t.sink.Renewal(r)
	}
}

func (t *Timeline) passWrite(w Write) {
	if t.sink.Write == nil || !t.filter.at(w.At.Instant) {
		return
	}
	w.Holder = t.open.holder(w.Lock, w.Token)
	if t.filter.client(w.Holder) {
		t.sink.Write(w)
	}
}

// Open passes on the leases in force and the requests that wait as they stand:
// the leases of each lock by token, then its queue, lock by lock by name. It
// changes nothing; the fold may go on. O(n log n) for n locks.
func (t *Timeline) Open(lease func(Lease), wait func(Wait)) {
	for _, name := range slices.Sorted(maps.Keys(t.open.locks)) {
		l := t.open.locks[name]
		for _, h := range l.leases {
			t.passLease(h, lease)
		}
		for w := l.head; w != nil; w = w.behind {
			t.passWait(&w.Wait, wait)
		}
	}
}
