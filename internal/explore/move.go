package explore

import (
	"github.com/leasekeeper/leasekeeper/events"
)

// The names that histories are told in. Locks are named so that their order is
// that of their numbers.
var (
	clientNames = [MaxClients]string{"a", "b", "c", "d"}
	lockNames   = [MaxLocks]string{"L", "M", "N", "O"}
	keyNames    = [MaxKeys]string{"k", "l"}
	valueNames  = [3]string{"", "v", "w"} // 0 is for no value
)

// number is the place of a name in a list of names. A name that should not be
// there at all is unknown.
func number(names []string, name string) uint8 {
	for i := range names {
		if names[i] == name {
			return uint8(i)
		}
	}
	return unknown
}

const unknown = 255

type operation uint8

const (
	acquire operation = iota
	renew
	release
	write
	read
	inspect
	status
)

// tokenKind is a fencing token in relation to its lock.
type tokenKind uint8

const (
	staleToken   tokenKind = iota // one below the high-water mark (R6)
	markToken                     // the high-water mark
	lastToken                     // the last token granted (R5)
	unknownToken                  // the next one, which nobody has yet
	tokenKinds
)

// move is an operation in relation to the state that it comes to.
type move struct {
	operation         operation
	client, lock, key uint8
	mode              events.Mode
	token             tokenKind
	ttl, step         int64
}

// moves lists every move of a scope. The order decides which of several
// shortest histories is told.
func (s Scope) moves() []move {
	var list []move
	for _, step := range s.Steps {
		for client := range uint8(s.Clients) {
			for lock := range uint8(s.Locks) {
				list = append(list, s.leaseMoves(step, client, lock)...)
			}
		}
		if s.Store {
			for lock := range uint8(s.Locks) {
				list = append(list, s.storeMoves(step, lock)...)
			}
		}
		for lock := range uint8(s.Locks) {
			list = append(list, move{operation: inspect, step: step, lock: lock})
		}
		for client := range uint8(s.Clients) {
			list = append(list, move{operation: status, step: step, client: client})
		}
	}
	for _, step := range s.Looks {
		list = append(list, move{operation: inspect, step: step})
	}
	return list
}

func (s Scope) leaseMoves(step int64, client, lock uint8) []move {
	var list []move
	at := move{step: step, client: client, lock: lock}
	for _, mode := range s.Modes {
		for _, ttl := range s.TTLs {
			at := at
			at.operation, at.mode, at.ttl = acquire, mode, ttl
			list = append(list, at)
		}
	}
	for _, ttl := range s.TTLs {
		at := at
		at.operation, at.ttl = renew, ttl
		list = append(list, at)
	}
	at.operation = release
	return append(list, at)
}

func (s Scope) storeMoves(step int64, lock uint8) []move {
	var list []move
	for key := range uint8(s.Keys) {
		for token := range tokenKinds {
			list = append(list, move{operation: write, step: step, lock: lock, key: key, token: token})
		}
		list = append(list, move{operation: read, step: step, lock: lock, key: key})
	}
	return list
}

// event is the move as an operation on a state. It is false for a write whose
// token cannot be written, or is that of an earlier kind.
func (m move) event(s *snapshot) (e events.Event, ok bool) {
	at, client, lock := s.clock+m.step, clientNames[m.client], lockNames[m.lock]
	switch m.operation {
	case acquire:
		return events.Acquire{At: at, Client: client, Lock: lock, TTL: m.ttl, Mode: m.mode}, true
	case renew:
		return events.Renew{At: at, Client: client, Lock: lock, TTL: m.ttl}, true
	case release:
		return events.Release{At: at, Client: client, Lock: lock}, true
	case write:
		token, ok := m.tokenIn(s)
		if !ok {
			return nil, false
		}
		// A value that is not there yet, so that one that is kept and one that
		// is replaced are told apart.
		value := valueNames[1]
		if s.locks[m.lock].values[m.key] == 1 {
			value = valueNames[2]
		}
		return events.Write{At: at, Lock: lock, Key: keyNames[m.key], Value: value, Token: token}, true
	case read:
		return events.Read{At: at, Lock: lock, Key: keyNames[m.key]}, true
	case inspect:
		return events.Inspect{At: at, Lock: lock}, true
	}
	return events.Status{At: at, Client: client}, true
}

func (m move) tokenIn(s *snapshot) (token int64, ok bool) {
	lock := &s.locks[m.lock]
	tokens := [tokenKinds]int64{lock.mark - 1, lock.mark, lock.counter, lock.counter + 1}
	token = tokens[m.token]
	for _, earlier := range tokens[:m.token] {
		if earlier == token {
			return 0, false
		}
	}
	return token, token >= 1
}
