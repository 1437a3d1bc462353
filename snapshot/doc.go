// Package snapshot writes a state as a stream of bytes and reads it back.
//
// Write and Read are each other's inverse: what Read returns has the same
// content, the same fingerprint and the same sequence as what Write was given,
// and goes on to give the same results for the same events. ReadHeader says
// what a snapshot is of, for the price of its first hundred bytes; Verify says
// whether any bit of it has changed, without building the state. The form is
// described to the byte in docs/snapshot-format.md.
//
// # Canonical bytes
//
// The canonical bytes of a state are the content of its snapshot before it is
// cut into chunks and compressed: the header's content and then the rows. Equal
// states after equally many events have equal canonical bytes, in every release
// that writes the same Version of the format, and Read accepts no others for
// them. Info.Digest is a hash of them. The stream that Write produces is the
// same for the same state as long as the library that compresses is the same;
// another release of it may pack the same canonical bytes differently.
//
// # Trust
//
// The bytes may come from a stranger. Read believes no length before the bytes
// are there, and refuses whatever is not the one encoding of a sound state. A
// byte of the stream stands for 32 canonical bytes at most, and a canonical
// byte makes Read allocate about 60 at most, the restored state included.
//
// Checksums, digest and fingerprint guard against damage, not against forgery:
// who can write a snapshot can write one of a state that never was. The
// fingerprint does not cover the sequence, so whoever keeps a snapshot beside a
// journal compares both, as the header has them, with the journal's record of
// that sequence.
package snapshot
