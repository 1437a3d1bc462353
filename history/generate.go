package history

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Generate draws a history of n operations. The same rules, profile, seed and
// n give the same history on every machine, and a longer one begins with it.
//
// Every event is one that events.Rules.Parse makes of its own JSON, so the
// history is the same after a way through any outside form. Most events mean
// something to the state that they meet: see Profile.
//
// Generate panics on rules that do not exist and on the zero Profile. Who
// draws many histories takes a Generator.
func Generate(rules events.Rules, profile Profile, seed uint64, n int) History {
	return NewGenerator(profile).Generate(rules, seed, n)
}

// Generator draws histories one after another, as Generate does, and spares
// most of the allocations. It is not safe for concurrent use.
type Generator struct {
	dice
	view
	plan
	profile Profile
	rules   events.Rules
	machine *fsm.Machine // applies each event as soon as it is drawn
	list    []events.Event
	texts   scribe
}

// NewGenerator returns a generator of a profile's histories.
func NewGenerator(profile Profile) *Generator {
	if len(profile.focuses) == 0 {
		panic("history: the zero Profile is about nothing; take one from Profiles")
	}
	return &Generator{profile: profile}
}

// Generate draws what the function Generate draws. The events of the history
// are valid until the next call.
func (g *Generator) Generate(rules events.Rules, seed uint64, n int) History {
	g.dice.seed(seed, forHistory)
	g.begin(rules)
	for range n {
		g.add(g.next())
	}
	return History{Rules: rules, Events: g.list}
}

// begin starts a history: nothing has happened, and it is not yet decided
// what it will be about.
func (g *Generator) begin(rules events.Rules) {
	state, err := fsm.New(rules)
	if err != nil {
		panic(fmt.Sprintf("history: %v", err))
	}
	g.rules, g.machine = rules, fsm.NewMachine(state)
	g.list = g.list[:0]
	g.view.reset()
	g.makePlan(oneOf(&g.dice, g.profile.focuses))
}

// add puts an event at the end of the history and sees what comes of it.
func (g *Generator) add(e events.Event) {
	g.list = append(g.list, e)
	result := g.machine.Apply(e)
	g.view.learn(result.Effects)
	g.view.look(g.machine.Clock())
}

// next draws the event that comes next.
func (g *Generator) next() events.Event {
	for range 4 {
		if e := g.do(action(g.weighted(g.plan.actions[:]))); e != nil {
			return e
		}
	}
	if e := g.ask(); e != nil {
		return e
	}
	return g.wait()
}

// wait lets time pass until a lease ends, if there is one. It is what remains
// when everybody waits.
func (g *Generator) wait() events.Event {
	at := g.instant()
	if end, ok := g.nextEnd(); ok {
		at = g.about(end)
	}
	return events.Inspect{At: at, Lock: g.locks[g.anyLock()].name}
}

// action is a way of going on with a history.
type action int

// The actions. The method that draws an event for one has its name; the writes
// share theirs.
const (
	ask          action = iota // a client that may asks for any lock
	contend                    // it asks for one that is held
	nest                       // a holder asks for one more lock that is held
	closeCycle                 // a holder asks for what one that waits for it holds
	comeBack                   // a victim asks again
	askBusy                    // a client that may not ask asks
	renew                      // by a holder
	renewOther                 // by a client that is no holder
	release                    // by a holder
	withdraw                   // a release by a waiter
	releaseOther               // by a client that neither holds nor waits
	meetEnd                    // a holder does something about the instant at which its lease ends
	write                      // with the newest token
	writeStale                 // with one below the highest accepted
	writeAhead                 // with one that was not granted yet
	writeHuge                  // with one that has no room in a float64
	read
	inspect
	status
	repeat
	mistake // an operation that is refused for its form, or for a number out of range
	actions
)

// do draws an event for an action. It is nil if there is nobody to do it.
func (g *Generator) do(a action) events.Event {
	switch a {
	case ask:
		return g.ask()
	case contend:
		return g.contend()
	case nest:
		return g.nest()
	case closeCycle:
		return g.closeCycle()
	case comeBack:
		return g.comeBack()
	case askBusy:
		return g.askBusy()
	case renew:
		return g.renew()
	case renewOther:
		return g.renewOther()
	case release:
		return g.release()
	case withdraw:
		return g.withdraw()
	case releaseOther:
		return g.releaseOther()
	case meetEnd:
		return g.meetEnd()
	case write, writeStale, writeAhead, writeHuge:
		return g.write(a)
	case read:
		return g.read()
	case inspect:
		return g.inspect()
	case status:
		return g.status()
	case repeat:
		return g.repeat()
	case mistake:
		return g.mistake()
	}
	panic(fmt.Sprintf("history: action %d is not among those to draw from", a))
}
