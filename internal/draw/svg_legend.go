package draw

import (
	"fmt"

	"github.com/leasekeeper/leasekeeper/internal/visible"
)

// legend explains what was drawn, and nothing else.
func (p *picture) legend() {
	x := border
	for _, entry := range []struct{ what, shape, text string }{
		{"lapse", `<path class="bar c0" d="M0 -5h18v10h-18z"/><path class="end lapse" d="M18 -5v10"/>`, "lease that lapsed"},
		{"shared", `<path class="bar c0 shared" d="M0 -5h18v10h-18z"/>`, "shared lease"},
		{"release", `<path class="bar c0" d="M0 -5h13q5 0 5 5t-5 5h-13z"/>`, "released"},
		{"abort", `<path class="mark abort" d="M5 -4l8 8m-8 0 8-8"/>`, "aborted to break a deadlock"},
		{"cut", `<path class="bar c0" d="M0 0l5 -5h8l5 5-5 5h-8z"/>`, "goes on beyond the picture"},
		{"renewal", `<path class="tick" d="M9 3l-5 -6h10z"/>`, "renewal"},
		{"wait", `<path class="wait c3" d="M0 0h18"/>`, "waits"},
		{"got", `<path class="got" marker-end="url(#up)" d="M9 6V-4"/>`, "and gets its lease"},
		{"withdrawn", `<path class="wait c3" d="M0 0h14"/><path class="end lapse" d="M15 -5v10"/>`, "withdraws"},
		{"accepted", `<circle class="accepted" cx="9" r="3.5"/>`, "write accepted"},
		{"late", `<path class="late" d="M9 -5.5l5.5 5.5-5.5 5.5-5.5-5.5z"/>`, "write accepted though its token is of no lease in force"},
		{"refused", `<path class="mark refused" d="M5 -4l8 8m-8 0 8-8"/>`, "write refused"},
		{"outside", "", "writes whose clock had gone back to before the picture are only counted"},
		{"renewals missing", "", "renewals are not shown where there are too many"},
	} {
		if !p.used[entry.what] {
			continue
		}
		indent := 24
		if entry.shape == "" {
			indent = 0
		}
		width := pixels(entry.text) + indent + 14
		if x > border && x+width > pictureWidth-border {
			x, p.y = border, p.y+20
		}
		fmt.Fprintf(&p.body, `<g transform="translate(%d %d)">%s<text class="small" x="%d" y="4">%s</text></g>`+"\n", x, p.y, entry.shape, indent, visible.XML(entry.text))
		x += width
	}
	p.words("small", border, p.y+24, "#n is fencing token n. Colours tell clients apart. Point at something to read more.")
	p.y += 24
}
