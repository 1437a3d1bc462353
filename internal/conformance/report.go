package conformance

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
)

// Report is what a check of a program has come to, for people's programs: JSON
// and JUnit.
type Report struct {
	Command    []string
	Protocol   Protocol
	Histories  int // that were run, those of shrinking left out
	Operations int64
	Elapsed    time.Duration
	Failures   []Failure
}

// Failure is a history with which a program showed a fault.
type Failure struct {
	// Title is where the history comes from: a profile and a seed, or a file of
	// a corpus. It tells failures apart.
	Title   string
	History history.History // shrunk, if it was
	Verdict Verdict
	Trials  Trials // zero if it was not run again

	Explanation Explanation // of a wrong answer, if it was looked for
	// Unfinished is true if there was no time to make the history as simple as it
	// can be.
	Unfinished bool
	Story      string // for people, if there is one
	Saved      string // where the history was saved, "" if nowhere
}

// ExitCode is the exit code of a command that ends with this report: 0 without
// failures, and else that of the first one.
func (r *Report) ExitCode() int {
	if len(r.Failures) == 0 {
		return 0
	}
	return r.Failures[0].Verdict.Kind().ExitCode()
}

// ReportVersion is the version of the JSON form. Within a version, fields are added
// and never change their meaning.
const ReportVersion = 1

// WriteJSON writes the report as one JSON object in one line:
//
//	version     1
//	command     the words of the command
//	protocol    "process" or "stream"
//	verdict     "agrees", or that of the first failure
//	histories, operations, milliseconds
//	failures    a list; empty if there are none
//
// Each failure has
//
//	title       where the history comes from
//	verdict     "wrong answer", "crash", "hang", "garbage" or "wrong count"
//	message     the verdict in one line
//	edition, unit, operations, required
//	            the history and the answers that the rules require
//	sequence, given, answers
//	            of a wrong answer: the number of its operation, from 1, the answer,
//	            and all that were given
//	answered    otherwise: how many answers had come
//	stderr      the last lines of standard error, if there are any
//	runs, reproduced
//	            how often the history was run again, and how often it ended so
//	rules       numbers of the rules to read
//	explanations
//	            lists of names of deviations that explain all answers
//	unfinished  true if the history could have been made simpler with more time
//	story, saved
//	            if there are any
func (r *Report) WriteJSON(w io.Writer) error {
	report := jsonReport{
		Version: ReportVersion, Command: r.Command, Protocol: r.Protocol.String(), Verdict: KindAgrees.String(),
		Histories: r.Histories, Operations: r.Operations, Milliseconds: r.Elapsed.Milliseconds(),
		Failures: []jsonFailure{},
	}
	for _, failure := range r.Failures {
		form, err := failure.form()
		if err != nil {
			return err
		}
		report.Failures = append(report.Failures, form)
	}
	if len(r.Failures) > 0 {
		report.Verdict = r.Failures[0].Verdict.Kind().String()
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(report)
}

type jsonReport struct {
	Version      int           `json:"version"`
	Command      []string      `json:"command"`
	Protocol     string        `json:"protocol"`
	Verdict      string        `json:"verdict"`
	Histories    int           `json:"histories"`
	Operations   int64         `json:"operations"`
	Milliseconds int64         `json:"milliseconds"`
	Failures     []jsonFailure `json:"failures"`
}

type jsonFailure struct {
	Title        string            `json:"title"`
	Verdict      string            `json:"verdict"`
	Message      string            `json:"message"`
	Edition      events.Edition    `json:"edition"`
	Unit         string            `json:"unit"`
	Operations   []json.RawMessage `json:"operations"`
	Required     []json.RawMessage `json:"required"`
	Sequence     int               `json:"sequence,omitempty"`
	Given        json.RawMessage   `json:"given,omitempty"`
	Answers      []json.RawMessage `json:"answers,omitempty"`
	Answered     *int              `json:"answered,omitempty"`
	Stderr       string            `json:"stderr,omitempty"`
	Runs         int               `json:"runs,omitempty"`
	Reproduced   *int              `json:"reproduced,omitempty"`
	Rules        []string          `json:"rules,omitempty"`
	Explanations [][]string        `json:"explanations,omitempty"`
	Unfinished   bool              `json:"unfinished,omitempty"`
	Story        string            `json:"story,omitempty"`
	Saved        string            `json:"saved,omitempty"`
}

// form is the failure as JSON has it.
func (f Failure) form() (jsonFailure, error) {
	paper, err := newSheet(f.History)
	if err != nil {
		return jsonFailure{}, err
	}
	form := jsonFailure{
		Title: valid(f.Title), Unfinished: f.Unfinished, Verdict: f.Verdict.Kind().String(), Message: valid(f.Verdict.String()),
		Edition: f.History.Rules.Edition, Unit: f.History.Rules.Unit.String(),
		Operations: paper.operations.raw(), Required: paper.required.raw(),
		Stderr: Stderr(f.Verdict), Rules: f.Explanation.Rules, Story: valid(f.Story), Saved: valid(f.Saved),
	}
	switch v := f.Verdict.(type) {
	case WrongAnswer:
		form.Sequence, form.Given, form.Answers = v.Sequence, v.Given, v.Answers
	case Crash:
		form.Answered = &v.Answered
	case Hang:
		form.Answered = &v.Answered
	case Garbage:
		form.Answered = &v.Answered
	case WrongCount:
		form.Answered = &v.Given
	}
	if f.Trials.Times > 0 {
		form.Runs, form.Reproduced = f.Trials.Times, &f.Trials.Same
	}
	form.Explanations = f.Explanation.names()
	return form, nil
}

// names are the candidates by the names of their deviations.
func (e Explanation) names() (all [][]string) {
	for _, candidate := range e.Candidates {
		var names []string
		for _, deviation := range candidate {
			names = append(names, deviation.Name)
		}
		all = append(all, names)
	}
	return all
}

func (t *texts) raw() []json.RawMessage {
	raw := make([]json.RawMessage, t.len())
	for i := range raw {
		raw[i] = t.at(i)
	}
	return raw
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
