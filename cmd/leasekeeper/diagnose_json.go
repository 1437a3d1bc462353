package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/diagnose"
)

// What diagnose --json prints. Events are counted from 1.
type (
	diagnosisData struct {
		Input      string          `json:"input"`
		Edition    events.Edition  `json:"edition"`
		Unit       string          `json:"unit"`
		Verdict    string          `json:"verdict"`
		Complete   bool            `json:"complete"`
		Events     int             `json:"events"`
		Examined   int             `json:"examined"`
		Answered   int             `json:"answered"`
		Wrong      int             `json:"wrong"`
		First      *firstData      `json:"first,omitempty"`
		Singles    []candidateData `json:"singles,omitempty"`
		Pairs      []candidateData `json:"pairs,omitempty"`
		PairsTried int             `json:"pairs_tried,omitempty"`
		Partial    []partialData   `json:"partial,omitempty"`
		Telling    *tellingData    `json:"telling,omitempty"`
		RuledOut   []ruledOutData  `json:"ruled_out,omitempty"`
		Seconds    float64         `json:"seconds"`
	}
	firstData struct {
		Event    int             `json:"event"`
		Op       json.RawMessage `json:"op"`
		Recorded json.RawMessage `json:"recorded,omitempty"`
		Required json.RawMessage `json:"required"`
	}
	candidateData struct {
		Deviations []string `json:"deviations"`
		Confirmed  int      `json:"confirmed"`
		Explained  int      `json:"explained"`
	}
	partialData struct {
		Deviation   string `json:"deviation"`
		Prefix      int    `json:"prefix"`
		Examined    int    `json:"examined"`
		Explained   int    `json:"explained"`
		Unexplained int    `json:"unexplained"`
	}
	tellingData struct {
		Ops      []json.RawMessage `json:"ops"`
		Required []json.RawMessage `json:"required"`
		Groups   []groupData       `json:"groups"`
	}
	groupData struct {
		Candidates [][]string        `json:"candidates"`
		Answers    []json.RawMessage `json:"answers"`
	}
	ruledOutData struct {
		Deviation string          `json:"deviation"`
		Event     int             `json:"event"`
		Recorded  json.RawMessage `json:"recorded,omitempty"`
		Answer    json.RawMessage `json:"answer"`
	}
)

// word is the verdict in one word.
func (s *diagnosed) word() string {
	switch {
	case s.Wrong == 0 && !s.Complete:
		return "unfinished"
	case s.Answered == 0:
		return "unanswered"
	case s.Wrong == 0:
		return "right"
	case len(s.Singles) > 0:
		return "single"
	case len(s.Pairs) > 0:
		return "pair"
	case !s.Complete:
		return "unfinished"
	case len(s.Partial) > 0:
		return "partial"
	}
	return "unexplained"
}

// data is everything that has been found.
func (s *diagnosed) data() diagnosisData {
	d := diagnosisData{
		Input: s.name, Edition: s.rules.Edition, Unit: s.rules.Unit.String(), Verdict: s.word(), Complete: s.Complete,
		Events: s.Operations, Examined: s.Examined, Answered: s.Answered, Wrong: s.Wrong, PairsTried: s.PairsTried,
		Singles: candidatesData(s.Singles), Pairs: candidatesData(s.Pairs), Telling: tellingOf(s.Telling),
		Seconds: s.took.Seconds(),
	}
	if m := s.First; m != nil {
		op := events.AppendJSON(nil, s.entries[m.Index].Event)
		d.First = &firstData{Event: m.Index + 1, Op: op, Recorded: m.Recorded, Required: m.Answer}
	}
	for _, p := range s.Partial {
		d.Partial = append(d.Partial, partialData{p.Deviation.Name, p.Prefix, p.Examined, p.Explained, p.Unexplained})
	}
	for name, m := range s.RuledOut {
		d.RuledOut = append(d.RuledOut, ruledOutData{name, m.Index + 1, m.Recorded, m.Answer})
	}
	slices.SortFunc(d.RuledOut, func(a, b ruledOutData) int { return strings.Compare(a.Deviation, b.Deviation) })
	return d
}

func candidatesData(list []diagnose.Candidate) (data []candidateData) {
	for _, c := range list {
		data = append(data, candidateData{c.Names(), c.Confirmed, c.Explained})
	}
	return data
}

func tellingOf(telling *diagnose.Distinction) *tellingData {
	if telling == nil {
		return nil
	}
	data := &tellingData{Required: raw(telling.Required)}
	for _, e := range telling.Events {
		data.Ops = append(data.Ops, events.AppendJSON(nil, e))
	}
	for _, g := range telling.Groups {
		data.Groups = append(data.Groups, groupData{g.Candidates, raw(g.Answers)})
	}
	return data
}

func raw(texts [][]byte) []json.RawMessage {
	list := make([]json.RawMessage, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
