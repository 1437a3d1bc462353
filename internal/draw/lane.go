package draw

import (
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

// lane is what is drawn of a lock.
type lane struct {
	lock string
	span Span
	Load
	most     int
	leases   []projection.Lease // nil if there are too many
	waits    []projection.Wait  // the same
	renewals []projection.Renewal
	writes   []projection.Write
	outside  bool // a write lies outside the span
	cells    []cell
}

// cell counts what there is in a part of the span.
type cell struct {
	began   int     // leases that began in it
	held    int     // while counting, leases that begin here less those that end; then, leases that touch it
	waiting int     // the same of requests
	mark    mark    // the gravest one
	kinds   [4]bool // which marks there are
	aborted bool
	marks   int // how many writes there are
}

// mark is what a write is shown as, from the most harmless on.
type mark uint8

const (
	noMark mark = iota
	accepted
	late    // accepted, although the token was of no lease in force (R6)
	refused // (R6)
)

func markOf(w *projection.Write) mark {
	switch {
	case w.Refusal != events.NotRefused:
		return refused
	case w.Holder == "":
		return late
	}
	return accepted
}

func newLane(lock string, span Span, cells, most int) *lane {
	return &lane{lock: lock, span: span, most: most, cells: make([]cell, cells)}
}

// extent are the cells that a row touches: from the one in which it began up to,
// not including, the one in which it ended, but at least one.
func (l *lane) extent(began, ended projection.Moment) (from, to int) {
	return extent(l.span, len(l.cells), began, ended)
}

func extent(span Span, cells int, began, ended projection.Moment) (from, to int) {
	from = min(span.cell(began.Instant, cells), cells-1)
	to = cells
	if ended.Happened() {
		to = span.cell(ended.Instant, cells)
	}
	return from, max(to, from+1)
}

func (l *lane) lease(row projection.Lease) {
	if l.span.misses(row.Began, row.Ended, row.How == events.CauseAbort) {
		return
	}
	l.Load.lease(&row)
	if len(l.cells) == 0 {
		return
	}
	from, to := l.extent(row.Began, row.Ended)
	l.cells[from].held++
	if to < len(l.cells) {
		l.cells[to].held--
	}
	if row.Began.Instant >= l.span.From && !row.Began.Earlier() {
		l.cells[from].began++
	}
	if row.How == events.CauseAbort && l.span.contains(row.Ended.Instant) {
		l.cells[to-1].aborted = true
	}
	l.leases = keep(l.leases, row, l.Leases, l.most)
}

// keep adds a row, the nth one, unless there are too many; then it lets go all.
func keep[T any](rows []T, row T, n, most int) []T {
	if n > most {
		return nil
	}
	return append(rows, row)
}

func (l *lane) wait(row projection.Wait) {
	if l.span.misses(row.Began, row.Ended, row.Ending == projection.WasAborted) {
		return
	}
	l.Load.wait(&row)
	if len(l.cells) == 0 {
		return
	}
	from, to := l.extent(row.Began, row.Ended)
	l.cells[from].waiting++
	if to < len(l.cells) {
		l.cells[to].waiting--
	}
	if row.Ending == projection.WasAborted && l.span.contains(row.Ended.Instant) {
		l.cells[to-1].aborted = true
	}
	l.waits = keep(l.waits, row, l.Waits, l.most)
}

func (l *lane) renewal(row projection.Renewal) {
	l.Renewals++
	l.renewals = keep(l.renewals, row, l.Renewals, l.most)
}

func (l *lane) write(row projection.Write) {
	l.Load.write(&row)
	l.writes = keep(l.writes, row, l.Writes, l.most)
	if len(l.cells) == 0 {
		return
	}
	if !l.span.contains(row.At.Instant) { // its clock had gone back (R26)
		l.outside = true
		return
	}
	at := &l.cells[l.span.cell(row.At.Instant, len(l.cells))]
	at.mark = max(at.mark, markOf(&row))
	at.kinds[markOf(&row)] = true
	at.marks++
}

// finish sums up the counts of the cells, and sorts the rows that were kept by
// the moments at which they began: they came when they ended.
func (l *lane) finish() {
	for i := 1; i < len(l.cells); i++ {
		l.cells[i].held += l.cells[i-1].held
		l.cells[i].waiting += l.cells[i-1].waiting
	}
	slices.SortStableFunc(l.leases, func(a, b projection.Lease) int { return a.Began.Compare(b.Began) })
	slices.SortStableFunc(l.waits, func(a, b projection.Wait) int { return a.Began.Compare(b.Began) })
}

// exactLeases tells whether every lease was kept, and exactWaits whether every
// wait was.
func (l *lane) exactLeases() bool { return len(l.leases) == l.Leases }
func (l *lane) exactWaits() bool  { return len(l.waits) == l.Waits }

// exactRenewals and exactWrites tell the same of renewals and writes.
func (l *lane) exactRenewals() bool { return len(l.renewals) == l.Renewals }
func (l *lane) exactWrites() bool   { return len(l.writes) == l.Writes }
