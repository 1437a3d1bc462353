package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/audit"
	"github.com/leasekeeper/leasekeeper/internal/explain"
)

// What audit --json prints. Events are counted from 1. What there is nothing to
// say of is null, or an empty list.
type (
	auditData struct {
		Verdict    string          `json:"verdict"`         // clean or deviates
		Unfounded  bool            `json:"begins_too_late"` // the verdict holds for a fresh service only
		Event      *uint64         `json:"event"`
		Op         json.RawMessage `json:"op"`
		Recorded   json.RawMessage `json:"recorded"`
		Required   json.RawMessage `json:"required"`
		Rules      []string        `json:"rules"`
		Because    []string        `json:"because"`
		Chain      []linkData      `json:"chain"`
		Minimal    bool            `json:"chain_minimal"`
		Deviation  *string         `json:"deviation"` // the name; of two, the first
		Cause      []causeData     `json:"cause"`
		Explains   bool            `json:"explains_all"`
		Confirmed  uint64          `json:"explains_up_to"`
		Candidates [][]string      `json:"candidates"`
		Later      laterData       `json:"later"`
		AtRisk     []riskData      `json:"at_risk"`
		RiskCount  int             `json:"at_risk_count"`
		State      *stateData      `json:"state"`
		Input      string          `json:"input"`
		Edition    events.Edition  `json:"edition"`
		Unit       string          `json:"unit"`
		Base       uint64          `json:"begins_after"`
		Events     uint64          `json:"events"`
		Answered   uint64          `json:"answered"`
		Wrong      uint64          `json:"wrong"`
		Cut        *cutData        `json:"cut"`
	}
	linkData struct {
		Event    uint64          `json:"event"`
		Op       json.RawMessage `json:"op"`
		Required json.RawMessage `json:"required"`
		Why      string          `json:"why"`
	}
	causeData struct {
		Name        string `json:"name"`
		Rule        string `json:"rule"`
		Description string `json:"description"`
	}
	laterData struct {
		Counts    map[audit.Kind]int `json:"counts"`
		Separated uint64             `json:"separated_up_to"`
		Answers   []followerData     `json:"answers"`
	}
	followerData struct {
		Event    uint64          `json:"event"`
		Kind     audit.Kind      `json:"kind"`
		Op       json.RawMessage `json:"op"`
		Recorded json.RawMessage `json:"recorded"`
		Required json.RawMessage `json:"required"`
	}
	riskData struct {
		Event       uint64          `json:"event"`
		Risk        audit.Threat    `json:"risk"`
		Op          json.RawMessage `json:"op"`
		Recorded    json.RawMessage `json:"recorded"`
		Required    json.RawMessage `json:"required"`
		Overwritten *string         `json:"overwritten"`
		By          uint64          `json:"overwritten_event,omitempty"`
		Why         string          `json:"why"`
	}
	stateData struct {
		Event    uint64          `json:"event"`
		Recorded json.RawMessage `json:"recorded"`
		Required json.RawMessage `json:"required"`
	}
	cutData struct {
		After  uint64 `json:"after_event"`
		Reason string `json:"reason"`
	}
)

// printJSON prints everything that has been found.
func (a *audited) printJSON(out *bufio.Writer) error {
	text, err := explain.JSON(a.asData())
	if err != nil {
		return err
	}
	_, _ = out.Write(forTerminals()(append(text, '\n')))
	return nil
}

func (a *audited) asData() *auditData {
	d := &auditData{
		Verdict: "clean", Input: a.name, Edition: a.rules.Edition, Unit: a.rules.Unit.String(), Base: a.base,
		Events: a.Events, Answered: a.Answered, Wrong: a.Wrong,
		Rules: []string{}, Because: []string{}, Chain: []linkData{}, Cause: []causeData{}, Candidates: [][]string{}, AtRisk: []riskData{},
		Later: laterData{Counts: map[audit.Kind]int{}, Separated: a.events, Answers: []followerData{}},
	}
	if a.cut != nil {
		d.Cut = &cutData{a.events, untagged(a.cut)}
	}
	if s := a.State; s != nil {
		d.Verdict = "deviates"
		d.State = &stateData{s.Sequence, s.Recorded, s.Required}
		if a.First == nil {
			d.set(s)
		}
	}
	if a.report != nil {
		d.Verdict = "deviates"
		d.set(&a.report.Finding)
		d.addReport(a.report)
	}
	return d
}

// set takes a finding as the first.
func (d *auditData) set(f *audit.Finding) {
	sequence := f.Sequence
	d.Event, d.Op, d.Required = &sequence, events.AppendJSON(nil, f.Event), f.Required
	d.Recorded = recordedJSON(f.Recorded)
	if f.Recorded == nil && f.Digest != nil {
		d.Recorded = fmt.Appendf(nil, `{"sha256":"%x"}`, *f.Digest)
	}
}

func (d *auditData) addReport(p *audit.Report) {
	d.Rules = append(d.Rules, p.Broken...)
	d.Because = append(d.Because, p.Because...)
	d.Minimal, d.Explains, d.RiskCount, d.Unfounded = p.Minimal, p.Explains, p.RiskCount, p.Unfounded
	d.Confirmed = p.Confirmed
	for _, l := range p.Chain {
		d.Chain = append(d.Chain, linkData{l.Sequence, events.AppendJSON(nil, l.Event), l.Required, l.Why})
	}
	for _, c := range p.Cause {
		d.Cause = append(d.Cause, causeData{c.Name, c.Rule, c.Description})
	}
	if len(p.Cause) > 0 {
		d.Deviation = &p.Cause[0].Name
	}
	if p.Diagnosis != nil {
		for _, c := range append(p.Diagnosis.Singles[:len(p.Diagnosis.Singles):len(p.Diagnosis.Singles)], p.Diagnosis.Pairs...) {
			d.Candidates = append(d.Candidates, c.Names())
		}
	}
	d.Later.Counts, d.Later.Separated = p.Counts, p.Separated
	for _, l := range p.Later {
		d.Later.Answers = append(d.Later.Answers, followerData{l.Sequence, l.Kind, events.AppendJSON(nil, l.Event), recordedJSON(l.Recorded), l.Required})
	}
	for _, r := range p.Risks {
		data := riskData{Event: r.Sequence, Risk: r.Threat, Op: events.AppendJSON(nil, r.Event), Recorded: recordedJSON(r.Recorded),
			Required: r.Required, By: r.By, Why: r.Why}
		if r.By > 0 {
			data.Overwritten = &r.Overwritten
		}
		d.AtRisk = append(d.AtRisk, data)
	}
}

// recordedJSON is a recorded answer as it may stand in JSON: a journal may hold
// what is none.
func recordedJSON(text []byte) json.RawMessage {
	switch {
	case text == nil:
		return nil
	case json.Valid(text) && utf8.Valid(text):
		return bytes.TrimSpace(text)
	}
	quoted, _ := json.Marshal(string(text))
	return quoted
}
