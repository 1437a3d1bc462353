// Package transfer moves events between a journal and lines of text.
//
// Export writes a journal as lines that lose nothing. An Importer fills a
// fresh journal from a Source: an exported journal, or another service's log
// in one of the forms of package oplog, or in any other form that a jq program
// makes operations of. A Draft is the file that is filled; it gets its name
// only when it is whole.
//
// Everything is read, applied and written as it comes, so memory is bounded by
// the state, not by the length of a journal or a log.
package transfer
