// Package coordinator elects one leader per key and gives it a fencing token.
// It is a lease API for Go programs over the rules of docs/rules.md, with a
// clock of its own.
//
//  1. New makes a Coordinator: in memory, or over a leasekeeper.Keeper whose
//     journal then explains every answer and survives a restart.
//  2. Grant takes the key or fails at once with ErrLeaseHeld; Wait stands in
//     line for it. Both give a Lease, whose Token goes with every write that the
//     leader makes.
//  3. Renew keeps the lease, Release ends it, Lease.Done tells that it has ended.
//  4. CheckToken is the other side: whoever stores something asks it before a
//     write, and a former leader is refused.
//  5. Watch follows what happens to a key.
//
// # What it promises
//
// The coordinator's clock is the only authority. No instant of a caller counts;
// a request that was long on its way is dated when it is carried out. A lease
// ends at that instant + timeout + margin, and not a nanosecond later (R2).
//
// The tokens of a key are 1, 2, 3 and so on, whatever ends the leases (R5). One
// is used up only by a lease: refusals and late renewals use up none.
//
// Every change is an event, decided by package fsm. With a journal an answer is
// given only once its event is durable, and refusals leave a trace as well.
//
// Any number of goroutines may use a Coordinator. It starts no goroutine that
// outlives a call, and no timer unless somebody waits, watches or has asked for
// Done.
package coordinator
