package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/audit"
)

// cleanLines are right answers, a line each. Names are of more than one byte a
// character, so that a cut may go through one.
const cleanLines = `{"op": ["acquire", 0, "étl-a", "exports/日", 30], "result": ["granted", 1, 30]}
{"op": ["acquire", 5, "b", "exports/日", 20], "result": ["queued", 1]}
["write", 20, "exports/日", "k", "v", 1]
{"op": ["renew", 30, "étl-a", "exports/日", 30], "result": "error: not holder"}
{"op": ["inspect", 45, "exports/日"], "result": {"holders": [["b", "exclusive", 2, 50]], "queue": []}}
`

// cleanForms are the same history in every form that is read.
func cleanForms(t *testing.T) map[string]string {
	forms := map[string]string{"lines": cleanLines, "without the last line break": strings.TrimSpace(cleanLines)}
	forms["array"] = "[\n" + strings.ReplaceAll(strings.TrimSpace(cleanLines), "\n", ",\n") + "\n]"
	var operations, results []string
	for line := range strings.Lines(cleanLines) {
		var both struct{ Op, Result json.RawMessage }
		if json.Unmarshal([]byte(line), &both) != nil {
			both.Op, both.Result = json.RawMessage(strings.TrimSpace(line)), json.RawMessage(`"ok"`)
		}
		operations, results = append(operations, string(both.Op)), append(results, string(both.Result))
	}
	lists := fmt.Sprintf(`"operations": [%s], "results": [%s]`, strings.Join(operations, ",\n"), strings.Join(results, ", "))
	forms["object"] = `{"name": "é", "edition": 3, "unit": "second", ` + lists + "}\n"
	forms["object with its header last"] = "{" + lists + `, "edition": 3}`
	return forms
}

// auditOf audits a text, and returns what it has come to.
func auditOf(t *testing.T, text string, program string) (*auditInput, *audit.Finder, error) {
	name := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	f := auditFlags{recordedFlags: recordedFlags{program: program}}
	f.rules.Rules, f.rules.set = events.Current, func(string) bool { return false }
	in, err := f.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer in.close()
	var finder *audit.Finder
	err = in.read(func(start fsm.State) { finder = audit.NewFinder(start) }, func(e *audit.Entry) { finder.Add(e) })
	return in, finder, err
}

// A clean log that is cut anywhere raises no alarm, and it is said that it is cut
// unless the cut cannot be seen.
func TestACleanLogCutAnywhereIsClean(t *testing.T) {
	for form, text := range cleanForms(t) {
		t.Run(form, func(t *testing.T) {
			requireCutsClean(t, text, "")
			_, whole, err := auditOf(t, text, "")
			require.NoError(t, err)
			require.Equal(t, uint64(5), whole.Events)
			require.GreaterOrEqual(t, whole.Answered, uint64(4))
		})
	}
	var mapped bytes.Buffer
	for line := range strings.Lines(cleanLines) {
		if strings.HasPrefix(line, "{") {
			mapped.WriteString(strings.Replace(line, `"result"`, `"said"`, 1))
		}
	}
	requireCutsClean(t, mapped.String(), "{op: .op, result: .said}")
}

func requireCutsClean(t *testing.T, text, program string) {
	events := uint64(0)
	for n := range len(text) + 1 {
		in, finder, err := auditOf(t, text[:n], program)
		require.NoError(t, err, "cut after %d bytes: %q", n, text[:n])
		require.Zero(t, finder.Wrong, "cut after %d bytes: %q", n, text[:n])
		require.GreaterOrEqual(t, finder.Events, events, "cut after %d bytes", n)
		events = finder.Events
		if rest := text[:n]; rest != "" && !strings.HasSuffix(rest, "\n") && !strings.HasSuffix(rest, "}") && !strings.HasSuffix(rest, "]") {
			require.Error(t, in.cut, "cut after %d bytes: %q", n, rest)
		}
	}
}

// What is at fault is no cut: it could be anything.
func TestAFaultIsNoCut(t *testing.T) {
	for _, text := range []string{
		"what is this?", `{"op": ["read", 0, "L", "k"], "answer": null}`, `{"op": ["read", 0, "L", "k"], "result": null}}`,
		`["read", 0, "L", "k"] ["read"`[:21] + "x", `{"operations": [], "results": [1]}`, `{"operations": 7}`, "[\"a\xff", `{"edition": 9, "operations": [`,
	} {
		_, _, err := auditOf(t, text, "")
		require.Error(t, err, "%q", text)
	}
	_, _, err := auditOf(t, `{"who": "a"}`, "{op: .op, result: .said} | .op")
	require.Error(t, err)
}
