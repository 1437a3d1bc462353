package draw

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/internal/visible"
	"github.com/leasekeeper/leasekeeper/projection"
)

func columns(text string) int { return ansi.StringWidth(text) }

func (p *picture) use(what string) { p.used[what] = true }

// waitsOf draws the requests that waited: each as a dotted line that leads to the
// lease that it got, or if there are too many, how many there were.
func (p *picture) waitsOf(l *lane, bars map[int64]int) {
	if l.Waits == 0 {
		return
	}
	extents := make([][2]int, len(l.waits))
	for i := range l.waits {
		from, to := l.extent(l.waits[i].Began, l.waits[i].Ended)
		if width := pixels(waitLabel(&l.waits[i])); width+12 > to-from && to+width+8 <= p.Cells {
			to += width + 8 // the name stands behind it
		}
		extents[i] = [2]int{from, to + 6}
	}
	lines, n := packCells(extents)
	if !l.exactWaits() || n > mostBars {
		p.waitCounts(l)
		return
	}
	for i := range l.waits {
		w := &l.waits[i]
		if bar, found := bars[w.Token]; found && w.Ending == projection.WasGranted && p.Span.contains(w.Ended.Instant) {
			fmt.Fprintf(&p.body, `<path class="got" marker-end="url(#up)" d="M%d.5 %dV%d"/>`+"\n", p.x(w.Ended.Instant), p.y+lines[i]*waitHeight+waitHeight/2, bar+2)
			p.use("got")
		}
	}
	for i := range l.waits {
		p.wait(l, &l.waits[i], p.y+lines[i]*waitHeight)
	}
	p.y += n*waitHeight + 2
}

// waitLabel is whose request it is.
func waitLabel(w *projection.Wait) string { return cutLabel(visible.Name(w.Client), 40) }

func (p *picture) wait(l *lane, w *projection.Wait, y int) {
	p.use("wait")
	from, to := l.extent(w.Began, w.Ended)
	x, end, middle := border+from, border+to, y+waitHeight/2
	fmt.Fprintf(&p.body, `<g><title>%s</title><path class="wait c%d" d="M%d %dH%d"/>`, visible.XML(waitWords(w)), colourOf(w.Client, len(hues)), x, middle, end)
	switch {
	case w.Ending == projection.StillWaiting || w.Ended.Instant >= p.Span.To:
		fmt.Fprintf(&p.body, `<path class="tip" d="M%d %dl-6 -4v8z"/>`, end, middle)
		p.use("cut")
	case w.Ending == projection.WasAborted:
		fmt.Fprintf(&p.body, `<path class="mark abort" d="M%d %dl8 8m-8 0 8-8"/>`, end-4, middle-4)
		p.use("abort")
	case w.Ending == projection.WasWithdrawn:
		fmt.Fprintf(&p.body, `<path class="end lapse" d="M%d %dv10"/>`, end, middle-5)
		p.use("withdrawn")
	}
	if w.Began.Earlier() || w.Began.Instant < p.Span.From {
		fmt.Fprintf(&p.body, `<path class="tip" d="M%d %dl6 -4v8z"/>`, x, middle)
		p.use("cut")
	}
	label := waitLabel(w)
	width := pixels(label)
	switch {
	case width+12 <= to-from:
		p.words("name halo", x+8, middle+4, label)
	case to+width+8 <= p.Cells:
		p.words("name halo", end+7, middle+4, label)
	case to-from > 30:
		p.words("name halo", x+8, middle+4, fitting(label, to-from-14))
	}
	p.body.WriteString("</g>\n")
}

// waitWords is what the tooltip of a request says.
func waitWords(w *projection.Wait) string {
	text := fmt.Sprintf("%s waits for %s, %s", tooltipName(w.Client), tooltipName(w.Lock), w.Mode)
	if w.Began.Earlier() {
		text += fmt.Sprintf("\nsince before event %d, at place %d", w.Began.Sequence+1, w.Position)
	} else {
		text += fmt.Sprintf("\nfrom %d (event %d), at place %d (R4)", w.Began.Instant, w.Began.Sequence, w.Position)
	}
	if !w.Ended.Happened() {
		return text + "\nstill waiting"
	}
	text += fmt.Sprintf("\nto %d (event %d): ", w.Ended.Instant, w.Ended.Sequence)
	switch w.Ending {
	case projection.WasGranted:
		return text + fmt.Sprintf("granted, token %d (R11)", w.Token)
	case projection.WasAborted:
		return text + "aborted to break a deadlock (R19)"
	}
	return text + "withdrawn (R13)"
}

// waitCounts draws how many requests there were in each pixel.
func (p *picture) waitCounts(l *lane) {
	const height = 30
	most := 0
	for _, c := range l.cells {
		most = max(most, c.waiting)
	}
	fmt.Fprintf(&p.body, `<g><title>%s</title>`, visible.XML(fmt.Sprintf("%d waits: too many to draw each; at most %d requests in a pixel", l.Waits, most)))
	p.runs("queue", 0, height, func(c *cell) int { return scaled(c.waiting, most, height) }, l)
	p.body.WriteString("</g>\n")
	p.y += height + 12
	p.words("small", border, p.y, fmt.Sprintf("requests that waited: at most %d in a pixel", most))
	p.y += 6
}
