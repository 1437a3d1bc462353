// Package journal keeps events on disk: the bytes, not the rules.
//
//  1. Create makes a journal file. Its first record, the Genesis, pins the
//     edition of the rules, the clock unit and a random id.
//  2. Append adds records, each an event with the answer that was given and
//     the fingerprint of the state after it. One call is one durable commit:
//     when it returns nil, all its records survive a crash; a crash before
//     that leaves all of them or none.
//  3. Scan goes through the records in order, whatever their number, in the
//     same few pages of memory. Nothing it returns has skipped its checksum.
//  4. Snapshots of the state are kept beside the events, so that a replay need
//     not begin at the first one. They are derived: a journal without them is
//     whole.
//  5. Head is one hash over the genesis and every record. Whoever has noted it
//     elsewhere can tell later whether this is still that journal (Verify).
//  6. Compact starts a shorter journal at a snapshot; the old file becomes its
//     archive, and VerifyJoin proves that the two belong together.
//
// One process writes a file; a second one gets ErrLocked at once. Any number
// of processes may read it meanwhile (Options.ReadOnly): readers take no lock,
// hold nothing up and never see half a commit. All methods of a Journal may be
// called from many goroutines.
//
// A damaged file is an error that names the damaged bytes (Damage), never a
// panic. After a commit that failed, a journal refuses to write until it is
// opened again (ErrFailed), because nobody knows what has reached the disk.
//
// File keeps a journal in one bbolt file, which docs/journal-format.md
// describes to the byte; Memory keeps it in memory. Both pass one suite of
// tests.
package journal
