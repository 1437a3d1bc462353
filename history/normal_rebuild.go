package history

import (
	"cmp"
	"iter"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// rebuilt puts, for a beginning of the history, the plainest operations into its
// place that lead to the same leases, queues and stored values by the rules. What
// lapses, hand-overs and aborts have brought about is then simply asked for.
func rebuilt(h History) iter.Seq[History] {
	return func(yield func(History) bool) {
		state, err := fsm.New(h.Rules)
		if err != nil {
			return
		}
		machine := fsm.NewMachine(state)
		var all []History
		for i, e := range h.Events {
			for _, head := range headsAt(machine.State(), e) {
				if i > 0 && len(head) <= i {
					whole := History{Rules: h.Rules, Events: append(head, h.Events[i:]...)}
					first, _ := writtenInstant(whole.Events[0])
					all = append(all, shifted(whole, 0, first))
				}
			}
			machine.Apply(e)
		}
		for _, proposal := range slices.Backward(all) {
			if !yield(proposal) {
				return
			}
		}
	}
}

// headsAt are lists of operations that lead to a state: as it is, and as the
// next event finds it.
func headsAt(s fsm.State, next events.Event) (heads [][]events.Event) {
	now, started := s.Clock()
	if !started {
		return nil
	}
	heads = headsOf(s, now)
	if t, ok := next.Instant(); ok && t > now {
		heads = append(heads, headsOf(s.At(t), t)...)
	}
	return heads
}

// claims are what is asked for in a state, as the acquires that ask for it.
type claims struct {
	leases   []claim
	requests []claim
	// registrations are leases on locks that nobody else uses, for clients that
	// have none otherwise, so that they are as old as they should be (R15).
	registrations []claim
	writes        []events.Event
}

type claim struct {
	acquire events.Acquire
	age     int64
	turn    uint64
	waits   bool // its client waits for another lock
}

// headsOf are operations that lead to the leases, queues and values of a state:
// in the order in which these came about, and in that of their clients' ages.
func headsOf(s fsm.State, now int64) [][]events.Event {
	c := claimsOf(s, now)
	byTurn := func(a, b claim) int { return cmp.Compare(a.turn, b.turn) }
	byAge := func(a, b claim) int { return cmp.Or(cmp.Compare(a.age, b.age), byTurn(a, b)) }
	slices.SortFunc(c.requests, byTurn)
	waiting := slices.DeleteFunc(slices.Clone(c.registrations), func(r claim) bool { return !r.waits })
	idle := slices.DeleteFunc(slices.Clone(c.registrations), func(r claim) bool { return r.waits })
	heads := [][]events.Event{c.joined(slices.SortedFunc(slices.Values(c.leases), byTurn))}
	for _, registrations := range [][]claim{nil, waiting, idle, c.registrations} {
		leases := slices.SortedFunc(slices.Values(append(registrations, c.leases...)), byAge)
		heads = append(heads, c.joined(leases))
	}
	return heads
}

// joined is operations that lead to the given leases, and then to all else.
func (c claims) joined(leases []claim) []events.Event {
	all := make([]events.Event, 0, len(leases)+len(c.requests)+len(c.writes))
	for _, list := range [][]claim{leases, c.requests} {
		for _, one := range list {
			all = append(all, one.acquire)
		}
	}
	return append(all, c.writes...)
}

func claimsOf(s fsm.State, now int64) (c claims) {
	ages := map[string]int64{}
	for row := range s.Clients() {
		ages[row.Name] = row.Age
	}
	holds, waits := map[string]bool{}, map[string]bool{}
	var locks []string
	for row := range s.Locks() {
		locks = append(locks, row.Name)
		for _, l := range row.Leases {
			acquire := events.Acquire{At: now, Client: l.Client, Lock: row.Name, TTL: l.ExpiresAt - now, Mode: l.Mode}
			c.leases = append(c.leases, claim{acquire: acquire, age: ages[l.Client], turn: l.Turn})
			holds[l.Client] = true
		}
		for _, r := range row.Queue {
			acquire := events.Acquire{At: now, Client: r.Client, Lock: row.Name, TTL: r.TTL, Mode: r.Mode}
			c.requests = append(c.requests, claim{acquire: acquire, age: ages[r.Client], turn: r.Turn})
			waits[r.Client] = true
		}
		for _, stored := range row.Values {
			c.writes = append(c.writes, events.Write{At: now, Lock: row.Name, Key: stored.Key, Value: stored.Value, Token: row.Mark})
		}
	}
	for row := range s.Clients() {
		if !holds[row.Name] && len(c.registrations) < mostReplaced {
			locks = withFresh(lockRole, locks)
			acquire := events.Acquire{At: now, Client: row.Name, Lock: locks[len(locks)-1], TTL: 1, Mode: events.Exclusive}
			c.registrations = append(c.registrations, claim{acquire: acquire, age: row.Age, waits: waits[row.Name]})
		}
	}
	return c
}
