package explore

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// snapshot is the whole content of a state, with numbers for names: what fsm
// and naive must agree on after every operation. The sequence is left out, as
// it is compared with the results.
type snapshot struct {
	content
	leases   []lease   // in the order of their grants
	requests []request // by lock, oldest first
}

// content is the part that is compared at once.
type content struct {
	started              bool
	clock, registrations int64
	ages                 [MaxClients]int64 // 0 if not registered
	locks                [MaxLocks]lock
	strangers            int // rows of names that nobody has used
}

type lock struct {
	counter, mark int64
	values        [MaxKeys]uint8
}

type lease struct {
	lock, client   uint8
	mode           events.Mode
	token, expires int64
}

type request struct {
	lock, client uint8
	mode         events.Mode
	ttl          int64
}

func (s *snapshot) reset() {
	s.content = content{}
	s.leases, s.requests = s.leases[:0], s.requests[:0]
}

func (s *snapshot) equal(other *snapshot) bool {
	return s.content == other.content && slices.Equal(s.leases, other.leases) && slices.Equal(s.requests, other.requests)
}

// String tells the content in words, for a difference.
func (s *snapshot) String() string {
	text := fmt.Sprintf("clock %d (started: %v), %d registrations, ages %v", s.clock, s.started, s.registrations, s.ages)
	for i, l := range s.locks {
		if l != (lock{}) {
			text += fmt.Sprintf("; %s: counter %d, mark %d, values %v", lockNames[i], l.counter, l.mark, l.values)
		}
	}
	for _, l := range s.leases {
		text += fmt.Sprintf("; lease of %s on %s, %s, token %d until %d",
			nameOf(clientNames[:], l.client), nameOf(lockNames[:], l.lock), l.mode, l.token, l.expires)
	}
	for _, q := range s.requests {
		text += fmt.Sprintf("; request of %s for %s, %s, for %d",
			nameOf(clientNames[:], q.client), nameOf(lockNames[:], q.lock), q.mode, q.ttl)
	}
	if s.strangers > 0 {
		text += fmt.Sprintf("; %d rows of other names", s.strangers)
	}
	return text
}

// nameOf is the name of a number, also of one that has none.
func nameOf(names []string, n uint8) string {
	if int(n) < len(names) {
		return names[n]
	}
	return "?"
}
