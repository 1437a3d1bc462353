package draw

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/visible"
	"github.com/leasekeeper/leasekeeper/projection"
)

// mostBars is how many lines a picture has at most for the leases of a lock, and
// for its waits.
const mostBars = 12

// leasesOf draws the leases of a lock and tells where those lie that waiters got,
// by their tokens; nowhere if they are only counted.
func (p *picture) leasesOf(l *lane) map[int64]int {
	if l.Leases == 0 {
		return nil
	}
	lines, n := packLeases(l.leases)
	if !l.exactLeases() || n > mostBars {
		p.leaseCounts(l)
		return nil
	}
	bars := map[int64]int{}
	for i := range l.leases {
		lease := &l.leases[i]
		y := p.y + lines[i]*(barHeight+3)
		p.bar(l, lease, y)
		if lease.Why != events.CauseFree {
			bars[lease.Token] = y + barHeight
		}
	}
	if !l.exactRenewals() {
		p.use("renewals missing")
	}
	p.renewalsOf(l, lines)
	p.y += n * (barHeight + 3)
	return bars
}

// bar draws a lease.
func (p *picture) bar(l *lane, lease *projection.Lease, y int) {
	from, to := l.extent(lease.Began, lease.Ended)
	x, width := border+from, to-from
	class := fmt.Sprintf("bar c%d", colourOf(lease.Client, len(hues)))
	if lease.Mode == events.Shared {
		class += " shared"
		p.use("shared")
	}
	fmt.Fprintf(&p.body, `<g><title>%s</title><path class="%s" d="%s"/>`, visible.XML(leaseWords(lease)), class, p.outline(lease, x, y, width))
	if room := width - 14; room >= 14 {
		if lease.How == events.CauseAbort {
			room -= 10
		}
		p.inside("name", x+7, y, room, barHeight, barLabel(lease, room))
	}
	if lease.Ended.Happened() && lease.Ended.Instant < p.Span.To {
		switch lease.How {
		case events.CauseAbort:
			fmt.Fprintf(&p.body, `<path class="mark abort" d="M%d %dl8 8m-8 0 8-8"/>`, x+max(width-12, 0), y+barHeight/2-4)
			p.use("abort")
		case events.CauseExpiry:
			fmt.Fprintf(&p.body, `<path class="end lapse" d="M%d %dv%d"/>`, x+width-1, y, barHeight)
			p.use("lapse")
		default:
			p.use("release")
		}
	}
	p.body.WriteString("</g>\n")
}

// barLabel says whose lease it is, in so many pixels.
func barLabel(lease *projection.Lease, room int) string {
	name, token := visible.Name(lease.Client), fmt.Sprintf(" #%d", lease.Token)
	switch {
	case pixels(name+token) <= room:
		return name + token
	case room < pixels(token)+20:
		return fitting(name, room)
	}
	return fitting(name, room-pixels(token)) + token
}

// outline is the shape of a lease: with an arrow where it is cut off, round where
// it was released.
func (p *picture) outline(lease *projection.Lease, x, y, width int) string {
	const h, arrow, round = barHeight, 6, 5
	before := lease.Began.Earlier() || lease.Began.Instant < p.Span.From
	after := !lease.Ended.Happened() || lease.Ended.Instant >= p.Span.To
	if before || after {
		p.use("cut")
	}
	if width < 2*arrow {
		return fmt.Sprintf("M%d %dh%dv%dh-%[3]dz", x, y, width, h)
	}
	var d strings.Builder
	if before {
		fmt.Fprintf(&d, "M%d %dL%d %d", x+arrow, y+h, x, y+h/2)
		fmt.Fprintf(&d, "L%d %d", x+arrow, y)
	} else {
		fmt.Fprintf(&d, "M%d %dV%d", x, y+h, y)
	}
	switch right := x + width; {
	case after:
		fmt.Fprintf(&d, "H%dL%d %dL%d %d", right-arrow, right, y+h/2, right-arrow, y+h)
	case lease.How == events.CauseRelease:
		fmt.Fprintf(&d, "H%dq%d 0 %[2]d %[2]dv%dq0 %[2]d -%[2]d %[2]d", right-round, round, h-2*round)
	default:
		fmt.Fprintf(&d, "H%dV%d", right, y+h)
	}
	return d.String() + "z"
}

