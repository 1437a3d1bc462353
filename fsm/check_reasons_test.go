package fsm

import (
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/persist"
	"github.com/stretchr/testify/require"
)

// reasons tells what Check says of each damage. Damages of one invariant can
// hide each other's check; the words show that the right one spoke.
var reasons = map[string]string{
	"the clock runs past the end of a lease": `token 1 of lock "excl" ends at 100`,
	"a request for no time":                  `a request for lock "excl" wants 0 ticks`,
	"a request without end":                  `a request for lock "excl" wants 86401 ticks`,

	"a writer among readers":     `lock "shared" is shared with an exclusive lease`,
	"readers in edition 1":       `lock "shared" is held or wanted in no known mode`,
	"a mode that does not exist": `lock "excl" is held or wanted in no known mode`,

	"a waiter for a free lock":            `the head of the queue of lock "idle" is compatible`,
	"a reader at the head behind readers": `the head of the queue of lock "shared" is compatible`,

	"a token that was never issued":    `lock "excl" has token 1 after 0 of 0`,
	"a lease of a turn to come":        `lock "excl" has a request of turn 5 of 2`,
	"a request of a turn to come":      `lock "excl" has a request of turn 5 of 4`,
	"two of one turn":                  `two leases or requests have turn 1`,
	"a later token of an earlier turn": `lock "shared" has turn 1 after 2 of 8`,

	"two locks of one client in edition 2":         `client "amy" holds or awaits 2 locks in edition 2`,
	"a holder that does not know":                  `client "amy" does not know its token 1 of lock "excl"`,
	"a holder that knows another token":            `client "amy" does not know its token 1 of lock "excl"`,
	"a client that believes to hold":               `clients know of 6 leases, locks of 5`,
	"a waiter that does not know":                  `client "bob" does not know that it waits for lock "excl"`,
	"a waiter that stands elsewhere":               `client "bob" does not know that it waits for lock "excl"`,
	"a client that believes to wait":               `3 clients wait, 2 requests are queued`,
	"a client that waits for a lock that it holds": `client "amy" waits for lock "excl" and holds it`,

	"a holder without age":       `client "amy" is not registered but holds or waits`,
	"a waiter without age":       `client "bob" is not registered but holds or waits`,
	"two of one age":             `two clients have age 1`,
	"an age to come":             `client "fay" has age 8 of 7`,
	"an age below all":           `client "fay" has age -1 of 7`,
	"fewer registered than ages": `client "fay" has age 7 of 6`,

	"two that wait for each other": `4 clients wait in a cycle or behind one`,

	"a name that the index does not find":                `the index does not find "gus"`,
	"a name with the hash of another":                    `the hash of "idle" is wrong`,
	"remains of a lease":                                 `lock "idle" keeps remains of its first lease`,
	"a lease that will never lapse":                      `lock "excl" is scheduled for {0 0}, not {100 1}`,
	"a lease that will lapse too early":                  `lock "excl" is scheduled for {50 1}, not {100 1}`,
	"a lapse of no lease":                                `lock "idle" is scheduled for {50 1}, not {0 0}`,
	"a lapse of no lock":                                 `lock number 77 is scheduled, there are 4`,
	"a crowd of nobody":                                  `lock "excl" takes {0 0} for its first end, not {100 1}`,
	"a crowd with an end too many":                       `the crowd of lock "shared" has 2 leases and 3 ends`,
	"a crowd with the wrong end, which is not the first": `the crowd of lock "shared" does not know when token 3 ends`,

	"a value without a mark": `lock "idle" has 2 values and mark 0`,
	"a mark without a value": `lock "excl" has 0 values and mark 1`,
}

