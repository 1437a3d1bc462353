// Package divergence finds the first event at which two histories part: in what was
// asked, in what was answered, or in the state that came of it.
//
// First goes through both from their beginnings and is exact. Bisect looks at
// the fingerprints of two journals only, at no more of them than the logarithm
// of their number, and finds an event at which their states part. Equal
// fingerprints prove equal states, but not that the same was asked before: a
// read leaves no trace in a state, and what was done may have been undone. So
// the event that Bisect finds need not be the first one that differs.
//
// Nothing is kept but the two events that are looked at, and the state of a
// history that is no journal.
package divergence
