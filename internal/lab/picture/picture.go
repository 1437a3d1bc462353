package picture

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/leasekeeper/leasekeeper/internal/lab"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// The measures of a picture, in pixels.
const (
	width   = 800
	left    = 70.0  // to the left of the panels
	right   = 770.0 // where they end
	top     = 106.0 // above the first of them
	height  = 270.0 // of one
	between = 76.0  // from one to the next
	bottom  = 64.0
)

// colours are those of the series, also apart for who sees no red or green.
var colours = []string{"#1f5fbf", "#c2571a"}

// SVG draws a plot.
func SVG(p *lab.Plot) []byte {
	panels := float64(len(p.Panels))
	d := &drawing{total: top + panels*height + (panels-1)*between + bottom}
	d.open(p)
	for i, panel := range p.Panels {
		f := frame{x: p.X, y: panel.Y, top: top + float64(i)*(height+between)}
		d.grid(f)
		for n, series := range panel.Series {
			d.curve(f, series, colours[n%len(colours)])
		}
		for n, series := range panel.Series {
			d.points(f, series, colours[n%len(colours)], n)
		}
	}
	d.text(right, d.total-14, "end", "axis", p.X.Label())
	d.add("</svg>\n")
	return d.Bytes()
}

// drawing is a picture as far as it has been drawn.
type drawing struct {
	bytes.Buffer
	total float64 // height
}

func (d *drawing) add(format string, arguments ...any) { fmt.Fprintf(d, format, arguments...) }

// open draws what surrounds the panels.
func (d *drawing) open(p *lab.Plot) {
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %[1]d %[2]g" role="img">`+"\n", width, d.total)
	d.add("<title>%s</title>\n", visible.XML(p.Title))
	d.add("<desc>%s</desc>\n", visible.XML(describe(p)))
	d.add("<style>\n%s</style>\n", style)
	d.add(`<rect width="%d" height="%.0f" fill="#ffffff"/>`+"\n", width, d.total)
	d.text(24, 34, "start", "title", p.Title)
	x := 24.0
	for i, name := range legend(p) {
		colour := colours[i%len(colours)]
		d.add(`<circle cx="%.1f" cy="55" r="4.5" fill="%s"/>`+"\n", x+5, colour)
		d.text(x+16, 59, "start", "note", name)
		x += 36 + 6.6*float64(len([]rune(name)))
	}
	d.add(`<path d="M%.1f 55h22" class="curve" stroke="#555555"/>`+"\n", x)
	d.text(x+28, 59, "start", "note", "expected")
	x += 28 + 6.6*8 + 22
	d.add(`<rect x="%.1f" y="48" width="22" height="14" fill="#555555" opacity="0.18"/>`+"\n", x)
	d.text(x+28, 59, "start", "note", "99 % of runs")
}

const style = `text { font-family: system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #222222; }
.title { font-size: 18px; font-weight: 600; }
.axis { font-size: 13px; }
.tick, .note { font-size: 12px; fill: #444444; }
.value { font-size: 12px; font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.line { stroke: #d5d8dc; stroke-width: 1; }
.fine { stroke: #eceef0; stroke-width: 1; }
.curve { fill: none; stroke-width: 1.6; stroke-dasharray: 5 4; }
`

// legend names the series; where each panel has one, it is what was measured.
func legend(p *lab.Plot) (names []string) {
	if len(p.Panels[0].Series) == 1 {
		return []string{"measured"}
	}
	for _, s := range p.Panels[0].Series {
		names = append(names, s.Name)
	}
	return names
}

// grid draws the axes of a panel.
func (d *drawing) grid(f frame) {
	d.text(left, f.top-12, "start", "axis", f.y.Label())
	for _, v := range f.x.Ticks {
		x := f.atX(v)
		d.line("line", x, f.top, x, f.top+height)
		d.text(x, f.top+height+18, "middle", "tick", number(v))
	}
	for _, v := range finer(f.y) {
		d.line("fine", left, f.atY(v), right, f.atY(v))
	}
	for _, v := range f.y.Ticks {
		d.line("line", left, f.atY(v), right, f.atY(v))
		d.text(left-8, f.atY(v)+4, "end", "tick", number(v))
	}
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#8a9099"/>`+"\n", left, f.top, right-left, height)
}

// curve draws what is expected of a series, with its band.
func (d *drawing) curve(f frame, s lab.Series, colour string) {
	var upper, lower, middle []string
	for i, p := range s.Curve {
		upper = append(upper, f.at(p.X, p.High))
		middle = append(middle, f.at(p.X, p.Y))
		lower = append(lower, f.at(s.Curve[len(s.Curve)-1-i].X, s.Curve[len(s.Curve)-1-i].Low))
	}
	if len(middle) == 0 {
		return
	}
	d.add(`<polygon points="%s %s" fill="%s" opacity="0.16"/>`+"\n", strings.Join(upper, " "), strings.Join(lower, " "), colour)
	d.add(`<polyline points="%s" class="curve" stroke="%s"/>`+"\n", strings.Join(middle, " "), colour)
}

// points draws what was measured: the values of the first series stand below
// their points, those of the second above.
func (d *drawing) points(f frame, s lab.Series, colour string, n int) {
	for _, p := range s.Points {
		x, y := f.atX(p.X), f.atY(p.Y)
		d.add(`<circle cx="%.1f" cy="%.1f" r="4.5" fill="%s" stroke="#ffffff" stroke-width="1.2"/>`+"\n", x, y, colour)
		down, side, anchor := 18.0, 8.0, "start"
		if n > 0 {
			down, side, anchor = -10, -8, "end"
		}
		if x+side+70 > right { // there is no room to the right
			side, anchor = -8, "end"
		}
		if y+down > f.top+height-4 {
			down = -8
		}
		value := strconv.FormatFloat(p.Y, 'f', f.y.Digits, 64) + " " + f.y.Unit
		d.add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="value" style="fill:%s">%s</text>`+"\n", x+side, y+down, anchor, colour, visible.XML(value))
	}
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>`+"\n", x1, y1, x2, y2, class)
}

func (d *drawing) text(x, y float64, anchor, class, text string) {
	d.add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`+"\n", x, y, anchor, class, visible.XML(text))
}
