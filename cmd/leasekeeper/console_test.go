package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// call is a command as a document shows it, with what it prints, standard
// error included.
type call struct {
	command string
	shown   []string // lines; "..." stands for any number of lines
}

// calls reads a console session: lines that begin with "$ " are commands, and
// what follows is what they print. A command goes on behind a backslash.
func calls(session []string) []call {
	var found []call
	for i := 0; i < len(session); i++ {
		line := session[i]
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			if len(found) > 0 {
				last := &found[len(found)-1]
				last.shown = append(last.shown, line)
			}
			continue
		}
		for strings.HasSuffix(command, `\`) && i+1 < len(session) {
			i++
			command = strings.TrimSuffix(command, `\`) + strings.TrimLeft(session[i], "> ")
		}
		found = append(found, call{command: command})
	}
	return found
}

// ours tells whether a command calls leasekeeper, at its beginning or in a pipe.
var ours = regexp.MustCompile(`(^|[|;&] *)(leasekeeper|go run \./cmd/leasekeeper) `)

// console is the command
//
//	console FILE
//
// It runs the session in FILE and compares what is printed. Commands of other
// programs are passed over with what they print. "$ echo $?" shows the exit
// code of the command before it. A command for which nothing is shown has only
// to succeed.
func console(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: console FILE")
	}
	code := 0
	for _, c := range calls(lines(ts.ReadFile(args[0]))) {
		switch {
		case c.command == "echo $?":
			compare(ts, c, strconv.Itoa(code))
		case ours.MatchString(c.command):
			var printed string
			if printed, code = shell(ts, c.command); len(c.shown) > 0 {
				compare(ts, c, printed)
			} else if code != 0 {
				ts.Fatalf("$ %s\nexit code %d\n%s", c.command, code, printed)
			}
		}
	}
}

// shell runs a command line in the directory of the script.
func shell(ts *testscript.TestScript, command string) (printed string, code int) {
	command = strings.ReplaceAll(command, "go run ./cmd/leasekeeper", "leasekeeper")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"))
	out, _ := cmd.CombinedOutput() // a code that is not 0 is no error here
	return string(out), cmd.ProcessState.ExitCode()
}

func compare(ts *testscript.TestScript, c call, printed string) {
	if !matches(c.shown, lines(printed)) {
		ts.Fatalf("$ %s\nis shown to print\n%s\nbut prints\n%s", c.command, strings.Join(c.shown, "\n"), printed)
	}
}

// lines splits a text into lines, without white space and empty lines at the
// ends.
func lines(text string) []string {
	split := strings.Split(strings.TrimRight(text, " \n"), "\n")
	for i := range split {
		split[i] = strings.TrimRight(split[i], " \r")
	}
	return split
}

// matches compares lines with what is shown, in which "..." stands for any
// number of lines.
func matches(shown, printed []string) bool {
	for len(shown) > 0 && shown[len(shown)-1] == "" {
		shown = shown[:len(shown)-1]
	}
	if len(shown) == 0 {
		return len(printed) == 0
	}
	if shown[0] == "..." {
		for skip := range len(printed) + 1 {
			if matches(shown[1:], printed[skip:]) {
				return true
			}
		}
		return false
	}
	return len(printed) > 0 && shown[0] == printed[0] && matches(shown[1:], printed[1:])
}

func TestConsoleSessionsAreRead(t *testing.T) {
	found := calls(lines("$ leasekeeper run \\\n>   x.json\n[]\n$ echo $?\n0\n$ ls\na\nb"))
	require.Equal(t, []call{
		{"leasekeeper run x.json", []string{"[]"}},
		{"echo $?", []string{"0"}},
		{"ls", []string{"a", "b"}},
	}, found)
	for command, run := range map[string]bool{
		"leasekeeper version": true, "go run ./cmd/leasekeeper run -": true, "echo x | leasekeeper run": true,
		"cat leasekeeper.json": false, "go test ./...": false, "go install ./cmd/leasekeeper": false,
	} {
		require.Equal(t, run, ours.MatchString(command), command)
	}
}

func TestDotsStandForAnyLines(t *testing.T) {
	for _, test := range []struct {
		shown, printed string
		same           bool
	}{
		{"a\nb", "a\nb", true},
		{"a\n\n", "a", true},
		{"a", "a\nb", false},
		{"a\n...", "a", true},
		{"a\n...\nd", "a\nb\nc\nd", true},
		{"...\nb\n...", "a\nc", false},
		{"...", "", true},
	} {
		require.Equal(t, test.same, matches(strings.Split(test.shown, "\n"), lines(test.printed)), test.shown)
	}
}
