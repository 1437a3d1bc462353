package oplog

import (
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestMistakesAreReportedWithTheirPlace(t *testing.T) {
	for _, test := range []struct{ name, input, message string }{
		{"not JSON", "acquire 0 a L", "1:1: unexpected 'a', expected a value"},
		{"a CSV file", "1,2,3", "1:2: unexpected ',', expected white space behind a value"},
		{"two lists without a space", `["a"]["b"]`, "1:6: unexpected '[', expected white space behind a value"},
		{"two numbers without a space", `1 2-3`, "1:4: unexpected '-', expected white space behind a value"},
		{"two names without a space", `4true`, "1:2: unexpected 't', expected white space behind a value"},
		{"two objects without a space", `{"op":1}{"op":2}`, "1:9: unexpected '{', expected white space behind a value"},
		{"a binary file", "\x00\x01", "1:1: unexpected byte 0x00, expected a value"},
		{"the array is not closed", "[[1],\n [2]", "2:5: the input ends in the middle of a value"},
		{"only a bracket", "[", "1:2: the input ends in the middle of a value"},
		{"a comma at the end", "[[1],\n]", "2:1: unexpected ']', expected a value"},
		{"a missing comma", "[[1]\n [2]]", "2:2: unexpected '[', expected ',' or ']'"},
		{"a missing comma inside", `["a" "b"]`, "1:6: unexpected '\"', expected ',' or ']'"},
		{"the wrong bracket", `[["a"}]`, "1:6: unexpected '}', expected ',' or ']'"},
		{"lines behind an array", "[[1]]\n[\"a\"]", "2:1: there is more behind the end of the array; one input holds one history"},
		{"two objects", "{\"operations\": []}\n{}", "2:1: there is more behind the end of the object; one input holds one history"},
		{"an object in lines", "[\"a\"]\n{\"ops\": 1}", `2:2: unknown field "ops" (a line has op and result)`},
		{"an empty object", "  {}", `1:3: this object has neither "operations" nor "op"`},
		{"an object without operations", `{"name": "x"}`, `1:1: this object has no field "operations"`},
		{"a line without an operation", `{"result": 1}`, `1:1: this line has no field "op"`},
		{"an unknown field", `{"operations": [], "answers": []}`, `1:20: unknown field "answers" (there are name, edition, unit, operations and results)`},
		{"an unknown field with escapes", `{"operations": [], "\u001b[31m": []}`, `1:20: unknown field "\u001b[31m" (there are name, edition, unit, operations and results)`},
		{"a field twice", `{"operations": [], "operations": []}`, `1:20: the field "operations" stands twice`},
		{"a field twice in a line", `{"op": 1, "\u006fp": 1}`, `1:11: the field "op" stands twice`},
		{"operations that are no array", `{"operations": {}}`, `1:16: "operations" has to be an array`},
		{"no operations", `{"operations": null}`, `1:16: "operations" has to be an array`},
		{"results that are no array", `{"results": "ok", "operations": []}`, `1:13: "results" has to be an array`},
		{"too few results", "{\"operations\": [1, 2],\n \"results\": [1]}", "2:13: there are 2 operations, but there is 1 result"},
		{"too many results", `{"results": [1, 2], "operations": [1]}`, "1:13: there is 1 operation, but there are 2 results"},
		{"an edition that does not exist", `{"edition": 4, "operations": []}`, `1:13: "edition" has to be 1, 2 or 3`},
		{"an edition in quotes", `{"edition": "3", "operations": []}`, `1:13: "edition" has to be 1, 2 or 3`},
		{"an edition that is not whole", `{"edition": 3.0, "operations": []}`, `1:13: "edition" has to be 1, 2 or 3`},
		{"a unit that does not exist", `{"unit": "hour", "operations": []}`, `1:10: "unit" has to be "second", "millisecond", "microsecond" or "nanosecond"`},
		{"a name that is no string", `{"name": 5, "operations": []}`, `1:10: "name" has to be a string`},
		{"a name with a lone surrogate", `{"name": "a\ud800", "operations": []}`, "1:12: half a surrogate pair without the other half is no character"},
		{"a name with halves in the wrong order", `{"name": "\udc00\ud800", "operations": []}`, "1:11: half a surrogate pair without the other half is no character"},
		{"a field with a lone surrogate", `{"operations": [], "\uD800": 1}`, "1:21: half a surrogate pair without the other half is no character"},
		{"an unknown field beside an operation in an array", "[{\"op\": 1},\n {\"op\": 2, \"answer\": 3}]", `2:12: unknown field "answer" (a line has op and result)`},
		{"an operation twice in an element of an array", `[{"op": 1, "op": 2}]`, `1:12: the field "op" stands twice`},
		{"a key that is no string", `{"operations": [], 5: 1}`, "1:20: unexpected '5', expected the name of a field"},
		{"no colon", `{"operations" []}`, "1:15: unexpected '[', expected ':'"},
		{"a comma at the end of an object", `{"op": 1,}`, "1:10: unexpected '}', expected the name of a field"},
		{"a name that is misspelt", "[[1], nulL]", "1:10: unexpected 'L', expected null"},
		{"a number with a leading zero", "[[1], 01]", "1:8: unexpected '1', expected ',' or ']'"},
		{"a number without digits", "[[1], -]", "1:8: unexpected ']', expected a digit"},
		{"a fraction without digits", "[[1], 1.]", "1:9: unexpected ']', expected a digit"},
		{"an exponent without digits", "[[1], 1e+]", "1:10: unexpected ']', expected a digit"},
		{"an escape that does not exist", `["\x"]`, `1:4: unexpected 'x', expected one of "\/bfnrtu behind a backslash`},
		{"an escape that is too short", `["\u00g0"]`, "1:7: unexpected 'g', expected a hexadecimal digit"},
		{"a line break in a string", "[\"a\nb\"]", "1:4: a control character (0x0a) stands unescaped in a string"},
		{"Latin-1", "[\"stra\xdfe\"]", "1:7: invalid UTF-8 (0xdf)"},
		{"a surrogate in UTF-8", "[\"\xed\xa0\x80\"]", "1:3: invalid UTF-8 (0xed)"},
		{"half a character at the end", "[\"\xe2\x82", "1:3: invalid UTF-8 (0xe2)"},
		{"columns count bytes", "[\"\u20ac\" x]", "1:8: unexpected 'x', expected ',' or ']'"},
		{"columns do not count the mark", "\uFEFF[x", "1:2: unexpected 'x', expected a value"},
		{"half a mark", "\xef\xbb[]", "1:1: unexpected byte 0xef, expected a value"},
		{"deep nesting", strings.Repeat("[", maxNesting+2), "1:10002: values are nested more than 10000 deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for kind, input := range map[string]io.Reader{
				"seekable": strings.NewReader(test.input),
				"pipe":     iotest.OneByteReader(strings.NewReader(test.input)),
			} {
				_, _, err := openAll(input)
				var syntax *SyntaxError
				require.ErrorAs(t, err, &syntax, kind)
				require.EqualError(t, syntax, "in:"+test.message, kind)
			}
		})
	}
}

