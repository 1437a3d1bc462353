package events_test

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// An operation comes in as JSON, is journaled as msgpack, and reads back as
// the same event. An operation that breaks the contract is an event as well,
// and carries its refusal.
func Example() {
	for _, text := range []string{
		`["acquire", 8, "etl-c", "exports/daily", 15]`,
		`["acquire", 9, "etl-c", "exports/daily", 60.0]`,
		`["acquire", 9, "etl-c", "exports/daily", 86401]`,
	} {
		event, err := events.Current.Parse([]byte(text))
		if err != nil {
			fmt.Println(err) // not JSON at all
			continue
		}
		journaled := events.Append(nil, event)
		event, err = events.Decode(journaled)
		if err != nil {
			fmt.Println(err) // damaged bytes
			continue
		}
		at, moves, refusal := events.Current.Admit(event)
		fmt.Printf("%s: %d bytes, t=%d (clock moves: %t), refusal %q\n", event.Operation(), len(journaled), at, moves, refusal.String())
	}
	// Output:
	// acquire: 25 bytes, t=8 (clock moves: true), refusal ""
	// invalid: 48 bytes, t=9 (clock moves: true), refusal "error: invalid arguments"
	// invalid: 49 bytes, t=9 (clock moves: true), refusal "error: invalid ttl"
}

// A repeat's template is read once; each run is an event of its own.
func ExampleTemplate() {
	repeat := events.Repeat{At: 100, Count: 3, Step: 5, Template: `["acquire","job{i}","L{i+1%2}",60]`}
	template, ok := events.CompileTemplate(repeat.Template)
	if !ok {
		fmt.Println("a bad template")
		return
	}
	for i := range repeat.Count {
		at, _ := repeat.RunAt(i)
		fmt.Printf("%s\n", events.AppendJSON(nil, template.Event(events.Current, at, i)))
	}
	// Output:
	// ["acquire",100,"job0","L1",60]
	// ["acquire",105,"job1","L0",60]
	// ["acquire",110,"job2","L1",60]
}

// An answer is written as the contract spells it.
func ExampleAnswer() {
	for _, answer := range []events.Answer{
		events.Granted{Token: 2, ExpiresAt: 103, Victims: []string{"bob"}},
		events.Released,
		events.NotHolder,
		events.Value{},
	} {
		fmt.Printf("%s\n", answer.AppendJSON(nil))
	}
	// Output:
	// ["granted",2,103,["bob"]]
	// "released"
	// "error: not holder"
	// null
}

// An effect shows itself as one line.
func ExampleEffect_String() {
	fmt.Println(events.Effect{Kind: events.EffectExpired, Instant: 55, Sequence: 8, Lock: "L1", Client: "etl-b",
		Mode: events.Exclusive, Token: 2, ExpiresAt: 55, Cause: events.CauseExpiry})
	// Output: t=55 expired L1 etl-b token 2
}
