// Package diagnose names the mistake behind wrong answers.
//
// It is given operations and the answers that some service gave, and looks for
// the one deviation of package naive with which the rules give exactly those
// answers, or, if there is none, for two deviations together. What it says is
// what it has seen: a candidate is one because a model with that mistake, and
// no other, was given the operations and answered as recorded; a deviation is
// ruled out because such a model answered one operation otherwise.
//
//  1. The state machine answers all operations, which finds the wrong answers.
//  2. A model with each deviation answers them, until one of its answers is not
//     the recorded one. A deviation that cannot have shown itself by the first
//     wrong answer is ruled out by that answer and is not tried (signs.go).
//  3. If no model comes through, models with two deviations are tried.
//  4. If several come through, a short history is looked for that tells them
//     apart.
//
// Nothing is printed, and nothing is read but the operations.
package diagnose