func TestEntriesBeforeAMistakeAreRead(t *testing.T) {
	reader, err := Open("in", strings.NewReader("[\"a\"]\n[\"b\"]\n]"))
	require.NoError(t, err)
	entries, err := readAll(reader)
	require.Equal(t, []string{`1:1 ["a"]`, `2:1 ["b"]`}, entries)
	require.EqualError(t, err, "in:3:1: unexpected ']', expected a value")
	_, again := reader.Next()
	require.Equal(t, err, again, "an error stays")
}

func TestMistakesInTheObjectFormAreFoundBeforeTheFirstEntry(t *testing.T) {
	_, err := Open("in", strings.NewReader(`{"operations": [1, 2, x]}`))
	require.EqualError(t, err, "in:1:23: unexpected 'x', expected a value")
}

func TestFailuresToReadAreNoSyntaxErrors(t *testing.T) {
	failing := io.MultiReader(strings.NewReader(`[[1],`), iotest.ErrReader(os.ErrPermission))
	reader, err := Open("in", failing)
	require.NoError(t, err)
	_, err = readAll(reader)
	require.ErrorIs(t, err, os.ErrPermission)
	require.ErrorContains(t, err, "oplog: reading in: ")

	file, err := os.Open(t.TempDir()) // it can be opened, but not be read
	require.NoError(t, err)
	defer file.Close()
	_, err = Open("folder", pipe{file})
	require.Regexp(t, "^oplog: reading folder: [^:]*$", err.Error(), "a file's name stands there once")

	failing = io.MultiReader(strings.NewReader(`{"operations":`), iotest.ErrReader(os.ErrPermission))
	_, err = Open("in", failing)
	require.ErrorIs(t, err, os.ErrPermission)

	_, err = Open("in", iotest.ErrReader(os.ErrPermission))
	require.ErrorIs(t, err, os.ErrPermission)
}
