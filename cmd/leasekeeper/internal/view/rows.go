package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/events"
)

// grow makes the columns as wide as a step needs them. What comes to their right
// is fitted into the rest.
func (t *Table) grow(s *Step, at int64) {
	width := func(instant int64) int { return len(strconv.FormatInt(instant, 10)) }
	t.instant = max(t.instant, width(at))
	for _, e := range s.Result.Effects {
		t.instant = max(t.instant, width(e.Instant))
	}
	t.number = max(t.number, len(strconv.FormatUint(s.Result.Sequence, 10)))
}

// describe words something so that it fits into so many lines. If it cannot be
// made to fit into one, it gets more.
func (t *Table) describe(lines int, words func(most int) string) string {
	if t.width == 0 {
		return words(whole)
	}
	room := t.width - t.margin()
	if lines == 1 {
		if text, fits := fit(room, words); fits {
			return text
		}
		lines = answering
	}
	text, _ := fit(lines*(room-indented), words)
	return text
}

// row prints an operation and its answer: side by side in their columns, else
// side by side, else one below the other.
func (t *Table) row(mark, instant, number, operation, answer string, paint func(string) string) {
	left := t.left(mark, instant, number)
	gap := max(t.operation-ansi.StringWidth(operation), 0) + 2
	room := t.width - t.margin() - ansi.StringWidth(answer)
	if t.width == 0 || room >= ansi.StringWidth(operation)+gap {
		t.line(left + operation + strings.Repeat(" ", gap) + paint(answer))
		return
	}
	t.block(left, operation, plain)
	indent := indented
	if room >= t.operation+2 {
		indent = t.operation + 2
	}
	t.paragraph(indent+t.margin(), answer, paint)
}

// left is what stands to the left of an operation or an effect.
func (t *Table) left(mark, instant, number string) string {
	return fmt.Sprintf("%s %*s %s  ", mark, t.instant, instant, t.style.dim(fmt.Sprintf("%*s", t.number, number)))
}

// block prints a text, over several indented lines if it has to be.
func (t *Table) block(left, text string, paint func(string) string) {
	lines := []string{text}
	if t.width > 0 && ansi.StringWidth(text) > t.width-t.margin() {
		lines = wrap(text, t.width-t.margin()-indented)
	}
	for _, line := range lines {
		t.line(left + paint(line))
		left = strings.Repeat(" ", t.margin()+indented)
	}
}

// paragraph prints a text behind an indentation, in as many lines as it takes.
func (t *Table) paragraph(indent int, text string, paint func(string) string) {
	lines := []string{text}
	if t.width > 0 {
		lines = wrap(text, t.width-indent)
	}
	for _, line := range lines {
		t.line(strings.Repeat(" ", indent) + paint(line))
	}
}

// difference prints one of two answers that differ, complete: over several
// lines in a terminal if it has to be.
func (t *Table) difference(paint func(string) string, label string, answer []byte) {
	indent := strings.Repeat(" ", t.margin())
	label = fmt.Sprintf("%-14s", label)
	text := jsonText(answer)
	if t.width > 0 {
		text = ansi.Hardwrap(text, t.width-t.margin()-len(label), true)
	}
	for line := range strings.SplitSeq(text, "\n") {
		t.line(indent + paint(label) + line)
		label = strings.Repeat(" ", len(label))
	}
}

// effects prints effects, the first of them and a count if there are many.
func (t *Table) effects(effects []events.Effect) {
	shown := len(effects)
	if shown > mostLines {
		shown = mostLines - 1
	}
	for _, e := range effects[:shown] {
		t.effect(strconv.FormatInt(e.Instant, 10), t.describe(1, func(most int) string { return effect(e, most) }), t.style.effect(e.Kind))
	}
	if shown < len(effects) {
		last := effects[len(effects)-1]
		t.effect("", fmt.Sprintf("and %s, until %d", tally(effects[shown:]), last.Instant), t.style.dim)
	}
}

func (t *Table) effect(instant, text string, paint func(string) string) {
	t.block(t.left(" ", instant, "·"), text, paint)
}

// tally counts effects by kind, in the order of the kinds.
func tally(effects []events.Effect) string {
	var counts [256]int
	for _, e := range effects {
		counts[e.Kind]++
	}
	var parts []string
	for kind, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, events.EffectKind(kind)))
		}
	}
	return fmt.Sprintf("%d more: %s", len(effects), strings.Join(parts, ", "))
}
