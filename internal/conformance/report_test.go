package conformance

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// someReport has a failure of each kind. Its texts come from a stranger.
func someReport(t *testing.T) *Report {
	h := parse(t, night...)
	wrong := WrongAnswer{
		Sequence: 3, Operation: []byte(night[2]), Required: []byte(`"error: not holder"`), Given: []byte(`["renewed",60]`),
		Answers: []json.RawMessage{[]byte(`["granted",1,30]`), []byte(`["queued",1]`), []byte(`["renewed",60]`)},
	}
	explanation, err := Explain(t.Context(), h, wrong)
	require.NoError(t, err)
	stderr := "Traceback: <oops> & ]]> \\u001b[31m"
	report := &Report{
		Command: []string{"./service", "<&>\x1b"}, Protocol: Stream, Histories: 7, Operations: 1234, Elapsed: 1500 * time.Millisecond,
		Failures: []Failure{{
			Title: "profile contention, seed 3", History: h, Verdict: wrong, Trials: Trials{Times: 3, Same: 2},
			Explanation: explanation, Story: Tell(h, wrong).String(), Saved: "corpus/1.json",
		}},
	}
	for _, v := range []Verdict{
		Crash{Answered: 2, Status: "signal: killed", Stderr: stderr},
		Hang{Answered: 2, Timeout: time.Second, Stderr: stderr},
		Garbage{Answered: 2, Reason: "no JSON", Text: "DEBUG \x1b[31m\u202e\xff", Stderr: stderr},
		WrongCount{Required: 5, Given: 4, Differs: 3, Stderr: stderr},
	} {
		report.Failures = append(report.Failures, Failure{
			Title: "profile expiry, seed 4, " + v.Kind().String(), History: h, Verdict: v, Story: Tell(h, v).String(),
		})
	}
	return report
}

func golden(t *testing.T, path string, text []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(kept), string(text))
}

func TestReportInJSON(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, someReport(t).WriteJSON(&text))
	golden(t, "testdata/report.json", text.Bytes())
	require.True(t, json.Valid(text.Bytes()))

	text.Reset()
	require.NoError(t, (&Report{Command: []string{"x"}, Protocol: Process}).WriteJSON(&text))
	require.JSONEq(t, `{"version":1,"command":["x"],"protocol":"process","verdict":"agrees",
		"histories":0,"operations":0,"milliseconds":0,"failures":[]}`, text.String())
}

// What Jenkins and GitLab read: suites, suites' counts, and in a case its names and a
// failure or an error with a message, a type and a text.
func TestReportInJUnit(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, someReport(t).WriteJUnit(&text))
	golden(t, "testdata/report.xml", text.Bytes())

	var read struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Cases    []struct {
				Class   string        `xml:"classname,attr"`
				Name    string        `xml:"name,attr"`
				Failure *junitProblem `xml:"failure"`
				Error   *junitProblem `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(text.Bytes(), &read))
	suite := read.Suites[0]
	require.Equal(t, []int{5, 1, 4}, []int{suite.Tests, suite.Failures, suite.Errors})
	require.Len(t, suite.Cases, 5)
	require.Equal(t, "profile contention, seed 3", suite.Cases[0].Name)
	require.Equal(t, "wrong answer", suite.Cases[0].Failure.Type)
	require.Contains(t, suite.Cases[0].Failure.Text, "it looks as if renew still takes a lease at the instant at which it expires")
	require.Equal(t, "crash after 2 answers: signal: killed", suite.Cases[1].Error.Message)
	require.Contains(t, suite.Cases[1].Error.Text, "standard error:\nTraceback: <oops> & ]]>")

	text.Reset()
	require.NoError(t, (&Report{Histories: 7}).WriteJUnit(&text))
	require.NoError(t, xml.Unmarshal(text.Bytes(), &read))
	require.Contains(t, text.String(), `<testcase classname="leasekeeper.conformance" name="7 histories agree" time="0.000"></testcase>`)
}

func TestExitCodes(t *testing.T) {
	report := someReport(t)
	require.Equal(t, 0, new(Report).ExitCode())
	for i, code := range []int{1, 4, 5, 6, 6} {
		require.Equal(t, code, (&Report{Failures: report.Failures[i:]}).ExitCode())
	}
}
