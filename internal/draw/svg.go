package draw

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Measures of the picture, in pixels.
const (
	pictureWidth = 1200
	border       = 20
	barHeight    = 22
	waitHeight   = 17
	laneGap      = 18
	columnPixels = 6.7 // a column of the labels' font
)

// SVGCells is how many cells a Plan for a picture has: a pixel each.
const SVGCells = pictureWidth - 2*border

// MostSVGRows is how many rows of each kind a Plan for a picture keeps of a lane.
const MostSVGRows = 2000

// picture draws a Board as SVG.
type picture struct {
	*Board
	body bytes.Buffer
	axis axis
	y    int // where the next thing is drawn
	used map[string]bool
}

// WriteSVG writes the board as a picture, with a lane for each lock. The board's
// plan has to have SVGCells. Names are escaped and cut, their whole text is in the
// tooltips. The picture needs nothing but itself, and follows the reader's choice
// of light or dark. The error is the writer's.
func (b *Board) WriteSVG(w io.Writer) error {
	p := picture{Board: b, used: map[string]bool{}}
	p.axis = newAxis(b.Span, b.Rules.Unit, b.Cells/95)
	p.y = border + 14
	p.words("title", border, p.y, cutLabel(visible.Text(b.Title), (pictureWidth-2*border)/9))
	p.y += 20
	p.words("small", border, p.y, strings.Join(p.axis.caption(b.Span, b.Rules.Unit, b.Cells, "pixel"), " · "))
	if c := &b.Choice; c.Others > 0 {
		p.y += 18
		p.words("small alarm", border, p.y, fmt.Sprintf("NOT SHOWN: %s with %s. Shown are the busiest; --most N shows more, --lock LOCK others.",
			count(c.Others, "more lock", "more locks"), c.Missing.about()))
	}
	p.y += 30
	top := p.y
	p.labels(top - 8)
	for _, l := range b.lanesInOrder() {
		p.lane(l)
	}
	bottom := p.y
	p.labels(bottom + 16)
	p.y += 40
	p.legend()
	var head bytes.Buffer
	p.head(&head, top, bottom)
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	p.body.WriteString("</svg>\n")
	_, err := w.Write(p.body.Bytes())
	return err
}

// head begins the picture: its size, its style, and what lies below the lanes.
func (p *picture) head(head *bytes.Buffer, top, bottom int) {
	height := p.y + border
	fmt.Fprintf(head, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", pictureWidth, height)
	fmt.Fprintf(head, "<title>%s</title>\n<style>%s</style>\n", visible.XML(visible.Text(p.Title)), svgStyle())
	head.WriteString(`<marker id="up" viewBox="0 0 8 8" refX="4" refY="1" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse"><path class="tip" d="M4 0 8 8H0z"/></marker>` + "\n")
	fmt.Fprintf(head, `<rect class="paper" width="%d" height="%d"/>`+"\n", pictureWidth, height)
	for _, t := range p.axis.ticks {
		fmt.Fprintf(head, `<path class="grid" d="M%d.5 %dV%d"/>`+"\n", p.x(t.at), top-4, bottom+4)
	}
}

// x is where an instant lies.
func (p *picture) x(ts int64) int { return border + p.Span.cell(ts, p.Cells) }

// labels writes the instants of the axis.
func (p *picture) labels(y int) {
	next := 0
	for _, t := range p.axis.ticks {
		x := p.x(t.at)
		if x >= next {
			p.words("small", x, y, t.label)
			next = x + pixels(t.label) + 8
		}
	}
}

// lane draws a lock: its name, its leases, who waited, and what was written.
func (p *picture) lane(l *lane) {
	fmt.Fprintf(&p.body, `<path class="rule" d="M%d %d.5H%d"/>`+"\n", border, p.y, pictureWidth-border)
	p.y += 18
	name := visible.Name(l.lock)
	shown := cutLabel(name, 70)
	fmt.Fprintf(&p.body, `<text class="lock" x="%d" y="%d"><title>%s</title>%s<tspan class="small" dx="10">%s</tspan></text>`+"\n",
		border, p.y, visible.XML(cutLabel(name, 1000)), visible.XML(shown), visible.XML(l.about()))
	p.y += 8
	bars := p.leasesOf(l)
	p.waitsOf(l, bars)
	p.writesOf(l)
	p.y += laneGap - 8
}

// words writes a text.
func (p *picture) words(class string, x, y int, text string) {
	fmt.Fprintf(&p.body, `<text class="%s" x="%d" y="%d">%s</text>`+"\n", class, x, y, visible.XML(text))
}

// inside writes a text that is cut off at the ends of a box.
func (p *picture) inside(class string, x, y, width, height int, text string) {
	fmt.Fprintf(&p.body, `<svg x="%d" y="%d" width="%d" height="%d"><text class="%s" x="0" y="%d">%s</text></svg>`,
		x, y, width, height, class, height*7/10, visible.XML(text))
}

// pixels is about how wide a label is.
func pixels(label string) int { return int(float64(columns(label))*columnPixels) + 1 }

// fitting is a label that is about so many pixels wide at most.
func fitting(label string, width int) string {
	return cutLabel(label, int(float64(width)/columnPixels))
}

// tooltipName is a name as tooltips have it: as good as whole, but a stranger's
// name does not decide how large a picture is.
func tooltipName(text string) string { return cutLabel(visible.Name(text), 200) }

func cutLabel(text string, most int) string { return shortened(text, max(most, 0), "…") }
