package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/leasekeeper/leasekeeper/cmd/leasekeeper/internal/view"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/divergence"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
)

// isSyntax tells that an input is at fault at one place.
func isSyntax(err error) bool {
	var syntax *oplog.SyntaxError
	return errors.As(err, &syntax)
}

// diffing is what has been found between two histories.
type diffing struct {
	nameA, nameB string
	a, b         *opened
	found        divergence.Parting
	states       bool
}

func (d *diffing) show(r *view.Report) {
	r.Title(d.nameA + " | " + d.nameB)
	if d.found.Differs == divergence.Rules {
		r.Alarm("verdict", "they are judged by different rules")
		r.Line("rules", "%s | %s", rulesText(d.a.rules), rulesText(d.b.rules))
		return
	}
	r.Line("rules", "%s", rulesText(d.a.rules))
	r.Line("compared", "%s", d.compared())
	switch d.found.Differs {
	case "":
		r.Good("verdict", "%s", d.same())
	case divergence.Length:
		d.length(r)
	default:
		d.differs(r)
	}
}

// compared says what was looked at.
func (d *diffing) compared() string {
	if d.states {
		return view.Count(d.found.Comparisons, "pair of fingerprints", "pairs of fingerprints")
	}
	equal := view.Count(d.found.Equal, "event is", "events are")
	if d.found.From > 1 {
		equal = fmt.Sprintf("from event %d on, %s", d.found.From, equal)
	}
	return fmt.Sprintf("%s equal, %d of them with an answer in both", equal, d.found.Answers)
}

func (d *diffing) same() string {
	if d.states {
		return "the states after the last event are equal"
	}
	return "no difference"
}

// length says which history is the beginning of the other one.
func (d *diffing) length(r *view.Report) {
	shorter, longer, item := d.nameA, d.nameB, &d.found.B
	if item.Event == nil {
		shorter, longer, item = d.nameB, d.nameA, &d.found.A
	}
	if d.states {
		r.Alarm("verdict", "the states are equal where %s ends; %s goes on", shorter, longer)
	} else {
		r.Alarm("verdict", "%s is the beginning of %s", shorter, longer)
	}
	d.event(r, "goes on", item)
}

// differs tells the events that differ, and their states.
func (d *diffing) differs(r *view.Report) {
	f := &d.found
	switch {
	case d.states:
		r.Alarm("verdict", "the states part at event %d; there may be differences before it that left no trace", f.A.Sequence)
	case f.Differs == divergence.Fingerprint:
		r.Alarm("verdict", "the state after event %d differs", f.A.Sequence)
	default:
		r.Alarm("verdict", "the %s of event %d differs", f.Differs, f.A.Sequence)
	}
	if f.A.Event == f.B.Event {
		d.event(r, "event", &f.A)
	} else {
		d.event(r, "first", &f.A)
		d.event(r, "second", &f.B)
	}
	r.Line("answers", "%s | %s", answerText(&f.A), answerText(&f.B))
	if f.A.Fingerprint != f.B.Fingerprint {
		r.Line("states", "%s | %s", f.A.Fingerprint, f.B.Fingerprint)
	}
	switch {
	case f.RowsUnknown != nil:
		r.Line("rows", "cannot be told: %v", f.RowsUnknown)
	case len(f.Rows) == 0:
		r.Line("rows", "none: by the rules, the states after the event are equal")
	default:
		rows(r, "rows", f.Rows, "in "+d.nameA, "in "+d.nameB)
	}
}

func (d *diffing) event(r *view.Report, label string, item *divergence.Item) {
	instant := "without an instant"
	if ts, ok := item.Event.Instant(); ok {
		instant = fmt.Sprint(ts)
	}
	r.Line(label, "#%d · %s · %s", item.Sequence, instant, view.Operation(item.Event))
}

// answerText is the recorded answer, shortened.
func answerText(item *divergence.Item) string {
	if item.Answer == nil {
		return "not recorded"
	}
	return shortened(string(recordedAnswer(*item.Answer)))
}

// diffSide is an event that differs, as JSON.
type diffSide struct {
	Sequence    uint64          `json:"sequence"`
	Op          json.RawMessage `json:"op"`
	Answer      json.RawMessage `json:"answer,omitempty"`
	Fingerprint string          `json:"fingerprint"`
}

// diffRow is a row of two states, as JSON. What a state does not have is null.
type diffRow struct {
	Row string  `json:"row"`
	A   *string `json:"a"`
	B   *string `json:"b"`
}

func (d *diffing) json(out io.Writer) error {
	f := &d.found
	report := struct {
		Same        bool            `json:"same"`
		Differs     divergence.Part `json:"differs,omitempty"`
		States      bool            `json:"states_only,omitempty"`
		From        uint64          `json:"from"`
		Equal       uint64          `json:"equal"`
		Answers     uint64          `json:"equal_answers"`
		Comparisons int             `json:"comparisons,omitempty"`
		A           *diffSide       `json:"a,omitempty"`
		B           *diffSide       `json:"b,omitempty"`
		Rows        []diffRow       `json:"rows,omitempty"`
	}{
		Same: f.Differs == "", Differs: f.Differs, States: d.states, From: f.From, Equal: f.Equal, Answers: f.Answers,
		Comparisons: f.Comparisons, A: sideOf(&f.A), B: sideOf(&f.B),
	}
	for _, row := range f.Rows {
		report.Rows = append(report.Rows, diffRow{row.Row, present(row.A), present(row.B)})
	}
	encoder := json.NewEncoder(visibly{out, forTerminals()})
	encoder.SetEscapeHTML(false)
	return outputError(encoder.Encode(report))
}

// sideOf is an item as JSON, nil for none.
func sideOf(item *divergence.Item) *diffSide {
	if item.Event == nil {
		return nil
	}
	side := &diffSide{Sequence: item.Sequence, Op: events.AppendJSON(nil, item.Event), Fingerprint: item.Fingerprint.String()}
	if item.Answer != nil {
		side.Answer = recordedAnswer(*item.Answer)
	}
	return side
}

func present(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
