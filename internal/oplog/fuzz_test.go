package oplog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Whatever bytes come, the reader ends, hands out valid JSON only, and says the
// same whether it may seek or gets the bytes one at a time.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"", "\uFEFF", "[]", "[[1],[2]]", `["acquire",0,"a","L",30]` + "\n" + `{"op":["a"],"result":null}`,
		`{"operations":[1,"\ud800"],"results":[null,-1.5e+3],"edition":3,"unit":"second","name":"n"}`,
		`{"result":{"a":[true,false]},"op":[]}`, "[[1", "{\"operations\":[1]}x", "1 2", "\xff\xfe[",
		`[{"op":[1],"result":2},{"result":1},{"op":1,"op":2}]`, `{"name":"\udc00"}`, "1 2-3",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		header, entries, err := collect(t, bytes.NewReader(input))
		slowHeader, slowEntries, slowErr := collect(t, iotest.OneByteReader(bytes.NewReader(input)))
		require.Equal(t, header, slowHeader)
		require.Equal(t, entries, slowEntries)
		require.Equal(t, err, slowErr)
		require.LessOrEqual(t, len(entries), len(input))
	})
}

// collect reads what there is, checks each entry, and demands that an error
// gives a place inside the input.
func collect(t *testing.T, r io.Reader) (header Header, entries []Entry, err error) {
	reader, err := open("in", r, 1000)
	for err == nil {
		var entry Entry
		if entry, err = reader.Next(); err != nil {
			break
		}
		for _, text := range [][]byte{entry.Operation, entry.Recorded} {
			require.True(t, text == nil || json.Valid(text) && utf8.Valid(text))
		}
		entry.Operation = bytes.Clone(entry.Operation)
		entry.Recorded = bytes.Clone(entry.Recorded)
		entries = append(entries, entry)
	}
	if reader != nil {
		header = reader.Header()
		require.NoError(t, reader.Close())
	}
	if err == io.EOF {
		return header, entries, nil
	}
	var syntax *SyntaxError
	require.True(t, errors.As(err, &syntax), "%v", err)
	require.Positive(t, syntax.Line)
	require.Positive(t, syntax.Column)
	return header, entries, err
}

// The scanner agrees with encoding/json about what is a value, except that it
// does not accept invalid UTF-8; and a value is the same answer as itself,
// compact or not.
func FuzzValue(f *testing.F) {
	for _, seed := range []string{`null`, `[1,2.5e-3,{"a":"\u12ab"}]`, `-0`, `01`, `"\ud800\udc00"`, "\"\xff\"", `{"a":1,"a":2}`, ` 1 `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newScanner("in", bytes.NewReader(text), place{line: 1}, MaxEntry)
		_, _, err := s.entry()
		valid := err == nil && s.space() == io.EOF
		require.Equal(t, json.Valid(text) && utf8.Valid(text), valid)
		if !valid {
			require.False(t, SameAnswer(text, text))
			return
		}
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, text))
		require.Equal(t, SameAnswer(text, text), SameAnswer(text, compact.Bytes()))
	})
}
