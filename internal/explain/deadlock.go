package explain

import (
	"cmp"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

// cycle is a deadlock and what is known of the clients on it.
type cycle struct {
	projection.Deadlock
	ages map[string]Fact // of the members that are told
}

// deadlocked finds the deadlock that the scene's event closed, if it did, before
// the trail goes on: its victims lose their ages and their places.
func (a *account) deadlocked(requester string) *cycle {
	if !slices.ContainsFunc(a.result.Effects, func(e events.Effect) bool { return e.Kind == events.EffectAborted }) {
		return nil
	}
	var found *cycle
	projection.NewDeadlocks(a.before, func(d projection.Deadlock) {
		found = &cycle{Deadlock: d, ages: map[string]Fact{}}
	}).Apply(a.step())
	for _, m := range found.youngest(a.most) {
		found.ages[m.Client] = a.registration(m.Client, m.Age)
	}
	return found
}

// youngest are so many of the members, the youngest first.
func (c *cycle) youngest(most int) []projection.Member {
	members := slices.Clone(c.Members)
	slices.SortFunc(members, func(x, y projection.Member) int { return cmp.Compare(y.Age, x.Age) })
	return members[:min(most, len(members))]
}

// deadlock tells of the cycle as it stood, of the victims, and whom their aborts
// helped.
func (a *account) deadlock(e events.Acquire, c *cycle) {
	a.add("cycle", Fact{
		Client: e.Client, Lock: e.Lock, Count: int64(len(c.Members)),
		Event: a.result.Sequence, Instant: &e.At,
	})
	edges := 0
	for edge := range c.Edges() {
		if edges++; edges > a.most {
			a.add("more edges", Fact{})
			break
		}
		a.edge(edge)
	}
	for _, m := range c.youngest(a.most) {
		a.add("age", c.ages[m.Client])
	}
	a.more(len(c.Members)-a.most, "clients on the cycle, all of them older")
	for i, v := range c.Victims {
		if i == a.most {
			break
		}
		a.victim(v)
	}
	a.more(len(c.Victims)-a.most, "victims")
}

// edge tells that a member waited for another.
func (a *account) edge(edge projection.Edge) {
	f := Fact{Client: edge.From, Other: edge.To, Lock: edge.Lock}
	if edge.Ahead {
		a.add("edge to the queue", f)
		return
	}
	a.add("edge to a holder", f)
}

// victim tells of an abort and what it freed for whom.
func (a *account) victim(v projection.Victim) {
	a.add("victim", Fact{Client: v.Client, Age: v.Age, Event: a.result.Sequence, Instant: &v.At.Instant})
	for i, freed := range v.Freed {
		if i == a.most {
			a.more(len(v.Freed)-a.most, "leases of the victim that were ended")
			break
		}
		f := Fact{Client: v.Client, Lock: freed.Lock, Token: freed.Token, Event: a.result.Sequence, Instant: &v.At.Instant}
		if freed.Token == 0 {
			a.add("request taken out", f)
		} else {
			a.add("lease ended", f)
		}
		for j, g := range freed.Grants {
			if j == a.most {
				a.more(len(freed.Grants)-a.most, "grants of the lock")
				break
			}
			a.add("handed over", Fact{
				Lock: freed.Lock, Client: g.Client, Mode: g.Mode.String(), Token: g.Token, Ends: &g.ExpiresAt,
				Cause: events.CauseAbort.String(), Other: v.Client, Event: a.result.Sequence, Instant: &v.At.Instant,
			})
		}
	}
}
