// Package fsm is the state machine that every answer comes from: a pure
// function from a state and an event to the next state and a result.
//
// # What a caller does
//
//  1. New makes the state before the first event, under an edition of the
//     rules and a clock unit.
//  2. Apply takes a state and an event and returns the next state and the
//     result: the answer that the caller of the operation gets, and the
//     effects in the order in which they happened. The state passed in stays
//     as it was and may be used again.
//  3. Who applies many events in a row makes a Machine. It changes its state
//     in place, is several times faster and gives the same results;
//     Machine.State forks off an immutable State in O(1).
//  4. Time is an input. Nothing happens between events; State.At says what the
//     state is at any instant, and State.NextExpiry when it will change by
//     itself.
//  5. Fingerprint identifies a state's content, Check verifies its
//     invariants, Diff names the rows in which two states differ.
//  6. Whole, Clients and Locks yield all that a state consists of; a Restorer
//     makes a state of it again, and refuses what could not be one.
//
// # What it promises
//
// Apply reads its two arguments and nothing else: no clock, no randomness, no
// map order, no goroutine, no log. A test holds the package's imports to
// that. Results are the same on every machine and in every run, so a history
// replayed from the start, or from any state on the way, gives the same
// answers, the same effects and the same fingerprint after every event.
//
// A refusal is an answer. A broken invariant is a panic, and a bug.
//
// The rules stand in docs/rules.md, numbered R1 to R30; each file here holds a
// family of them: clock.go R1 and R3, lease.go R2 and R5, queue.go R4, R11 and
// R13, lock.go R9 and R12, acquire.go R8, R10, R14 and R15, release.go R7,
// deadlock.go and search.go R16 to R18 and R20, abort.go R19, store.go R6,
// views.go R21 and R22, machine.go R23 and R26, repeat.go R27.
package fsm
