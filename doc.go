// Package leasekeeper is the embedding façade: a durable service, histories to
// run and journals to replay, all by the rules of lease locks with fencing
// tokens, shared modes and deadlock victims.
//
//  1. Open a Keeper for a durable service in one process: Do carries out an
//     operation and returns when its event is on the disk. The state is derived
//     from the journal; snapshots only make opening it faster.
//  2. AsOf and AsOfTime give the state after any event or at any instant of the
//     past.
//  3. Replay derives a journal's answers again, Prove compares them with the
//     recorded ones from the genesis and from every snapshot.
//  4. Run takes operations as JSON and returns answers as JSON, without a
//     journal. RunSeq and ApplySeq are its friends for histories that do not
//     fit in memory.
//
// Who wants the state machine itself, under a Raft or with states to fork and
// compare, uses package fsm. A Keeper may be used by any number of goroutines.
package leasekeeper
