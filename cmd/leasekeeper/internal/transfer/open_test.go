package transfer

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who sends an operation may wait for its answer, so nothing is read ahead of
// it to find out what the input is.
func TestNoMoreIsReadThanHasToBe(t *testing.T) {
	for _, first := range []string{"1\n", `["read", 5, "L", "k"]` + "\n", ` {"op": 1}` + "\n", "\uFEFF1\n"} {
		input, client := io.Pipe()
		sent := make(chan struct{})
		go func() {
			for i := range len(first) { // as slowly as can be
				_, _ = client.Write([]byte(first[i : i+1]))
			}
			close(sent)
			_ = client.CloseWithError(errors.New("no answer has come"))
		}()
		_, beginning := peek(input)
		require.LessOrEqual(t, len(beginning), len(first), first)
		_ = input.Close()
		<-sent
	}
}

// An exported journal is told however it arrives, and nothing of it is lost.
func TestAnExportedJournalThatComesInPieces(t *testing.T) {
	for _, text := range []string{`{"journal":1,"edition":1,"unit":"second"}`, "\uFEFF\n { \"seq\" :1}", `{"se":1}`, ` [1]`, "", "{", "\xef"} {
		broken := errors.New("broken")
		for _, end := range []error{io.EOF, broken} {
			input := io.MultiReader(oneByOne{strings.NewReader(text)}, failing{end})
			again, beginning := peek(input)
			require.Equal(t, isExported([]byte(text)), isExported(beginning), text)
			all, err := io.ReadAll(again)
			require.Equal(t, text, string(all))
			if end == io.EOF {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, broken)
			}
		}
	}
}

// oneByOne gives one byte at a time.
type oneByOne struct{ io.Reader }

func (o oneByOne) Read(p []byte) (int, error) { return o.Reader.Read(p[:min(1, len(p))]) }
