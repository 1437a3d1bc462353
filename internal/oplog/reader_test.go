package oplog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/stretchr/testify/require"
)

// pipe hides that a reader can seek.
type pipe struct{ io.Reader }

// readAll drains a history and writes each entry as "line:column operation",
// followed by " = recorded" where an answer was recorded.
func readAll(r *Reader) (entries []string, err error) {
	for {
		entry, err := r.Next()
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return entries, err
		}
		text := fmt.Sprintf("%d:%d %s", entry.Line, entry.Column, entry.Operation)
		if entry.Recorded != nil {
			text += " = " + string(entry.Recorded)
		}
		entries = append(entries, text)
	}
}

func openAll(r io.Reader) (Header, []string, error) {
	reader, err := Open("in", r)
	if err != nil {
		return Header{}, nil, err
	}
	entries, err := readAll(reader)
	return reader.Header(), entries, errors.Join(err, reader.Close())
}

func TestFormsAreToldApartByContent(t *testing.T) {
	op := `["read",5,"L","k"]`
	for _, test := range []struct {
		name, input string
		form        Form
		entries     []string
	}{
		{"nothing at all", "", Lines, nil},
		{"white space only", " \n\t\r\n", Lines, nil},
		{"a byte order mark only", "\uFEFF", Lines, nil},
		{"an empty array", " [ ] ", Array, nil},
		{"an array", "[" + op + ",\n " + op + "]", Array, []string{"1:2 " + op, "2:2 " + op}},
		{"an array behind a byte order mark", "\uFEFF[" + op + "]", Array, []string{"1:2 " + op}},
		{"a pretty-printed array", "\n[\n  [\n    \"read\"\n  ]\n]\n", Array, []string{"3:3 [\n    \"read\"\n  ]"}},
		{"an array whose operations are no lists", `[5, "x", {"op": 1}, null]`, Array,
			[]string{`1:2 5`, `1:5 "x"`, `1:17 1`, `1:21 null`}},
		{"an array of operations and answers", `[{"op": ` + op + `, "result": null},` + "\n" + `{"result": "ok", "op": 5}, ` + op + `]`, Array,
			[]string{"1:9 " + op + " = null", `2:24 5 = "ok"`, "2:28 " + op}},
		{"an array with objects that hold no operation", `[{"ops": 1}, {"a": {"op": 1}, "a": 2}, {}]`, Array,
			[]string{`1:2 {"ops": 1}`, `1:14 {"a": {"op": 1}, "a": 2}`, `1:40 {}`}},
		{"the operations of an object stand as they are", `{"operations": [{"op": 1}]}`, Object, []string{`1:17 {"op": 1}`}},
		{"an array that begins with a string is an operation", `["acquire", [1]]`, Lines, []string{`1:1 ["acquire", [1]]`}},
		{"lines", op + "\n" + op + "\n", Lines, []string{"1:1 " + op, "2:1 " + op}},
		{"lines with Windows line ends and empty ones", op + "\r\n\r\n" + op, Lines, []string{"1:1 " + op, "3:1 " + op}},
		{"two values in one line", op + " " + op, Lines, []string{"1:1 " + op, "1:20 " + op}},
		{"a value over two lines", "[\"read\",\n5]", Lines, []string{"1:1 [\"read\",\n5]"}},
		{"lines that are no lists", "5\n\"x\"\nnull", Lines, []string{"1:1 5", `2:1 "x"`, "3:1 null"}},
		{"lines of both kinds", op + "\n{\"op\": " + op + ", \"result\": null}\n", Lines,
			[]string{"1:1 " + op, "2:8 " + op + " = null"}},
		{"the result first", `{"result": "ok", "op": 5}`, Lines, []string{`1:24 5 = "ok"`}},
		{"an operation without a result in an object", `{"op": {}}`, Lines, []string{`1:8 {}`}},
		{"field names with escapes", `{"\u006fp": 1}`, Lines, []string{"1:13 1"}},
		{"an object", `{"operations": [` + op + `], "results": ["v"]}`, Object, []string{"1:17 " + op + ` = "v"`}},
		{"the results first", "{\"results\": [1, 2],\n\"operations\": [3, 4]}", Object, []string{"2:16 3 = 1", "2:19 4 = 2"}},
		{"no results", `{"operations": [3], "results": null, "name": null}`, Object, []string{"1:17 3"}},
		{"nothing in the object", `{"name": "idle", "operations": []}`, Object, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for kind, input := range map[string]io.Reader{
				"seekable":   strings.NewReader(test.input),
				"pipe":       pipe{strings.NewReader(test.input)},
				"slow pipe":  iotest.OneByteReader(strings.NewReader(test.input)),
				"eager pipe": iotest.DataErrReader(strings.NewReader(test.input)),
			} {
				header, entries, err := openAll(input)
				require.NoError(t, err, kind)
				require.Equal(t, test.form, header.Form, kind)
				require.Equal(t, test.entries, entries, kind)
			}
		})
	}
}

