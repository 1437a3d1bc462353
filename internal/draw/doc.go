// Package draw shows what package projection tells of locks along an axis of
// time: as text for a terminal, as an SVG picture, as a trace for Perfetto, and
// as lines of JSON.
//
// Text and picture have a lane for each lock. Which locks these are, and which
// span of time there is to show, is known only at the end of a history; so it is
// folded twice: through a Survey, which counts, and through a Board, which keeps
// what has to be drawn. A lane keeps a bounded number of rows, and beyond that
// one count for each cell of the axis: memory does not grow with the history. No
// lease, wait or lock is left out without a word: what has no room of its own is
// counted, and the drawing says how many there are.
//
// Trace and JSON lines leave nothing out, and are written while the history is
// folded once.
//
// The same history always gives the same bytes. Names may be anything: they are
// escaped for where they stand.
package draw
