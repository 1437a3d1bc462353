package draw

import (
	"fmt"
	"strings"
)

// hues are the colours of clients: their bars' inside and edge, in light and dark.
var hues = [8][4]string{
	{"#ddeeff", "#0969da", "#12335c", "#58a6ff"},
	{"#f3e8ff", "#8250df", "#3a2a5c", "#bc8cff"},
	{"#d9f5ee", "#0b7f6b", "#0f3d36", "#3fc9ae"},
	{"#fff0d6", "#b06000", "#4a3410", "#e3a14a"},
	{"#ffe3ef", "#bf3989", "#4d2039", "#f778ba"},
	{"#e6f4d4", "#4d7c0f", "#2c3f12", "#9ac94a"},
	{"#e2e6fb", "#4250c4", "#272d5c", "#8f9bf5"},
	{"#f0e9e1", "#7d5a3a", "#40332a", "#c9a27c"},
}

// common is the style that light and dark share. What differs by colour differs
// by shape as well.
const common = `
text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif}
.title{font-size:16px;font-weight:600}.small{font-size:11px;font-weight:400}.lock{font-size:13px;font-weight:600}
.name{font:11px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
.bar{stroke-width:1.2}.shared{stroke-dasharray:5 3}.wait{fill:none;stroke-width:2;stroke-dasharray:2 3}.got{fill:none;stroke-width:1.2}
.halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}
.mark{fill:none;stroke-width:2.2;stroke-linecap:round}.end{fill:none;stroke-width:3}
.queue,.many{fill-opacity:.7}
.grid,.rule{fill:none;stroke-width:1}
`

// paint is a rule of the style in light, and in dark.
var paints = [][3]string{
	{".paper", "fill:#ffffff", "fill:#0d1117"},
	{"text", "fill:#1f2328", "fill:#e6edf3"},
	{".small", "fill:#59636e", "fill:#9198a1"},
	{".alarm", "fill:#cf222e", "fill:#ff7b72"},
	{".grid", "stroke:#eceff2", "stroke:#1f262e"},
	{".rule", "stroke:#d1d9e0", "stroke:#3d444d"},
	{".halo", "stroke:#ffffff", "stroke:#0d1117"},
	{".got", "stroke:#59636e", "stroke:#9198a1"},
	{".tip", "fill:#59636e", "fill:#9198a1"},
	{".tick", "fill:#1a7f37", "fill:#3fb950"},
	{".accepted", "fill:#1a7f37", "fill:#3fb950"},
	{".late", "fill:#bc4c00", "fill:#f0883e"},
	{".refused", "stroke:#cf222e", "stroke:#ff7b72"},
	{".abort", "stroke:#cf222e", "stroke:#ff7b72"},
	{".lapse", "stroke:#59636e", "stroke:#9198a1"},
	{".rejected,.aborts", "fill:#cf222e", "fill:#ff7b72"},
	{".held", "fill:#d1d9e0", "fill:#2a313a"},
	{".many", "fill:#0969da", "fill:#58a6ff"},
	{".queue", "fill:#b06000", "fill:#e3a14a"},
}

// svgStyle is the style sheet.
func svgStyle() string {
	var b strings.Builder
	b.WriteString(common)
	for _, p := range paints {
		fmt.Fprintf(&b, "%s{%s}", p[0], p[1])
	}
	for i, h := range hues {
		fmt.Fprintf(&b, ".bar.c%d{fill:%s;stroke:%s}.wait.c%[1]d{stroke:%[3]s}", i, h[0], h[1])
	}
	b.WriteString("\n@media (prefers-color-scheme:dark){")
	for _, p := range paints {
		fmt.Fprintf(&b, "%s{%s}", p[0], p[2])
	}
	for i, h := range hues {
		fmt.Fprintf(&b, ".bar.c%d{fill:%s;stroke:%s}.wait.c%[1]d{stroke:%[3]s}", i, h[2], h[3])
	}
	b.WriteString("}\n")
	return b.String()
}