func TestHeaderMayStandAnywhereInTheObject(t *testing.T) {
	for _, input := range []string{
		`{"name": "night", "edition": 2, "unit": "millisecond", "operations": [], "results": []}`,
		`{"operations": [], "unit": "millisecond", "edition": 2, "name": "night"}`,
	} {
		header, _, err := openAll(strings.NewReader(input))
		require.NoError(t, err)
		require.Equal(t, Header{Object, "night", events.Edition2, events.Millisecond}, header)
	}
}

func TestAnEntryMayBeAsLongAsTheLimit(t *testing.T) {
	fits := `["` + strings.Repeat("a", 100-4) + `"]`
	long := `["` + strings.Repeat("a", 101-4) + `"]`
	for _, form := range []string{"[\n%s]", "%s", "  {\"operations\": [\n%s]}", "{\"operations\": [1], \"results\": [\n%s]}"} {
		for _, wrap := range []func(io.Reader) io.Reader{iotest.OneByteReader, func(r io.Reader) io.Reader { return r }} {
			read := func(text string) error {
				reader, err := open("in", wrap(strings.NewReader(fmt.Sprintf(form, text))), 100)
				if err == nil {
					_, err = readAll(reader)
				}
				return err
			}
			require.NoError(t, read(fits))
			require.ErrorContains(t, read(long), "this value is longer than 100 bytes, the most for one entry")
		}
	}
}

// A client that sends one operation and waits for the answer must not have to
// send more before its operation is handed on.
func TestAnEntryIsReadAsSoonAsItIsComplete(t *testing.T) {
	in, out := io.Pipe()
	go func() { _, _ = out.Write([]byte(`["a"]`)) }()
	reader, err := Open("in", in)
	require.NoError(t, err)
	for i := range 3 {
		entry, err := reader.Next()
		require.NoError(t, err)
		require.Equal(t, `["a"]`, string(entry.Operation))
		go func() { _, _ = out.Write([]byte("\n[\"a\"]")) }()
		require.Equal(t, int64(5+6*i), reader.Offset())
	}
}

// A regular file may be handed over in the middle, as a shell does with a
// standard input that another command has read from.
func TestAFileIsReadFromWhereItStands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	require.NoError(t, os.WriteFile(path, []byte("#!comment\n{\"operations\": [1]}"), 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.Seek(10, io.SeekStart)
	require.NoError(t, err)
	_, entries, err := openAll(file)
	require.NoError(t, err)
	require.Equal(t, []string{"1:17 1"}, entries)
}

func TestALongObjectFromAPipeIsSpooledToAFileAndTheFileRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const n = 200_000
	operations := strings.Repeat(`["read",0,"lock","key"],`, n)
	results := strings.Repeat(`null,`, n)
	input := `{"operations":[` + operations + `1],"results":[` + results + `"x"],"edition":1}`

	reader, err := Open("in", pipe{strings.NewReader(input)})
	require.NoError(t, err)
	require.Equal(t, events.Edition1, reader.Header().Edition)
	if runtime.GOOS != "windows" { // where a file that is open keeps its name
		require.Empty(t, temporaryFiles(t), "a process that is killed leaves nothing behind")
	}
	entries, err := readAll(reader)
	require.NoError(t, err)
	require.Len(t, entries, n+1)
	require.Equal(t, `1 = "x"`, entries[n][strings.IndexByte(entries[n], ' ')+1:])
	require.NoError(t, reader.Close())
	require.Empty(t, temporaryFiles(t))

	_, err = Open("in", pipe{strings.NewReader(input + "x")})
	require.Error(t, err)
	require.Empty(t, temporaryFiles(t), "a refused input leaves nothing behind")
}

func temporaryFiles(t *testing.T) []string {
	found, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*"))
	require.NoError(t, err)
	return found
}

// Reading a long history takes no more memory than reading a short one.
func TestMemoryDoesNotGrowWithTheInput(t *testing.T) {
	line := []byte(`["acquire",0,"client","lock",30]` + "\n")
	repeated := func(n int64) io.Reader { return &cycle{text: line, left: n * int64(len(line))} }
	allocated := testing.AllocsPerRun(1, func() {
		reader, err := Open("in", repeated(100_000))
		require.NoError(t, err)
		for err == nil {
			_, err = reader.Next()
		}
		require.Equal(t, io.EOF, err)
		require.Len(t, reader.s.buf, 64<<10)
	})
	require.Less(t, allocated, 100.0)
}

// cycle reads a text again and again.
type cycle struct {
	text []byte
	at   int
	left int64
}

func (c *cycle) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), c.left)], c.text[c.at:])
	c.at = (c.at + n) % len(c.text)
	c.left -= int64(n)
	return n, nil
}

func BenchmarkReader(b *testing.B) {
	line := []byte(`["acquire", 123456, "client-17", "exports/daily", 30]` + "\n")
	b.SetBytes(int64(len(line)))
	reader, err := Open("in", &cycle{text: line, left: 1 << 62})
	require.NoError(b, err)
	for b.Loop() {
		if _, err := reader.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
