package draw

import (
	"fmt"
	"slices"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
	"github.com/leasekeeper/leasekeeper/projection"
)

// writesOf draws the writes of a lock: each, or if there are too many, in which
// pixels there are some; and aborts where they could not be seen otherwise.
func (p *picture) writesOf(l *lane) {
	if l.outside {
		p.use("outside")
	}
	switch {
	case l.Writes == 0:
	case l.exactWrites():
		p.y += 2
		for i := range l.writes {
			if w := &l.writes[i]; p.Span.contains(w.At.Instant) {
				p.write(p.x(w.At.Instant), markOf(w), writeWords(w))
			}
		}
		p.y += 16
	default:
		p.stripe("accepted", "writes accepted", l, func(c *cell) bool { return c.kinds[accepted] })
		p.stripe("late", "writes accepted late", l, func(c *cell) bool { return c.kinds[late] })
		p.stripe("rejected", "writes refused", l, func(c *cell) bool { return c.kinds[refused] })
	}
	if l.Aborted > 0 && (!l.exactLeases() || !l.exactWaits()) {
		p.stripe("aborts", "aborts", l, func(c *cell) bool { return c.aborted })
	}
}

// stripe draws in which pixels there is something of a kind, if there is any.
func (p *picture) stripe(class, what string, l *lane, has func(*cell) bool) {
	if !slices.ContainsFunc(l.cells, func(c cell) bool { return has(&c) }) {
		return
	}
	const height = 5
	p.y += 3
	p.runs(class, 0, height, func(c *cell) int {
		if has(c) {
			return height
		}
		return 0
	}, l)
	p.y += height + 11
	p.words("small", border, p.y, what+", in these pixels")
	p.y += 4
}

// write draws the mark of a write.
func (p *picture) write(x int, m mark, words string) {
	y := p.y + 7
	shape := fmt.Sprintf(`<circle class="accepted" cx="%d" cy="%d" r="3.5">`, x, y)
	end := "</circle>"
	switch m {
	case late:
		shape, end = fmt.Sprintf(`<path class="late" d="M%d %dl5.5 5.5-5.5 5.5-5.5-5.5z">`, x, y-5), "</path>"
	case refused:
		shape, end = fmt.Sprintf(`<path class="mark refused" d="M%d %dl8 8m-8 0 8-8">`, x-4, y-4), "</path>"
	}
	p.use([...]string{"", "accepted", "late", "refused"}[m])
	fmt.Fprintf(&p.body, "%s<title>%s</title>%s\n", shape, visible.XML(words), end)
}

// writeWords is what the tooltip of a write says.
func writeWords(w *projection.Write) string {
	text := fmt.Sprintf("write of %s with token %d at %d (event %d): ", tooltipName(w.Key), w.Token, w.At.Instant, w.At.Sequence)
	switch {
	case w.Refusal != events.NotRefused:
		return text + w.Refusal.String()
	case w.Holder == "":
		return text + "accepted, though the token is of no lease in force (R6)"
	}
	return text + "accepted, by the holder " + tooltipName(w.Holder)
}