// leaseWords is what the tooltip of a lease says.
func leaseWords(l *projection.Lease) string {
	text := fmt.Sprintf("%s holds %s, %s, token %d", tooltipName(l.Client), tooltipName(l.Lock), l.Mode, l.Token)
	if l.Began.Earlier() {
		text += fmt.Sprintf("\nsince before event %d", l.Began.Sequence+1)
	} else {
		text += fmt.Sprintf("\nfrom %d (event %d): %s", l.Began.Instant, l.Began.Sequence, grantWords(l.Why))
	}
	if l.Ended.Happened() {
		text += fmt.Sprintf("\nto %d (event %d): %s", l.Ended.Instant, l.Ended.Sequence, endWords(l.How))
	} else {
		text += fmt.Sprintf("\nin force, until %d unless renewed", l.ExpiresAt)
	}
	if l.Renewals > 0 {
		text += "\nrenewed " + count(l.Renewals, "time", "times")
	}
	return text
}

func grantWords(why events.Cause) string {
	if why == events.CauseFree {
		return "granted at once (R10)"
	}
	return fmt.Sprintf("granted from the queue after a %s (R11)", why)
}

func endWords(how events.Cause) string {
	return map[events.Cause]string{
		events.CauseExpiry: "lapsed (R2)", events.CauseRelease: "released (R7)", events.CauseAbort: "aborted to break a deadlock (R19)",
	}[how]
}

// renewalsOf draws a mark on a bar for each renewal.
func (p *picture) renewalsOf(l *lane, lines []int) {
	if len(l.renewals) == 0 {
		return
	}
	at := map[int64]int{}
	for i := range l.leases {
		at[l.leases[i].Token] = lines[i]
	}
	for i := range l.renewals {
		r := &l.renewals[i]
		if line, found := at[r.Token]; found && p.Span.contains(r.At.Instant) {
			p.use("renewal")
			fmt.Fprintf(&p.body, `<path class="tick" d="M%d %dl-4 -5h8z"><title>%s</title></path>`+"\n", p.x(r.At.Instant), p.y+line*(barHeight+3)+5,
				visible.XML(fmt.Sprintf("%s renews at %d (event %d): until %d, not %d (R2)", tooltipName(r.Client), r.At.Instant, r.At.Sequence, r.ExpiresAt, r.Before)))
		}
	}
}

// leaseCounts draws when a lock was held, and as a histogram how many leases began
// in each pixel: each doubling is as high as the last.
func (p *picture) leaseCounts(l *lane) {
	const height = 34
	most := 0
	for _, c := range l.cells {
		most = max(most, c.began)
	}
	fmt.Fprintf(&p.body, `<g><title>%s</title>`, visible.XML(fmt.Sprintf("%d leases: too many to draw each; at most %d began in a pixel", l.Leases, most)))
	p.runs("held", height-4, 4, func(c *cell) int { return min(c.held, 1) }, l)
	p.runs("many", 0, height-4, func(c *cell) int { return scaled(c.began, most, height-4) }, l)
	p.body.WriteString("</g>\n")
	p.y += height + 12
	p.words("small", border, p.y, fmt.Sprintf("leases that began: at most %d in a pixel; grey: held", most))
	p.y += 6
	if l.Renewals > 0 {
		p.use("renewals missing")
	}
}

// scaled is the height of a count of at most most, in pixels: by its logarithm.
func scaled(n, most, height int) int {
	if n == 0 {
		return 0
	}
	return max(bits.Len(uint(n))*height/bits.Len(uint(most)), 2)
}

// runs draws what the cells say as one path: a box for each run of one height, on
// a ground line height pixels below an upper edge.
func (p *picture) runs(class string, top, height int, value func(*cell) int, l *lane) {
	var d strings.Builder
	ground := p.y + top + height
	for at := 0; at < len(l.cells); {
		end, v := at+1, value(&l.cells[at])
		for end < len(l.cells) && value(&l.cells[end]) == v {
			end++
		}
		if v > 0 {
			high := v
			if class == "held" {
				high = height
			}
			fmt.Fprintf(&d, "M%d %dv-%dh%dv%[3]dz", border+at, ground, high, end-at)
		}
		at = end
	}
	fmt.Fprintf(&p.body, `<path class="%s" d="%s"/>`, class, d.String())
}
