// Package campaign gives histories to a subject, on all cores, until one of
// them shows a fault or the time is up.
//
// Histories are numbered, and each number is the seed of its history, so what a
// campaign finds depends on where it begins and not on how fast the machine is:
// a campaign that stops at its first fault stops at the one with the lowest
// seed. A corpus goes first.
//
// What is tried is a Subject: another implementation of the rules, which package
// conformance talks to, or the state machine of this one, which is held
// against the slow and obvious model of the rules.
package campaign
