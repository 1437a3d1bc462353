// Package conformance checks implementations of the rules that are other
// programs, in any language. It gives them operations as JSON on their standard
// input, compares the answers on their standard output with those of package fsm,
// and says what they did in one of six verdicts: they agree, give a wrong answer,
// crash, hang, print what is no answer, or print too few or too many.
//
// There are two protocols. A program speaks one of them; Detect finds out which.
//
// Process: the program is started once for each history. It reads an array of
// operations to the end of its input, prints the answers, as one array or value by
// value, and exits with status 0. By which rules it is to answer it learns from
// the environment (LEASEKEEPER_EDITION, LEASEKEEPER_UNIT) or from its arguments, in
// which {edition} and {unit} are replaced.
//
//	← [["acquire",0,"a","L",30],["release",5,"a","L"]]
//	→ [["granted",1,30],"released"]
//
// Stream: the program is started once. Each line of its input is an operation,
// answered by a line, or a reset, which makes the service as if it had seen
// nothing and names the rules. It ends when its input does.
//
//	← {"reset":{"edition":3,"unit":"second"}}
//	→ {"ready":true}
//	← ["acquire",0,"a","L",30]
//	→ ["granted",1,30]
//
// Operations are written without waiting for answers, so a program must be ready
// for both pipes to be full; one that reads a line, prints a line and flushes when
// it has no more to read is. Behind the last operation of a history the next reset
// is written at once. Its reply ends the answers, so that one too many or too few
// is noticed in the history in which it happened.
//
// A process is started in a group of its own. At the end, in time or not, the
// whole group is killed, so nothing that it started stays behind, unless it left
// the group on purpose (setsid).
package conformance
