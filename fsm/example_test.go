package fsm_test

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// begin returns the state before the first event under the rules in force.
func begin() fsm.State {
	s, err := fsm.New(events.Current)
	if err != nil {
		panic(err)
	}
	return s
}

// A state and an event give the next state and a result. Nobody looks between
// 5 and 42, and yet etl-b has the lock since 30.
func Example() {
	s, err := fsm.New(events.Current)
	if err != nil {
		panic(err)
	}
	for _, event := range []events.Event{
		events.Acquire{At: 0, Client: "etl-a", Lock: "exports", TTL: 30, Mode: events.Exclusive},
		events.Acquire{At: 5, Client: "etl-b", Lock: "exports", TTL: 20, Mode: events.Exclusive},
		events.Inspect{At: 42, Lock: "exports"},
	} {
		var result events.Result
		s, result = fsm.Apply(s, event)
		fmt.Printf("%d: %s\n", result.Sequence, result.Answer.AppendJSON(nil))
		for _, effect := range result.Effects {
			fmt.Println("  ", effect)
		}
	}
	// Output:
	// 1: ["granted",1,30]
	//    t=0 granted exports etl-a exclusive token 1 until 30 (free)
	// 2: ["queued",1]
	//    t=5 queued exports etl-b exclusive position 1
	// 3: {"holders":[["etl-b","exclusive",2,50]],"queue":[]}
	//    t=30 expired exports etl-a token 1
	//    t=30 granted exports etl-b exclusive token 2 until 50 (expiry)
}

// The state that is passed in stays as it was: two futures of one past.
func ExampleApply() {
	past, _ := fsm.Apply(begin(), events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive})
	renewed, _ := fsm.Apply(past, events.Renew{At: 20, Client: "a", Lock: "L", TTL: 30})
	released, _ := fsm.Apply(past, events.Release{At: 20, Client: "a", Lock: "L"})
	fmt.Println(past.Holders("L"))
	fmt.Println(renewed.Holders("L"))
	fmt.Println(released.Holders("L"))
	// Output:
	// [{a exclusive 1 30}]
	// [{a exclusive 1 50}]
	// []
}

// A Machine changes its own state in place. What State returns stays.
func ExampleMachine() {
	m := fsm.NewMachine(begin())
	m.Apply(events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive})
	before := m.State()
	m.Apply(events.Release{At: 1, Client: "a", Lock: "L"})
	fmt.Println(len(before.Holders("L")), len(m.State().Holders("L")))
	// Output: 1 0
}

// Time is an input: At says what an operation at that instant would find.
func ExampleState_At() {
	s, _ := fsm.Apply(begin(), events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive})
	s, _ = fsm.Apply(s, events.Acquire{Client: "b", Lock: "L", TTL: 20, Mode: events.Exclusive})
	for ts, ok := s.NextExpiry(); ok; ts, ok = s.NextExpiry() {
		s = s.At(ts)
		fmt.Println(ts, s.Holders("L"))
	}
	// Output:
	// 30 [{b exclusive 2 50}]
	// 50 []
}

// Two states that should be the same and are not: Diff names the rows.
func ExampleDiff() {
	s, _ := fsm.Apply(begin(), events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive})
	other, _ := fsm.Apply(s, events.Renew{At: 20, Client: "a", Lock: "L", TTL: 30})
	fmt.Println(s.Fingerprint() == other.Fingerprint())
	for _, difference := range fsm.Diff(s, other) {
		fmt.Println(difference)
	}
	// Output:
	// false
	// clock: 0 | 20
	// lease of lock "L" number 1: "a" exclusive until 30, turn 1 | "a" exclusive until 50, turn 1
}

// A state that is taken apart into rows and put together again is the same.
func ExampleRestorer() {
	s, _ := fsm.Apply(begin(), events.Acquire{Client: "a", Lock: "L", TTL: 30, Mode: events.Exclusive})
	restored, err := restore(s)
	fmt.Println(restored.Fingerprint() == s.Fingerprint(), err)
	// Output: true <nil>
}

// restore builds a state anew from the rows of s.
func restore(s fsm.State) (fsm.State, error) {
	r, err := fsm.NewRestorer(s.Whole())
	if err != nil {
		return fsm.State{}, err
	}
	for client := range s.Clients() { // all clients come before the first lock
		if err := r.Client(client); err != nil {
			return fsm.State{}, err
		}
	}
	for lock := range s.Locks() {
		if err := r.Lock(lock); err != nil {
			return fsm.State{}, err
		}
	}
	return r.Finish()
}
