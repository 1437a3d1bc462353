package sqlexport

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
)

// registrations are the clients that are registered (R15), told by effects: a
// client is registered by its first acquire that passes all checks, and until
// it is aborted.
type registrations struct {
	of     map[string]*projection.Registration
	issued int64
	sink   func(*projection.Registration) // takes those that have ended
}

func registrationsAt(s fsm.State, sink func(*projection.Registration)) *registrations {
	r := &registrations{of: map[string]*projection.Registration{}, issued: s.Counters().Ages, sink: sink}
	clock, _ := s.Clock()
	began := projection.Moment{Instant: clock, Sequence: s.Sequence(), Effect: -1}
	for c := range s.Clients() {
		r.of[c.Name] = &projection.Registration{Client: c.Name, Age: c.Age, Began: began}
	}
	return r
}

// Apply implements projection.Projection.
func (r *registrations) Apply(s *projection.Step) {
	for i := range s.Result.Effects {
		e := &s.Result.Effects[i]
		at := projection.Moment{Instant: e.Instant, Sequence: e.Sequence, Effect: i}
		switch e.Kind {
		case events.EffectGranted:
			r.registered(e.Client, at).Granted++
		case events.EffectQueued:
			r.registered(e.Client, at).Waited++
		case events.EffectAborted:
			ended := r.of[e.Client]
			ended.Ended = at
			r.sink(ended)
			delete(r.of, e.Client)
		}
	}
}

// registered is a client's registration, a new one if it has none.
func (r *registrations) registered(client string, at projection.Moment) *projection.Registration {
	of := r.of[client]
	if of == nil {
		r.issued++
		of = &projection.Registration{Client: client, Age: r.issued, Began: at}
		r.of[client] = of
	}
	return of
}

// open passes on the registrations that go on, by age.
func (r *registrations) open(pass func(*projection.Registration)) {
	list := make([]*projection.Registration, 0, len(r.of))
	for _, of := range r.of {
		list = append(list, of)
	}
	slices.SortFunc(list, func(a, b *projection.Registration) int { return cmp.Compare(a.Age, b.Age) })
	for _, of := range list {
		pass(of)
	}
}
