package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteJUnit writes the report as JUnit XML, as CI systems read it: one suite with
// a case for each failing history and, where all histories agreed, one case that
// says so. A wrong answer is a failure; a crash, a hang, garbage and a wrong count
// are errors. The text of a case holds the story, the history in its object form and
// the last lines of standard error.
func (r *Report) WriteJUnit(w io.Writer) error {
	suite := junitSuite{
		Name: "leasekeeper conformance", Time: r.seconds(),
		Properties: []junitProperty{
			{"command", harmless(strings.Join(r.Command, " "))},
			{"protocol", r.Protocol.String()},
			{"histories", fmt.Sprint(r.Histories)},
			{"operations", fmt.Sprint(r.Operations)},
		},
	}
	for _, failure := range r.Failures {
		text, err := failure.text()
		if err != nil {
			return err
		}
		problem := &junitProblem{
			Message: harmless(failure.Verdict.String()), Type: failure.Verdict.Kind().String(), Text: harmless(text),
		}
		c := junitCase{Class: "leasekeeper.conformance", Name: harmless(failure.Title), Time: "0.000"}
		if failure.Verdict.Kind() == KindWrongAnswer {
			c.Failure = problem
			suite.Failures++
		} else {
			c.Error = problem
			suite.Errors++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(suite.Cases) == 0 {
		name := fmt.Sprintf("%d histories agree", r.Histories)
		suite.Cases = []junitCase{{Class: "leasekeeper.conformance", Name: name, Time: r.seconds()}}
	}
	suite.Tests = len(suite.Cases)
	suites := junitSuites{
		Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Time: suite.Time, Suites: []junitSuite{suite},
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suites); err != nil {
		return fmt.Errorf("conformance: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Report) seconds() string { return fmt.Sprintf("%.3f", r.Elapsed.Seconds()) }

// text is all about a failure that somebody needs who has nothing but the report.
func (f Failure) text() (string, error) {
	paper, err := newSheet(f.History)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintln(&b, f.Verdict)
	if f.Trials.Flaky() {
		fmt.Fprintf(&b, "flaky: it happened again in %d of %d runs\n", f.Trials.Same, f.Trials.Times)
	}
	if len(f.Explanation.Rules) > 0 {
		fmt.Fprintf(&b, "rules to read: %s\n", strings.Join(f.Explanation.Rules, ", "))
	}
	for _, candidate := range f.Explanation.Candidates {
		for _, deviation := range candidate {
			fmt.Fprintf(&b, "it looks as if %s (%s, %s)\n", deviation.Description, deviation.Name, deviation.Rule)
		}
	}
	if f.Story != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(f.Story, "\n"))
	}
	history, _ := objectForm(f.Title, f.History.Rules, paper)
	fmt.Fprintf(&b, "\n%s", history)
	if stderr := Stderr(f.Verdict); stderr != "" {
		fmt.Fprintf(&b, "\nstandard error:\n%s\n", stderr)
	}
	return b.String(), nil
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Error   *junitProblem `xml:"error,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}