// hidden are damages that only a single one of the checks can see.
var hidden = []struct {
	invariant int
	reason    string
	damage    func(*Machine)
}{
	{4, `lock "shared" has token 1 after 1 of 3`, func(m *Machine) { inCrowd(m, func(h *lease) { h.token = 1 }) }},
	{4, `lock "shared" has turn 2 after 2 of 8`, func(m *Machine) { inCrowd(m, func(h *lease) { h.turn = 2 }) }},
	{4, `lock "more" has turn 9 after 0 of 8`, func(m *Machine) { m.lockNamed("more").first.turn = 9 }},
	{5, `client "bob" does not know that it waits for lock "excl"`, func(m *Machine) { m.clientNamed("bob").waits = m.locks.number("shared") }},
	{8, `the index does not find "gus"`, func(m *Machine) { m.clientNamed("fay").label = makeLabel("gus") }},
	{8, `the hash of "amy" is wrong`, func(m *Machine) { m.clientNamed("amy").hash.Lo++ }},
	{8, `lock "shared" takes {95 4} for its first end, not {90 3}`, func(m *Machine) {
		m.lockNamed("shared").crowded(m.owner).byEnd.Put(m.owner, end{At: 20, Turn: 77}, 3)
	}},
	{8, `the crowd of lock "idle" has 0 leases and 0 ends`, func(m *Machine) { m.lockNamed("idle").crowded(m.owner) }},
	{8, `lock number 0 is scheduled, there are 4`, func(m *Machine) { m.lapses.Set(m.owner, 0, persist.Due{At: 50, Turn: 1}) }},
	{8, `a lapse is scheduled: true, with 0 leases`, func(m *Machine) {
		m.advance(500)
		m.lapses.Set(m.owner, 77, persist.Due{At: 600, Turn: 1})
	}},
	{8, `the first lapse is at {90 3}, not {50 1}`, scheduleWithAPast},
	{8, `the lapse at {60 1} comes before the first one at {80 20}`, func(m *Machine) { scheduleWithAGap(m, "excl") }},
	{8, `the lapse at {60 8} comes before the first one at {80 20}`, func(m *Machine) { scheduleWithAGap(m, "more") }},
}

// inCrowd changes the lease that stands in the crowd of lock shared under token 2.
func inCrowd(m *Machine, change func(*lease)) {
	l := m.lockNamed("shared")
	h := l.lease(2)
	change(&h)
	l.crowded(m.owner).byToken.Put(m.owner, 2, h)
}

// scheduleWithAPast makes the schedule remember that lock 1 lapses at 50, when
// it knows better. Two copies of it with one owner, which the rules of package
// persist forbid, are changed through each other.
func scheduleWithAPast(m *Machine) {
	m.lapses.Set(m.owner, 1, persist.Due{At: 50, Turn: 1})
	behind := m.lapses
	m.lapses.Set(m.owner, 16, persist.Due{At: 50, Turn: 2}) // which takes another level
	m.lapses.Clear(m.owner, 16)
	behind.Set(m.owner, 1, persist.Due{At: 100, Turn: 1})
}

// scheduleWithAGap makes the schedule overlook that a lock lapses at 60, before
// lock 16 does.
func scheduleWithAGap(m *Machine, overlooked string) {
	l, number := m.lockNamed(overlooked), m.locks.number(overlooked)
	m.lapses.Set(m.owner, number, l.first.due())
	behind := m.lapses
	for number := m.locks.len() + 1; number <= 16; number++ {
		m.Apply(events.Acquire{At: 10, Client: "fay", Lock: name("own", int(number)), TTL: 70, Mode: events.Exclusive})
		m.lockNamed(name("own", int(number))).first.expires = 120
		m.lapses.Set(m.owner, number, m.lockNamed(name("own", int(number))).first.due())
	}
	m.lockNamed("own16").first.expires = 80
	m.lapses.Set(m.owner, 16, persist.Due{At: 80, Turn: 20})
	l.first.expires = 60
	behind.Set(m.owner, number, l.first.due())
}

func TestCheckSaysWhatIsBroken(t *testing.T) {
	for invariant, ways := range damages {
		for what, damage := range ways {
			t.Run(what, func(t *testing.T) {
				m := sound(t)
				damage(m)
				if invariant == 9 {
					require.ErrorContains(t, Check(m.State()), "fsm: invariant 9 is broken: the rows add up to ")
					return
				}
				require.Equal(t, &Violation{invariant, reasons[what]}, Check(m.State()))
			})
		}
	}
	for _, test := range hidden {
		t.Run(strings.ReplaceAll(test.reason, " ", "_"), func(t *testing.T) {
			m := sound(t)
			test.damage(m)
			require.Equal(t, &Violation{test.invariant, test.reason}, Check(m.State()))
		})
	}
	require.EqualError(t, &Violation{4, "so it is"}, "fsm: invariant 4 is broken: so it is")
}
