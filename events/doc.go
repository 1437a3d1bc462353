// Package events is the vocabulary of leasekeeper: what can be asked (Event),
// what was answered (Answer), what happened on the way (Effect), and the only
// two outside forms of an event, JSON and canonical msgpack.
//
// The package decides nothing about leases. It knows the shape of an
// operation and the ranges of its arguments (rules R23 to R30 of
// docs/rules.md); everything that depends on a state is package fsm's.
//
//  1. Rules says which edition of the rules and which clock unit are in force.
//  2. Rules.Parse turns the JSON text of one operation into an Event. It never
//     refuses: an operation that breaks the contract becomes an Invalid event,
//     because the refusal must be journaled and replayed like anything else.
//  3. Append and Decode are the canonical msgpack form: one accepted encoding
//     for each event.
//  4. Rules.Admit tells, for any event however it was made, whether it moves
//     the clock and how it is refused before a state is looked at.
package events
