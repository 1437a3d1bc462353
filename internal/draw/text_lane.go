package draw

import (
	"cmp"
	"fmt"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/projection"
)

// mostLines is how many lines a text has at most for the leases of a lock, and
// for its waits.
const mostLines = 6

// leasesOf draws the leases of a lane: those that are in force at the same time on
// lines of their own, or if these are too many, one line of numbers.
func (t *text) leasesOf(l *lane) {
	if l.Leases == 0 {
		return
	}
	lines, n := packLeases(l.leases)
	if !l.exactLeases() || n > mostLines {
		t.leaseCounts(l)
		return
	}
	for line := range n {
		s := make(strip, t.Cells)
		began := make([]int, t.Cells)
		for i := range l.leases {
			if lines[i] == line {
				from, _ := l.extent(l.leases[i].Began, l.leases[i].Ended)
				began[from]++
			}
		}
		for i := range l.leases {
			if lines[i] == line {
				t.bar(s, l, &l.leases[i], began)
			}
		}
		label := ""
		if line == 0 {
			label = "held"
		}
		t.row(label, s)
	}
	if !l.exactRenewals() {
		t.use("renewals missing")
	}
}

// bar draws a lease: how it began, who has it, when it was renewed, how it ended.
// In a cell in which several begin, it counts them.
func (t *text) bar(s strip, l *lane, lease *projection.Lease, began []int) {
	from, to := l.extent(lease.Began, lease.Ended)
	how := t.Palette.client(lease.Client)
	fill := t.held
	if lease.Mode == events.Shared {
		fill = t.shared
		t.use("shared")
	}
	for at := from; at < to; at++ {
		s.set(at, fill, how)
	}
	ticks := t.renewalsOf(s, l, lease, from, to)
	t.begin(s, l, lease, from, how)
	switch {
	case !lease.Ended.Happened() || lease.Ended.Instant >= l.span.To:
		s.set(to-1, t.after, how)
		t.use("after")
	case to-from == 1 && lease.How != events.CauseAbort:
		s.set(from, t.short, how)
		t.use("short")
	default:
		s.set(to-1, t.ending(lease.How), how)
		t.use("end " + lease.How.String())
	}
	if began[from] > 1 {
		t.number(s, from, began[from])
		t.use("several")
	}
	t.label(s, lease, from+1, to-1, ticks, how)
}

func (t *text) begin(s strip, l *lane, lease *projection.Lease, from int, how func(string) string) {
	switch {
	case lease.Began.Earlier() || lease.Began.Instant < l.span.From:
		s.set(from, t.before, how)
		t.use("before")
	case lease.Why == events.CauseFree:
		s.set(from, t.granted, how)
		t.use("granted")
	default:
		s.set(from, t.handed, how)
		t.use("handed")
	}
}

// renewalsOf ticks the renewals of a lease, and returns where.
func (t *text) renewalsOf(s strip, l *lane, lease *projection.Lease, from, to int) map[int]bool {
	ticks := map[int]bool{}
	if lease.Renewals == 0 {
		return ticks
	}
	for i := range l.renewals {
		if r := &l.renewals[i]; r.Token == lease.Token && l.span.contains(r.At.Instant) {
			at := min(max(l.span.cell(r.At.Instant, t.Cells), from+1), to-2)
			if at > from && at < to-1 {
				s.set(at, t.renewed, t.Palette.Good)
				ticks[at] = true
				t.use("renewed")
			}
		}
	}
	return ticks
}

// label writes whose lease it is into the first gap between renewals that has
// room for all of it, or else into the widest as much as that takes.
func (t *text) label(s strip, lease *projection.Lease, from, to int, ticks map[int]bool, how func(string) string) {
	t.use("token")
	name := t.name(lease.Client)
	full := fmt.Sprintf(" %s #%d ", name, lease.Token)
	need := ansi.StringWidth(full)
	wide, start := 0, from
	for at, begun := from, from; at <= to; at++ {
		if at < to && !ticks[at] {
			continue
		}
		if at-begun > wide && wide < need {
			wide, start = at-begun, begun
		}
		begun = at + 1
	}
	token := fmt.Sprintf(" #%d ", lease.Token)
	switch rest := wide - len(token); {
	case need <= wide:
		s.write(start, start+wide, full, how)
	case rest >= 4:
		s.write(start, start+wide, " "+shortened(name, rest, t.ellipsis)+token, how)
	case wide >= 3:
		s.write(start, start+wide, shortened(name, wide, t.ellipsis), how)
	}
}

// leaseCounts draws how many leases began in each cell.
func (t *text) leaseCounts(l *lane) {
	s := make(strip, t.Cells)
	for at, c := range l.cells {
		switch {
		case c.began > 0:
			t.number(s, at, c.began)
		case c.held > 0:
			s.set(at, t.held, nil)
		}
	}
	t.row("leases", s)
	t.use("counts")
}

// writesOf draws the writes of a lane, and where its leases or waits are only
// counted, the aborts.
func (t *text) writesOf(l *lane) {
	s := make(strip, t.Cells)
	label, counted := "", !l.exactLeases() || !l.exactWaits()
	for at, c := range l.cells {
		switch {
		case c.mark == refused || c.mark != noMark && !(counted && c.aborted):
			s.set(at, t.mark(c.mark), [...]func(string) string{nil, t.Palette.Good, t.Palette.Alarm, t.Palette.Alarm}[c.mark])
			t.use([...]string{"", "accepted", "late", "refused"}[c.mark])
			label = cmp.Or(label, "writes")
		case counted && c.aborted:
			s.set(at, t.aborted, t.Palette.Alarm)
			t.use("end abort")
			label = "marks"
		}
		if c.marks > 1 || c.marks == 1 && counted && c.aborted {
			t.use("gravest")
		}
	}
	if l.outside {
		t.use("outside")
	}
	if label != "" {
		t.row(label, s)
	}
}
