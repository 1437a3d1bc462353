package explore

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/events"
)

// alphabets lists what models are told apart with. Each is about some of the
// rules, and as small as these allow, since histories of five or six operations
// over everything at once are too many.
func alphabets(rules events.Rules) []alphabet {
	return []alphabet{
		leases(), store(), oddities(rules), fences(), crossings(), crowds(), transactions(), queues(), repeats(),
	}
}

var (
	bothModes = []events.Mode{events.Exclusive, events.Shared}
	writers   = []events.Mode{events.Exclusive}
)

// leases are two clients and a lock, with much to do with time (R1 to R3, R7,
// R12, R26).
func leases() alphabet {
	return alphabet{
		name: "leases", letters: leaseLetters(2, 1, bothModes, true, 2, 3),
		steps: []int64{0, 1, 2, 5, -1}, depth: 4, interchangeable: true,
	}
}

// queues are three clients and a lock (R4, R11, R13).
func queues() alphabet {
	return alphabet{
		name: "queues", letters: leaseLetters(3, 1, bothModes, false, 2, 9),
		steps: []int64{0, 1, 2, 4}, depth: 5, interchangeable: true,
	}
}

// crowds are four clients and a lock: the least in which somebody who waits could
// pass another by while two hold the lock (R10, R11).
func crowds() alphabet {
	return alphabet{
		name: "crowds", letters: leaseLetters(4, 1, bothModes, false, 9),
		steps: []int64{0}, depth: 7, interchangeable: true,
	}
}

// store is a client that gets tokens of two locks, and writes with any (R5, R6).
func store() alphabet {
	letters := leaseLetters(1, 2, writers, false, 1)
	return alphabet{
		name: "store", letters: append(letters, storeLetters(2, 2, 1, 2)...),
		steps: []int64{0, 1}, depth: 4,
	}
}

// fences are two clients that deadlock over two locks, and write to one of them
// (R6, R19).
func fences() alphabet {
	letters := leaseLetters(2, 2, writers, false, 9)
	for _, e := range []events.Event{
		events.Write{Lock: "M", Key: "k", Value: "v", Token: 1},
		events.Write{Lock: "M", Key: "k", Value: "v", Token: 2},
	} {
		letters = append(letters, letter{event: e, client: -1})
	}
	return alphabet{name: "fences", letters: letters, steps: []int64{0}, depth: 7, interchangeable: true}
}

// transactions are three clients and two locks (R14 to R20).
func transactions() alphabet {
	return alphabet{
		name: "transactions", letters: leaseLetters(3, 2, bothModes, false, 9),
		steps: []int64{0, 1}, depth: 5, interchangeable: true,
	}
}

// crossings are three clients and three locks, the least in which a victim holds
// more than what it is waited for (R19), or a circle has three in it (R18).
func crossings() alphabet {
	return alphabet{
		name: "crossings", letters: leaseLetters(3, 3, writers, false, 9),
		steps: []int64{0}, depth: 7, interchangeable: true,
	}
}

// oddities are operations that most histories do not have: at the bounds of what
// is allowed, or beyond them (R2, R23 to R25, R29, R30).
func oddities(rules events.Rules) alphabet {
	var letters []letter
	for _, ttl := range []int64{0, 1, 86400, 86401, rules.MaxTTL(), rules.MaxTTL() + 1} {
		letters = append(letters, texts(fmt.Sprintf(`["acquire",@,"a","L",%d]`, ttl))...)
	}
	letters = append(letters, texts(
		`["acquire",@,"A","L",1]`,
		`["acquire",@,"b","L",1,"shared"]`,
		`["acquire",@,"b","L",true]`,
		`["acquire",@,"b","L",1.0]`,
		`["acquire",@,"\ud800","L",1]`,
		`["acquire",@,"a","L",0,"both"]`,
		`["acquire",@,"a","L"]`,
		`["renew",@,"b","L",0]`,
		`["lock",@,"a"]`,
		`["lock","soon","a"]`,
		`["write",@,"L","k","v",9007199254740993]`,
		`["write",@,"L","k","w",9007199254740992]`,
		`["status",@,"a"]`,
		`["status",@,"b"]`,
		`["inspect",@,"L"]`,
		`["acquire",@,"a","\uffff",1]`,
		`["acquire",@,"a","\ud83d\ude00",1]`,
	)...)
	return alphabet{name: "oddities", letters: letters, steps: []int64{0, 1, -1}, depth: 4}
}

// repeats are operations that are many, and a few to prepare for them (R27,
// R28). Each counts as two, so that what can be told without them is.
func repeats() alphabet {
	return alphabet{
		name: "repeats", steps: []int64{0, 1}, depth: 8, weight: 2,
		letters: texts(
			`["repeat",@,2,1,["acquire","c{i}","L",1]]`,
			`["repeat",@,2,0,["acquire","c{i+1%2}","L",9]]`,
			`["repeat",@,2,0,["acquire","c{i}","M{i+1%2}",9]]`,
			`["repeat",@,2,0,["acquire","c{i}","M{i}",9]]`,
			`["repeat",@,2,0,["inspect","L"]]`,
			`["repeat",@,3,0,["renew","c{i}","L",9]]`,
			`["repeat",@,2,0,["release","c{i}","L"]]`,
			`["acquire",@,"c0","L",9]`,
			`["acquire",@,"c1","L",9]`,
			`["acquire",@,"c1","M0",9]`,
			`["inspect",@,"L"]`,
			`["inspect",@,"M0"]`,
		),
	}
}
