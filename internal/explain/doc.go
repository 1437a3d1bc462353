// Package explain says in sentences why an event was answered as it was, and why
// a lock or a client stood as it did.
//
// An Account is a list of Facts. A Fact is data: what it is about, the event and
// the instant that it goes back to, the rules that decide it. Its sentence is
// made from that data and from nothing else, so people and programs are told
// the same.
//
// # Where facts come from
//
// What holds is read off a state, which the rules derive. Since when it holds,
// and because of what, no state knows. That comes from a trail: the effects of
// the events from the nearest place where a replay can begin. What began
// before that place is looked for further back, one stretch between two
// snapshots after the other, the newest first, as long as Options.Budget
// allows; beyond that a fact says "before #K" and means that event K was the
// first that was looked at.
package explain
