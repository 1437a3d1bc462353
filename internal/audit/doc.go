// Package audit finds the first wrong answer in a recorded history and says what
// is to be known about it: what the rules require, by which events that came
// about, what followed from it, and whether data was at risk.
//
//  1. A Finder holds a history against the rules as it is read, and keeps nothing
//     but their state. A history whose answers are right needs no more.
//  2. Examine looks at a history with a wrong answer once more, as a whole: it
//     names the mistake behind it (package diagnose), leaves out all events that
//     do not matter (chain.go), tells what followed from the mistake from what is
//     the same mistake again, and from what is another one (worlds.go), and lists
//     the writes and reads that were touched by it (risk.go).
//
// Nothing is printed here.
package audit
