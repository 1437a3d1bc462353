// Package leasekeeper is the embedding façade: it runs histories of
// operations against the rules of lease locks with fencing tokens, shared
// modes and deadlock victims.
//
// Run takes operations as JSON and returns answers as JSON. Answers and
// Results are its friends for histories that do not fit in memory. Who wants
// the state machine itself, under a Raft or with states to fork and compare,
// uses package fsm.
package leasekeeper
