package explore

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/zeebo/xxh3"
)

// key identifies a class of states that have the same future but for names and
// numbers: it is the hash of what they have in common.
type key struct{ hi, lo uint64 }

func keyOf(text []byte) key {
	h := xxh3.Hash128(text)
	return key{h.Hi, h.Lo}
}

// canon makes the common form of the states of a class: see the package for
// why those that share it have the same future.
type canon struct {
	transactions bool // edition 3: ages matter (R18), and names of many locks (R19)
	locks        int
	store        bool

	clientAt, lockAt [max(MaxClients, MaxLocks)]uint8 // by number: the place in the common form
	text             []byte
}

func newCanon(s Scope) *canon {
	return &canon{transactions: s.Rules.Edition >= events.Edition3, locks: s.Locks, store: s.Store}
}

// key is the key of a state's class.
func (c *canon) key(s *snapshot) key { return keyOf(c.form(s)) }

// form is the common form as text, valid until the next call.
func (c *canon) form(s *snapshot) []byte {
	c.placeLocks(s)
	c.placeClients(s)
	text := c.text[:0]
	if s.started {
		text = append(text, 's')
	}
	if c.transactions {
		registered := 0
		for _, age := range s.ages {
			if age > 0 {
				registered++
			}
		}
		text = append(text, byte(registered))
	}
	for _, l := range s.leases {
		text = append(text, c.lockAt[l.lock], c.clientAt[l.client], byte(l.mode))
		text = binary.AppendUvarint(text, uint64(l.expires-s.clock))
	}
	var order [MaxLocks]uint8
	for lock := range uint8(c.locks) {
		order[c.lockAt[lock]] = lock
	}
	for _, lock := range order[:c.locks] {
		text = append(text, '|')
		text = c.appendStore(text, &s.locks[lock])
		for _, q := range s.requests {
			if q.lock == lock {
				text = append(text, c.clientAt[q.client], byte(q.mode))
				text = binary.AppendUvarint(text, uint64(q.ttl))
			}
		}
	}
	c.text = text
	return text
}

// appendStore appends what matters of a lock's counter, mark and values.
func (c *canon) appendStore(text []byte, l *lock) []byte {
	if !c.store {
		return text
	}
	text = append(text, byte(min(l.counter, 2)), byte(min(l.mark, 2)), byte(cmp.Compare(l.mark, l.counter)+1))
	for _, value := range l.values {
		text = append(text, min(value, 1))
	}
	return text
}

// placeLocks orders the locks: by their first lease; those without one, which
// have no queue either, by what the store knows of them. Where their names
// matter they stay as they are.
func (c *canon) placeLocks(s *snapshot) {
	for lock := range uint8(c.locks) {
		c.lockAt[lock] = lock
	}
	if c.namesMatter() || c.locks == 1 {
		return
	}
	var order [MaxLocks]uint8
	placed, found := 0, [MaxLocks]bool{}
	for _, l := range s.leases {
		if !found[l.lock] {
			found[l.lock] = true
			order[placed] = l.lock
			placed++
		}
	}
	free := order[placed:placed]
	for lock := range uint8(c.locks) {
		if !found[lock] {
			free = append(free, lock)
		}
	}
	if c.store {
		slices.SortFunc(free, func(a, b uint8) int {
			var x, y [8]byte
			return bytes.Compare(c.appendStore(x[:0], &s.locks[a]), c.appendStore(y[:0], &s.locks[b]))
		})
	}
	for place, lock := range order[:c.locks] {
		c.lockAt[lock] = uint8(place)
	}
}

// namesMatter tells whether the order of the locks' names could show. It
// orders the leases of a victim, which waits for one lock more than it holds:
// with two locks it holds one at most.
func (c *canon) namesMatter() bool { return c.transactions && c.locks > 2 }

// placeClients orders the clients: by age where ages matter, so that those who
// are not registered, who have nothing, come last; else by their first lease or
// request.
func (c *canon) placeClients(s *snapshot) {
	if c.transactions {
		for client, age := range s.ages {
			place := uint8(0)
			for _, other := range s.ages {
				if other > 0 && (other < age || age == 0) {
					place++
				}
			}
			c.clientAt[client] = place
		}
		return
	}
	c.clientAt = [len(c.clientAt)]uint8{}
	next := uint8(1)
	for _, l := range s.leases {
		if c.clientAt[l.client] == 0 {
			c.clientAt[l.client] = next
			next++
		}
	}
	for place := range uint8(c.locks) {
		for _, q := range s.requests {
			if c.lockAt[q.lock] == place && c.clientAt[q.client] == 0 {
				c.clientAt[q.client] = next
				next++
			}
		}
	}
}
