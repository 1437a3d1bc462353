// Package explore looks at every history there is, in a small scope: a few
// clients, locks, ttls and steps of time. After each operation package fsm must
// say what package naive says, be in the state that naive is in, and keep the
// laws of docs/architecture.md. What breaks is found in a shortest history.
//
//  1. Scope says which names and numbers histories are made of, and Explore
//     goes through all histories of up to so many operations; or of any length,
//     since the states that differ in more than names and numbers are few.
//  2. Distinguish finds a shortest history that two models with deviations
//     answer differently, and Shortest one that shows a deviation at all.
//
// # Why a few states stand for all
//
// No two histories lead to equal states: clocks, tokens and ages only grow. But
// little of a state can show. Two states are of one class if they have the same
// common form (canon), which leaves of a state only
//
//   - its leases in the order of their grants, each with its mode, the ticks left
//     to its end, and whose it is on what;
//   - its requests, oldest first for each lock, with mode and ttl;
//   - how many clients are registered, and who is older than whom (edition 3);
//   - of each lock with a store: its counter up to 2, its high-water mark up to 2,
//     which of both is larger, and which keys have a value.
//
// The claim is that states of one class have the same future: what can be done
// to one can be done to the other, in its terms; the answers and effects are the
// same, in its terms; and the states after it are of one class again. (The relation
// is a bisimulation.) Then it is enough to try all operations in one state of each
// class: whatever a history leads to, its class was looked at. Part by part:
//
// Instants. The rules compare instants with each other and add ttls to them, and
// do nothing else with them. So a shift by a constant shifts what follows
// (law 10). The largest instant is far away.
//
// Turns. The order of grants decides in which order leases of one instant lapse
// (R1); the order of requests matters within one queue only (R4, R11). Their
// numbers never show.
//
// Ages. The rules compare ages with each other (R18), and a new age is larger
// than any (R15). So only their order matters, and it names the registered clients:
// the oldest is the first. Who is not registered has no lease and no request, so
// that those clients are alike. Editions 1 and 2 have no use for ages; there the
// clients are named by their leases and requests.
//
// Tokens. A grant takes the counter's next number, whatever it is (R5), and only
// the store compares tokens: that of a write with the mark (R6). Moves write with
// the mark, the number below it, the counter and the next number after that, as
// far as these are at least 1. With these the mark cannot go beyond the counter
// by more than 1; a mark below the counter stays where it is or becomes the counter
// or the number after it. So of the difference only the sign matters, and of the
// numbers themselves, as nothing below 1 can be written, whether they are 0, 1 or
// more: a mark of 2 or more has a token below it, and a counter of 2 or more makes
// such a mark.
//
// Values. The store copies values and never looks at them, so which value a key
// has cannot matter. A write always writes another one than there is.
//
// Names of clients. The rules compare them for equality only.
//
// Names of locks. Their order decides in which order the leases of a victim end
// (R19), and sorts an answer of status (R22). A victim waits for one lock more than
// it holds; with two locks it holds one at most, and the order cannot show but in
// status, where it is a matter of terms. So up to two locks, and before edition 3
// any number, are named by their first lease. Otherwise they keep their names.
//
// All this is said of the rules. That fsm and naive are as blind to names and
// numbers is tested: TestStatesOfOneClassHaveOneFuture takes different states of
// one class, at random, and does to both what amounts to the same, and
// TestMergedStatesHaveOneFuture does so with all that are merged in one exploration. And since at
// every edge the whole states of fsm and naive are compared, row by row, and not
// the answers only, what is said of the state of a class that was kept is said of
// both.
//
// # What was covered
//
// With ttls of 1 and 2, steps of 0 and 1 (and looks further ahead), both modes, in
// edition 3, these spaces are finite and were gone through to the end; fsm and
// naive agree after every history of any length:
//
//	clients  locks  store  states   edges       longest way
//	2        1      no         48       1,824    3
//	2        1      yes       299      13,518    5
//	3        1      no        541      29,214    5
//	3        1      yes     3,139     192,646    6
//	4        1      no      8,430     590,100    7
//	2        2      no      1,472     100,096    5
//	2        2      yes    66,492   5,479,104    9
//	3        2      no    182,973  17,931,354    8
//
// A processor does more than 100,000 edges a second; the last row takes it two to
// three minutes.
//
// A class is known by 128 bits of a hash of its form; that two of even a billion
// forms collide has a chance of less than one in 10^20.
package explore
