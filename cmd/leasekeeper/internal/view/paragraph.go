package view

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Paragraph prints a sentence behind a mark, over several indented lines where
// it is longer than a terminal is wide; 0 is no terminal.
func (r *Report) Paragraph(mark, sentence string, width int) {
	lines := []string{Visible(sentence)}
	indent := ansi.StringWidth(mark)
	if width > 2*indent {
		lines = wrap(lines[0], width-indent)
	}
	for _, line := range lines {
		r.print(r.style.dim(mark) + line)
		mark = strings.Repeat(" ", indent)
	}
}
