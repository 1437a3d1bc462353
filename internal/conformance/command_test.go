package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitCommand(t *testing.T) {
	for line, words := range map[string][]string{
		`python3 service.py --fast`:       {"python3", "service.py", "--fast"},
		"  a \t b\\\n  c  ":               {"a", "b", "c"},
		`'a b' "c d" e\ f`:                {"a b", "c d", "e f"},
		`a'b'"c"d`:                        {"abcd"},
		`'' ""`:                           {"", ""},
		`"a\"b\\c\$d\e"`:                  {`a"b\c$d\e`},
		`'a\n"b'`:                         {`a\n"b`},
		`\$x \'y\'`:                       {"$x", "'y'"},
		`run --edition {edition} {unit}s`: {"run", "--edition", "{edition}", "{unit}s"},
		`a *.txt [b] x=y k~`:              {"a", "*.txt", "[b]", "x=y", "k~"},
		`sh -c 'a | b > c; exit $?'`:      {"sh", "-c", "a | b > c; exit $?"},
		`a # comment`:                     {"a"},
		"ünïcode 'é ü'":                   {"ünïcode", "é ü"},
	} {
		got, err := SplitCommand(line)
		require.NoError(t, err, line)
		require.Equal(t, words, got, line)
	}
}

func TestCommandsThatNeedAShell(t *testing.T) {
	for line, message := range map[string]string{
		``:                 "conformance: the command is empty",
		`  # nothing`:      "conformance: the command is empty",
		`a 'b`:             "conformance: command, column 3: reached EOF without closing quote",
		`a "b`:             "conformance: command, column 3: reached EOF without closing quote",
		`a | b`:            "conformance: command, column 1: a pipe or another construct of the shell needs a shell: sh -c '…'",
		`a && b`:           "needs a shell",
		`! a`:              "needs a shell",
		`a &`:              "needs a shell",
		`(a)`:              "needs a shell",
		`if a; then b; fi`: "needs a shell",
		"a\nb":             "conformance: command, column 1: more than one command needs a shell",
		`a; b`:             "conformance: command, column 4: more than one command needs a shell",
		`a > b`:            "conformance: command, column 3: a redirection needs a shell",
		`X=1 a`:            "conformance: command, column 1: an assignment needs a shell",
		`a $HOME`:          "conformance: command, column 3: an expansion needs a shell",
		`a "$(b)"`:         "conformance: command, column 4: an expansion needs a shell",
		"a `b`":            "conformance: command, column 3: an expansion needs a shell",
		`~/service`:        "conformance: command, column 1: ~ needs a shell",
		"a\x00b":           "NUL",
	} {
		_, err := SplitCommand(line)
		require.ErrorContains(t, err, message, line)
	}
}
