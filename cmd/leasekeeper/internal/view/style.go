package view

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/leasekeeper/leasekeeper/events"
)

// style paints texts. Colours are from the terminal's own sixteen, so that
// they suit its background, and nothing is told by colour alone.
type style struct {
	title, dim, good, refusal, alarm, grant, end func(string) string
}

// newStyle returns a style for what a terminal can show, or one that paints
// nothing.
func newStyle(terminal *lipgloss.Renderer, painting bool) style {
	if !painting {
		return style{plain, plain, plain, plain, plain, plain, plain}
	}
	paint := func(s lipgloss.Style) func(string) string {
		return func(text string) string { return s.Render(text) }
	}
	colour := func(number string) lipgloss.Style {
		return terminal.NewStyle().Foreground(lipgloss.Color(number))
	}
	return style{
		title:   paint(terminal.NewStyle().Bold(true)),
		dim:     paint(terminal.NewStyle().Faint(true)),
		good:    paint(colour("2")),
		refusal: paint(colour("3")),
		alarm:   paint(colour("1").Bold(true)),
		grant:   paint(colour("6")),
		end:     paint(colour("5")),
	}
}

// effect is how an effect of a kind is painted: what begins, what ends, and
// the rest.
func (s style) effect(kind events.EffectKind) func(string) string {
	switch kind {
	case events.EffectGranted, events.EffectRenewed:
		return s.grant
	case events.EffectExpired, events.EffectAborted, events.EffectReleased, events.EffectWithdrawn:
		return s.end
	case events.EffectRefused:
		return s.refusal
	}
	return s.dim
}
