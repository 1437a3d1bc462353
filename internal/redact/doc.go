// Package redact takes the names out of a history and leaves what happened: a
// history to show to others.
//
// Clients, locks, keys and values get pseudonyms, each the same one wherever it
// stands, also in recorded answers. The names of clients, of keys and of values
// mean nothing to the rules; those of locks only by their order (R19, R22), which
// the pseudonyms keep. So every answer, every effect and every difference between
// a recorded answer and the rules stays, but for the names.
//
// The template of a repeat makes up names that other operations may use, such as
// job7 of job{i} (R28). Names of that shape make up a family: they keep the
// numbers at the places where a template counts, and only there. So a repeat
// stays one event with one answer.
//
// An operation that broke the contract may hold anything anywhere. It is replaced
// by a plain one that gets the same refusal and moves the clock alike (R23).
//
// Nobody has to take that on trust: a Redactor applies both histories, the one
// it reads and the one it writes, and fails at the first event of which something
// else comes than the names.
package redact
