// Package sqlexport writes a history, with all that came of it, into an SQLite
// database: for questions that no command foresees.
//
// A Writer takes the history event by event, folds it with the projections of
// package projection, and writes rows as soon as they are complete, so that
// memory is bounded by the state and not by the history. Indexes and views are
// made at the end. schema.sql and views.sql say what the tables hold.
//
// The same history always gives the same rows in the same order. All integers
// are exact; text is the exact text, NUL characters included.
//
// A Writer fills a file of its own and syncs nothing before Finish: whoever
// calls it gives the file its name when it is whole.
package sqlexport
