// Package pages reads the pages of a bbolt file, without bbolt and without
// trusting a single byte of them.
//
// bbolt itself maps the file and follows what it finds there; a damaged or
// truncated file makes it fault or panic, and its lock keeps readers out while
// the file is written. This package reads with ordinary reads instead, so a
// File needs no lock, damage is an error with its place (Damage), and memory
// is bounded by a window of a few pages.
//
// # Reading beside a writer
//
// bbolt copies on write: a commit N writes new pages, then one of two meta
// pages, which holds N and the root of the tree. The pages of tree N stay as
// they are until commit N+1 is complete, because only commit N+2 and later
// may use what N+1 gave up. So:
//
//  1. A View is the tree of one commit: the newest of the two meta pages.
//  2. Every read of pages is followed by a look at the meta pages. If the
//     newest commit is still the view's, what was read is good and, being a
//     copy, stays good. If not, it is thrown away, and the reader goes on in
//     the newest tree, from the last key it has returned.
//  3. Nothing is called damaged before that look has been taken.
//
// Across such a move a Cursor is consistent only where keys are never changed
// or removed. Whoever reads anything else reads it in one go, from one View.
package pages
