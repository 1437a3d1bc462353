// Package projection folds what happened, event by event, into tables that a
// person asks for after an incident.
//
//   - Timeline: each lease, renewal, wait and write of a lock, and why it
//     began and ended.
//   - Careers: a client's registrations with their ages, and its leases, waits
//     and refusals.
//   - Fencing: the writes that tested the fence: late ones, ones that came with
//     a token that nobody had, and those of holders that were refused.
//   - Contention: how long locks were held and waited for, the longest waits,
//     convoys, and the locks that cost most time.
//   - Deadlocks: each cycle as it stood, the victims, and what was freed for
//     whom.
//   - Activity: operations by name and answer over time.
//
// # How to fold
//
// Every table is a Projection: it is given a Step for each event, in order and
// without a gap, and looks at nothing else. Fold runs a history through any
// number of projections at once; whoever replays a journal makes the steps
// from the replay's own.
//
// Nothing happens between events, but leases lapse there: a lapse comes to
// light with the next event that moves the clock (R1). To see a fold as of an
// instant after the last event, end it with the step that Until makes.
//
// # Rows and memory
//
// A projection keeps what is still going on: the leases in force, the requests
// that wait, the clients that are registered. What is over leaves through a
// sink at once, so that memory is bounded by the state and not by the history.
// The collecting forms keep all rows and sort them by the Moments at which they
// began. No order depends on a map.
//
// # Where to begin
//
// A projection begins at any state: at the one before the first event, or at
// one from a snapshot. A state knows who holds and who waits, but not since
// when and why. Such a row begins at a Moment that is Earlier; rows that begin
// after the state are the same as in a fold over the whole history.
//
// # Misuse
//
// Steps that are left out, given twice, or that belong to another history are
// a mistake of the caller: Apply panics when it notices. No projection is safe
// for concurrent use; the rows that it gives out are values, and the caller's
// to keep.
package projection
