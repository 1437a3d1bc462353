package waitgraph

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// Measures of the picture, in pixels.
const (
	nodeWidth, nodeHeight = 150, 40
	columnWidth           = nodeWidth + 150
	rowHeight             = 64
	margin                = 24
	headHeight            = 64
	nodeCells, labelCells = 18, 20 // characters that have room
)

// MostDrawn is how many clients a picture shows.
const MostDrawn = 300

// WriteSVG draws the graph: who waits to the left of those whom it waits for.
// Of a graph with more than MostDrawn clients it draws a Part, and says in the
// picture how much is missing. Names are escaped and cut, their whole text is in
// the tooltip. The picture is the same for the same graph.
func (g *Graph) WriteSVG(w io.Writer, title string) error {
	part := g.Part(MostDrawn)
	d := drawing{out: bufio.NewWriter(w), part: part, l: arrange(part.Graph)}
	d.size()
	d.head(title)
	for i := range part.Edges {
		d.edge(i)
	}
	for at := range part.Nodes {
		d.node(at)
	}
	for i := range part.Edges {
		d.label(i)
	}
	fmt.Fprint(d.out, "</svg>\n")
	return d.out.Flush()
}

type drawing struct {
	out           *bufio.Writer
	part          Part
	l             *layout
	rows          int
	width, height int
}

func (d *drawing) size() {
	for i := range d.l.slots {
		d.rows = max(d.rows, d.l.slots[i].y+1)
	}
	d.width = max(2*margin+len(d.l.layers)*columnWidth-(columnWidth-nodeWidth), 640)
	d.height = headHeight + margin + max(d.rows, 1)*rowHeight
}

// style is told by shape as well as by colour: victims are dashed, and what lies
// on a cycle is thick.
const style = `
text{font:12px system-ui,sans-serif;fill:#1f2328}
.title{font-size:15px;font-weight:600}.small{font-size:11px;fill:#57606a}
.node rect{fill:#f6f8fa;stroke:#57606a}.cycle rect{stroke:#bc4c00;stroke-width:2.5;fill:#fff8f2}
.victim rect{stroke:#cf222e;stroke-width:2.5;stroke-dasharray:6 3;fill:#ffebe9}
.edge{fill:none;stroke:#8c959f;stroke-width:1.2}.edge.cycle{stroke:#bc4c00;stroke-width:2.2}
.label{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:4px;text-anchor:middle}
`

func (d *drawing) head(title string) {
	fmt.Fprintf(d.out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", d.width, d.height)
	fmt.Fprintf(d.out, "<title>%s</title>\n<style>%s</style>\n", visible.XML(title), style)
	for _, kind := range []struct{ id, colour string }{{"arrow", "#8c959f"}, {"alarm", "#bc4c00"}} {
		fmt.Fprintf(d.out, `<marker id="%s" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 1 10 5 0 9z" fill="%s"/></marker>`+"\n", kind.id, kind.colour)
	}
	fmt.Fprintf(d.out, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", d.width, d.height)
	fmt.Fprintf(d.out, `<text class="title" x="%d" y="26">%s</text>`+"\n", margin, visible.XML(cut(visible.Text(title), d.width/9)))
	fmt.Fprintf(d.out, `<text class="small" x="%d" y="46">%s</text>`+"\n", margin, visible.XML(d.summary()))
}

// summary says what is drawn and what is not.
func (d *drawing) summary() string {
	text := fmt.Sprintf("%d clients, %d edges drawn of %d by R16: to the one directly ahead, and from the head of a queue to the holders.",
		len(d.part.Nodes), len(d.part.Edges), d.part.All)
	if len(d.part.Nodes) == 0 {
		text = "Nobody waits."
	}
	if d.part.MissingNodes > 0 {
		text += fmt.Sprintf(" NOT DRAWN: %d more clients.", d.part.MissingNodes)
	}
	return text
}

// corner is the upper left corner of a slot.
func (d *drawing) corner(at int) (x, y int) {
	s := &d.l.slots[at]
	x = margin + (len(d.l.layers)-1-s.layer)*columnWidth
	return x, headHeight + s.y*rowHeight
}

func (d *drawing) node(at int) {
	n := &d.part.Nodes[at]
	x, y := d.corner(at)
	class := "node"
	switch {
	case n.Victim > 0:
		class += " victim"
	case n.OnCycle:
		class += " cycle"
	}
	fmt.Fprintf(d.out, `<g class="%s"><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="5"/>`,
		class, visible.XML(cut(visible.Name(n.Client), 1000)), x, y, nodeWidth, nodeHeight)
	fmt.Fprintf(d.out, `<text x="%d" y="%d">%s</text><text class="small" x="%[1]d" y="%[4]d">%[5]s</text></g>`+"\n",
		x+10, y+17, visible.XML(cut(visible.Name(n.Client), nodeCells)), y+32, visible.XML(n.about()))
}

// edge draws an edge through its slots: out of the right side of a client, into
// the left side of the next. One that closes a cycle runs below.
func (d *drawing) edge(i int) {
	e, way := &d.part.Edges[i], d.l.routes[i]
	class, marker := "edge", "arrow"
	if e.OnCycle {
		class, marker = "edge cycle", "alarm"
	}
	var path strings.Builder
	x, y := d.corner(way[0])
	if d.l.back[i] {
		tx, ty := d.corner(way[len(way)-1])
		x, y, tx, ty = x+nodeWidth/2, y+nodeHeight, tx+nodeWidth/2, ty+nodeHeight
		low := max(y, ty) + 22
		fmt.Fprintf(&path, "M%d %dC%d %d %d %d %d %d", x, y, x, low, tx, low, tx, ty)
	} else {
		x, y = x+nodeWidth, y+nodeHeight/2
		fmt.Fprintf(&path, "M%d %d", x, y)
		for _, at := range way[1:] {
			tx, ty := d.corner(at)
			ty += nodeHeight / 2
			middle := (x + tx) / 2
			fmt.Fprintf(&path, "C%d %d %d %d %d %d", middle, y, middle, ty, tx, ty)
			x, y = tx, ty
			if d.l.slots[at].node < 0 {
				x += nodeWidth
				fmt.Fprintf(&path, "L%d %d", x, y)
			}
		}
	}
	fmt.Fprintf(d.out, `<path class="%s" d="%s" marker-end="url(#%s)"><title>%s</title></path>`+"\n",
		class, path.String(), marker, visible.XML(cut(e.Sentence(), 2000)))
}

// label writes an edge's lock where it leaves the one who waits.
func (d *drawing) label(i int) {
	way := d.l.routes[i]
	x, y := d.corner(way[0])
	tx, ty := d.corner(way[1])
	lx, ly := (x+nodeWidth+tx)/2, (y+ty+nodeHeight)/2-5
	if d.l.back[i] {
		tx, ty = d.corner(way[len(way)-1])
		lx, ly = (x+tx+nodeWidth)/2, max(y, ty)+nodeHeight+18
	}
	fmt.Fprintf(d.out, `<text class="label" x="%d" y="%d">%s</text>`+"\n", lx, ly, visible.XML(cut(d.part.Edges[i].label(), labelCells)))
}

// cut takes the middle out of a text that is too long: names often differ at
// their ends.
func cut(text string, most int) string {
	width := ansi.StringWidth(text)
	if width <= most {
		return text
	}
	tail := most / 3
	return ansi.Truncate(text, most-1-tail, "") + "…" + ansi.Cut(text, width-tail, width)
}
