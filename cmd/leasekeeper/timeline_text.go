package main

import (
	"bufio"
	"errors"
	"os"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/leasekeeper/leasekeeper/internal/draw"
)

// text prints a drawing in characters.
func (f *timelineFlags) text(history *retold, out *bufio.Writer) error {
	width := int(f.width)
	if width == 0 {
		width = screenWidth()
	}
	if width == 0 {
		width = 100
	}
	board, err := f.board(history, draw.TextCells(width), draw.MostTextRows)
	if errors.Is(err, errNothing) { // which is an answer, where no file was asked for
		r := newReport(out)
		r.Title(history.title)
		r.Paragraph("", "Nobody"+strings.TrimPrefix(errNothing.Error(), "nobody")+".", width)
		return nil
	}
	if err != nil {
		return err
	}
	options := draw.TextOptions{ASCII: f.ascii, Palette: palette()}
	return outputError(board.WriteText(out, options))
}

// palette is the colours of the terminal's own sixteen, if there is a terminal.
func palette() draw.Palette {
	if !isTerminal(os.Stdout) {
		return draw.Palette{}
	}
	terminal := lipgloss.NewRenderer(os.Stdout)
	paint := func(s lipgloss.Style) func(string) string {
		return func(text string) string { return s.Render(text) }
	}
	colour := func(number string) func(string) string {
		return paint(terminal.NewStyle().Foreground(lipgloss.Color(number)))
	}
	p := draw.Palette{
		Title: paint(terminal.NewStyle().Bold(true)), Dim: paint(terminal.NewStyle().Faint(true)),
		Good: colour("2"), Alarm: paint(terminal.NewStyle().Bold(true).Foreground(lipgloss.Color("1"))),
	}
	for _, number := range []string{"6", "5", "4", "3", "14", "13", "12", "11"} {
		p.Clients = append(p.Clients, colour(number))
	}
	return p
}
