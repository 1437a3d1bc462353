package draw_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/draw"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

// history is a state and the events that follow it.
type history struct {
	rules  events.Rules
	began  fsm.State
	events []events.Event
	// until, if not nil, is an instant up to which leases lapse in the end.
	until *int64
}

// story reads a story of testdata: an operation a line, and # for words.
func story(t *testing.T, name string) history {
	text, err := os.ReadFile("testdata/" + name + ".story")
	require.NoError(t, err)
	h := history{rules: events.Current}
	h.began, err = fsm.New(h.rules)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		event, err := h.rules.Parse([]byte(line))
		require.NoError(t, err, line)
		h.events = append(h.events, event)
	}
	return h
}

// fold runs the history through a projection.
func (h history) fold(p projection.Projection) {
	m := fsm.NewMachine(h.began)
	for _, e := range h.events {
		projection.Run(m, e, p)
	}
	if h.until != nil {
		step := projection.Until(m.State(), *h.until)
		p.Apply(&step)
	}
}

// window is what is looked at.
type window struct {
	filter      projection.Filter
	locks       int // how many are drawn at most
	cells, most int
}

// board draws the history up.
func (h history) board(t require.TestingT, w window) *draw.Board {
	survey := draw.NewSurvey(h.began, w.filter)
	h.fold(survey)
	survey.Finish()
	span, found := survey.Span()
	require.True(t, found)
	if w.filter.From != 0 || w.filter.To != 0 {
		span = draw.Span{From: w.filter.From, To: w.filter.To}
	}
	plan := draw.Plan{
		Title: "a story", Rules: h.rules, Filter: w.filter, Span: span.Proper(),
		Choice: survey.Busiest(w.locks), Cells: w.cells, Most: w.most,
	}
	board := draw.NewBoard(h.began, plan)
	h.fold(board)
	board.Finish()
	return board
}

func (h history) text(t require.TestingT, width int, w window, options draw.TextOptions) string {
	w.cells = draw.TextCells(width)
	if w.most == 0 {
		w.most = draw.MostTextRows
	}
	var out bytes.Buffer
	require.NoError(t, h.board(t, w).WriteText(&out, options))
	return out.String()
}

func (h history) svg(t require.TestingT, w window) string {
	w.cells = draw.SVGCells
	if w.most == 0 {
		w.most = draw.MostSVGRows
	}
	var out bytes.Buffer
	require.NoError(t, h.board(t, w).WriteSVG(&out))
	return out.String()
}
