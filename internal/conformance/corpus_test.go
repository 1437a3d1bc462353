package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/history"
	"github.com/stretchr/testify/require"
)

func TestAHistoryIsSavedOnceAndReadBack(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "corpus", "new")
	rules := events.Rules{Edition: events.Edition1, Unit: events.Millisecond}
	h := parseUnder(t, rules, `["acquire",0,"a\u0000\u202e","L",30]`, `["status",5,"\ud800"]`, `7`)
	path, err := Save(directory, "night \x1b \xff", h)
	require.NoError(t, err)
	require.Regexp(t, `/[0-9a-f]{16}\.json$`, path)

	again, err := Save(directory, "another title", h)
	require.NoError(t, err)
	require.Equal(t, path, again)
	_, err = Save(directory, "", parse(t, night...))
	require.NoError(t, err)

	cases, err := Corpus(directory, events.Current)
	require.NoError(t, err)
	require.Len(t, cases, 2)
	for _, c := range cases {
		if c.Path == path {
			require.Equal(t, "night \x1b \uFFFD", c.Name)
			require.Equal(t, h, c.History)
		} else {
			require.Equal(t, parse(t, night...), c.History)
		}
	}
	files, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Len(t, files, 2, "no draft is left")
}

func TestTheSavedFormHasTheRequiredAnswers(t *testing.T) {
	path, err := Save(t.TempDir(), "late renew", parse(t, night[0], night[2]))
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, `{
  "name": "late renew",
  "edition": 3,
  "unit": "second",
  "operations": [
    ["acquire",0,"a","L",30],
    ["renew",30,"a","L",30]
  ],
  "results": [
    ["granted",1,30],
    "error: not holder"
  ]
}
`, string(text))
	path, err = Save(t.TempDir(), "", history.History{Rules: events.Current})
	require.NoError(t, err)
	cases, err := Corpus(filepath.Dir(path), events.Current)
	require.NoError(t, err)
	require.Empty(t, cases[0].History.Events)
}

// A corpus is the regular files of a directory, in any form; nothing is followed
// out of it.
func TestACorpusTakesNothingButItsFiles(t *testing.T) {
	directory, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(filepath.Join(directory, "b.json"), `[["acquire",0,"a","L",30]]`)
	write(filepath.Join(directory, "a.ndjson"), `{"op":["read",0,"L","k"],"result":null}`)
	write(filepath.Join(directory, "README.md"), `no history`)
	write(filepath.Join(directory, ".draft-1.json"), `no history`)
	write(filepath.Join(outside, "c.json"), `[["acquire",0,"a","L",30]]`)
	require.NoError(t, os.Symlink(filepath.Join(outside, "c.json"), filepath.Join(directory, "c.json")))
	require.NoError(t, os.Mkdir(filepath.Join(directory, "d.json"), 0o700))

	cases, err := Corpus(directory, events.Current)
	require.NoError(t, err)
	require.Len(t, cases, 2)
	require.Equal(t, filepath.Join(directory, "a.ndjson"), cases[0].Path)
	require.Equal(t, filepath.Join(directory, "b.json"), cases[1].Path)
}

func TestACorpusIsHeldAgainstTheRules(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "a.json")
	for text, message := range map[string]string{
		`{"operations":[["acquire",0,"a","L",30]],"results":[["granted",2,30]]}`: path +
			`: the recorded answer to #1 is ["granted",2,30], but the rules require ["granted",1,30]`,
		`[["acquire",0,`: path + `:1:15: `,
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := Corpus(directory, events.Current)
		require.ErrorContains(t, err, message)
	}
	require.NoError(t, os.Truncate(path, MaxCase+1))
	_, err := Corpus(directory, events.Current)
	require.ErrorContains(t, err, "more than a history may have")
	_, err = Corpus(filepath.Join(directory, "nowhere"), events.Current)
	require.ErrorIs(t, err, os.ErrNotExist)
}
