package leasekeeper_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
)

// Operations go in as JSON, answers come out as JSON. Two jobs take two locks
// in opposite order; the younger one, bob, is aborted.
func ExampleRun() {
	var operations []json.RawMessage
	err := json.Unmarshal([]byte(`[
		["acquire", 0, "alice", "L1", 100],
		["acquire", 1, "bob", "L2", 100],
		["acquire", 2, "bob", "L1", 100],
		["acquire", 3, "alice", "L2", 100],
		["status", 4, "bob"]
	]`), &operations)
	if err != nil {
		panic(err)
	}
	answers, err := leasekeeper.Run(operations)
	if err != nil {
		panic(err)
	}
	for _, answer := range answers {
		fmt.Println(string(answer))
	}
	// Output:
	// ["granted",1,100]
	// ["granted",1,101]
	// ["queued",1]
	// ["granted",2,103,["bob"]]
	// {"age":null,"holds":[],"waiting":null}
}

// RunSeq reads operations one by one, under any edition of the rules, and
// keeps none: the input may be without end.
func ExampleRunSeq() {
	rules := events.Rules{Edition: events.Edition1, Unit: events.Millisecond}
	renewals := func(yield func(json.RawMessage) bool) {
		_ = yield(json.RawMessage(`["acquire",0,"a","L",1500]`)) &&
			yield(json.RawMessage(`["renew",1000,"a","L",1500]`)) &&
			yield(json.RawMessage(`["renew",2500,"a","L",1500]`))
	}
	for result, err := range leasekeeper.RunSeq(rules, renewals) {
		if err != nil {
			panic(err)
		}
		fmt.Println(string(result.Answer.AppendJSON(nil)))
	}
	// Output:
	// ["granted",1,1500]
	// ["renewed",2500]
	// "error: not holder"
}

// ApplySeq tells what happened, and when: here a hand-over at 10 that an
// operation at 12 brings to light.
func ExampleApplySeq() {
	initial, err := fsm.New(events.Current)
	if err != nil {
		panic(err)
	}
	history := []events.Event{
		events.Acquire{At: 0, Client: "a", Lock: "L", TTL: 10, Mode: events.Exclusive},
		events.Acquire{At: 1, Client: "b", Lock: "L", TTL: 10, Mode: events.Exclusive},
		events.Release{At: 12, Client: "a", Lock: "L"},
	}
	for result := range leasekeeper.ApplySeq(initial, slices.Values(history)) {
		for _, effect := range result.Effects {
			fmt.Println(effect)
		}
	}
	// Output:
	// t=0 granted L a exclusive token 1 until 10 (free)
	// t=1 queued L b exclusive position 1
	// t=10 expired L a token 1
	// t=10 granted L b exclusive token 2 until 20 (expiry)
	// t=12 refused L a: not holder
}
