package lab

import (
	"sync"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// stage is a service that clients talk to. It knows nothing of leases itself:
// what is granted, kept and refused, it has from the answers. An answer of a kind
// that the operation cannot have counts as a refusal, and as a fault.
type stage struct {
	service history.Service
	record  *Recording          // nil: nobody wants to read it
	granted func(events.Effect) // is told of every grant, if it is not nil
	faults  *faults
}

// grant is a lease as its holder learned of it.
type grant struct{ token, ends int64 }

// apply sends one operation. The result is valid until the next call.
func (s *stage) apply(e events.Event) events.Result {
	result := s.service.Apply(e)
	if s.record != nil {
		s.record.add(e, result.Answer)
	}
	if s.granted != nil {
		for _, effect := range result.Effects {
			if effect.Kind == events.EffectGranted {
				s.granted(effect)
			}
		}
	}
	return result
}

// acquire asks for a lease; ok is false for a client that has to wait.
func (s *stage) acquire(at int64, client, lock string, ttl int64) (g grant, ok bool) {
	switch a := s.apply(events.Acquire{At: at, Client: client, Lock: lock, TTL: ttl, Mode: events.Exclusive}).Answer.(type) {
	case events.Granted:
		return grant{a.Token, a.ExpiresAt}, true
	case events.Queued:
		return grant{}, false
	default:
		s.unexpected("acquire", a)
		return grant{}, false
	}
}

// look asks whether a client holds a lock, and by which lease (R21). It also
// reports how many wait.
func (s *stage) look(at int64, client, lock string) (g grant, holds bool, waiting int) {
	answer := s.apply(events.Inspect{At: at, Lock: lock}).Answer
	a, ok := answer.(events.LockView)
	if !ok {
		s.unexpected("inspect", answer)
	}
	for _, h := range a.Holders {
		if h.Client == client {
			return grant{h.Token, h.ExpiresAt}, true, len(a.Queue)
		}
	}
	return grant{}, false, len(a.Queue)
}

// release gives a lease back, or a request. It is false for a client that has
// neither any more.
func (s *stage) release(at int64, client, lock string) bool {
	_, done := s.apply(events.Release{At: at, Client: client, Lock: lock}).Answer.(events.Done)
	return done
}

// resource is what the lock protects: a name in the store (R6). A fenced one is
// written with the token of the writer's lease. At a plain one everybody shows
// the same token, so that the store has nothing to compare.
type resource struct {
	name   string
	fenced bool
}

const (
	key       = "report"
	sameToken = 1
)

// write reports whether the store took the value.
func (s *stage) write(at int64, r resource, value string, token int64) bool {
	if !r.fenced {
		token = sameToken
	}
	switch a := s.apply(events.Write{At: at, Lock: r.name, Key: key, Value: value, Token: token}).Answer.(type) {
	case events.Done:
		return true
	case events.Refusal:
		if a == events.StaleToken || a == events.InvalidArguments { // a token of 0 is no token
			return false
		}
		s.unexpected("write", a)
	default:
		s.unexpected("write", a)
	}
	return false
}

// read is the value that the store shows in the end, "" if there is none.
func (s *stage) read(at int64, r resource) string {
	answer := s.apply(events.Read{At: at, Lock: r.name, Key: key}).Answer
	v, ok := answer.(events.Value)
	if !ok {
		s.unexpected("read", answer)
	}
	return v.Text
}

func (s *stage) unexpected(operation string, a events.Answer) {
	text := "nothing"
	if a != nil {
		text = string(a.AppendJSON(nil))
	}
	s.faults.add(operation + " is answered with " + text)
}

// faults are answers of the wrong kind. It may be used by several goroutines.
type faults struct {
	mutex sync.Mutex
	least string // of all texts, so that it does not depend on who came first
}

func (f *faults) add(text string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.least == "" || text < f.least {
		f.least = text
	}
}

// text names one of the faults, "" if there is none.
func (f *faults) text() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.least
}
