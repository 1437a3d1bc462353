package draw

import (
	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/projection"
)

// waitsOf draws the requests that waited for a lock, each with its client, or if
// that takes too many lines, how many there were in each cell.
func (t *text) waitsOf(l *lane) {
	if l.Waits == 0 {
		return
	}
	extents := make([][2]int, len(l.waits))
	for i := range l.waits {
		from, to := l.extent(l.waits[i].Began, l.waits[i].Ended)
		if width := ansi.StringWidth(t.waitLabel(&l.waits[i])); width+2 > to-from && to+width+1 <= t.Cells {
			to += width + 1 // the name stands behind it
		}
		extents[i] = [2]int{from, to + 1}
	}
	lines, n := packCells(extents)
	if !l.exactWaits() || n > mostLines {
		t.waitCounts(l)
		return
	}
	strips := make([]strip, n)
	for i := range strips {
		strips[i] = make(strip, t.Cells)
	}
	for i := range l.waits {
		t.wait(strips[lines[i]], l, &l.waits[i])
	}
	for i, s := range strips {
		label := ""
		if i == 0 {
			label = "waits"
		}
		t.row(label, s)
	}
}

// waitLabel is whose request it is.
func (t *text) waitLabel(w *projection.Wait) string {
	return shortened(t.name(w.Client), max(t.Cells/3, 8), t.ellipsis)
}

func (t *text) wait(s strip, l *lane, w *projection.Wait) {
	from, to := l.extent(w.Began, w.Ended)
	how := t.Palette.client(w.Client)
	for at := from; at < to; at++ {
		s.set(at, t.waits, how)
	}
	t.use("waits")
	switch {
	case w.Ending == projection.StillWaiting || w.Ended.Instant >= l.span.To:
		s.set(to-1, t.after, how)
		t.use("after")
	default:
		s.set(to-1, t.leaving(w.Ending), how)
		if w.Ending == projection.WasAborted {
			t.use("end abort")
		} else {
			t.use("wait " + w.Ending.String())
		}
	}
	label := t.waitLabel(w)
	width := ansi.StringWidth(label)
	switch {
	case width+2 <= to-from:
		s.write(from+1, to-1, label, how)
	case to+width+1 <= t.Cells:
		s.write(to+1, t.Cells, label, how)
	case to-from >= 5:
		s.write(from+1, to-1, shortened(label, to-from-2, t.ellipsis), how)
	}
	if w.Began.Earlier() || w.Began.Instant < l.span.From {
		s.set(from, t.before, how)
		t.use("before")
	}
}

func (t *text) waitCounts(l *lane) {
	s := make(strip, t.Cells)
	for at, c := range l.cells {
		if c.waiting > 0 {
			t.number(s, at, c.waiting)
		}
	}
	t.row("waits", s)
	t.use("waiting")
}
