package explore

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
)

// Bounds of a Scope.
const (
	MaxClients = 4
	MaxLocks   = 4
	MaxKeys    = 2
	MaxTTLs    = 4
	MaxSteps   = 8
	MaxDepth   = 1000
)

// Scope says which histories are looked at: all those of up to Depth
// operations over a few names and numbers.
type Scope struct {
	Rules   events.Rules
	Clients int // 1 to MaxClients
	Locks   int // 1 to MaxLocks
	Keys    int // 1 to MaxKeys, of the store, if there is one

	// TTLs are those of acquires and renews, in ticks. One that R2 refuses is
	// fine: it gives refusals. The longest gives the state space its size.
	TTLs []int64
	// Steps are the ticks by which an operation may come after the one before
	// it. A negative one gives refusals (R26), and a first instant below 0.
	Steps []int64
	// Looks are more steps, after which only an inspect comes: far enough
	// ahead, several leases of a chain of hand-overs lapse at once (R3).
	Looks []int64
	// Modes are those of acquires; an edition that does not know one refuses
	// it (R29).
	Modes []events.Mode
	// Store adds writes and reads (R6).
	Store bool

	// Depth is the number of operations in the longest histories, up to
	// MaxDepth. With 0 there is no longest: the exploration ends when there are
	// no states left that have not been seen.
	Depth int
}

// Small is the scope of three clients and two locks: the least in which clients
// queue behind each other in a deadlock (R18).
func Small(rules events.Rules) Scope {
	return Scope{
		Rules: rules, Clients: 3, Locks: 2, Keys: 1,
		TTLs: []int64{1, 2}, Steps: []int64{0, 1}, Looks: []int64{2, 3, 5, 8},
		Modes: []events.Mode{events.Exclusive, events.Shared},
	}
}

// Validate reports what is wrong with a scope.
func (s Scope) Validate() error {
	if err := s.Rules.Validate(); err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	type bounded struct {
		what       string
		count, max int
	}
	counts := []bounded{
		{"clients", s.Clients, MaxClients}, {"locks", s.Locks, MaxLocks},
		{"ttls", len(s.TTLs), MaxTTLs}, {"steps", len(s.Steps), MaxSteps},
		{"modes", len(s.Modes), 2},
	}
	if s.Store {
		counts = append(counts, bounded{"keys", s.Keys, MaxKeys})
	}
	for _, c := range counts {
		if c.count < 1 || c.count > c.max {
			return fmt.Errorf("explore: %d %s (there may be 1 to %d)", c.count, c.what, c.max)
		}
	}
	if len(s.Looks) > MaxSteps {
		return fmt.Errorf("explore: %d looks (there may be up to %d)", len(s.Looks), MaxSteps)
	}
	if s.Depth < 0 || s.Depth > MaxDepth {
		return fmt.Errorf("explore: a depth of %d (it may be up to %d, or 0 for no end)", s.Depth, MaxDepth)
	}
	return s.validateLists()
}

// validateLists reports numbers and modes out of range, or given twice.
func (s Scope) validateLists() error {
	longest := s.Rules.MaxTTL() + 1 // one tick too long is worth a look
	for _, ttl := range s.TTLs {
		if ttl < 0 || ttl > longest {
			return fmt.Errorf("explore: a ttl of %d (it may be 0 to %d)", ttl, longest)
		}
	}
	steps := slices.Concat(s.Steps, s.Looks)
	for _, step := range steps {
		if step < -longest || step > longest {
			return fmt.Errorf("explore: a step of %d (it may be up to %d, to either side)", step, longest)
		}
	}
	for _, mode := range s.Modes {
		if mode != events.Exclusive && mode != events.Shared {
			return fmt.Errorf("explore: mode %d (there are exclusive and shared)", mode)
		}
	}
	if ttl, twice := duplicate(s.TTLs); twice {
		return fmt.Errorf("explore: the ttl %d is given twice", ttl)
	}
	if step, twice := duplicate(steps); twice {
		return fmt.Errorf("explore: the step %d is given twice", step)
	}
	if mode, twice := duplicate(s.Modes); twice {
		return fmt.Errorf("explore: the mode %s is given twice", mode)
	}
	return nil
}

// duplicate finds what a list has twice.
func duplicate[T comparable](list []T) (item T, twice bool) {
	for i, item := range list {
		if slices.Contains(list[:i], item) {
			return item, true
		}
	}
	return item, false
}
