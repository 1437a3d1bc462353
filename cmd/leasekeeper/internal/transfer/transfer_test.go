package transfer

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/oplog"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
)

// imported is a journal that was made of an input.
func imported(t *testing.T, input string, how Reading) (*journal.Memory, Summary) {
	source, header, err := Open("input", strings.NewReader(input), how)
	require.NoError(t, err)
	rules := events.Current
	if header.Edition != 0 {
		rules = events.Rules{Edition: header.Edition, Unit: header.Unit}
	}
	genesis, err := journal.NewGenesis(rules, nil)
	require.NoError(t, err)
	j, err := journal.NewMemory(genesis)
	require.NoError(t, err)
	i, err := NewImporter("input", j)
	require.NoError(t, err)
	i.Clamp = true
	for {
		item, err := source.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		require.NoError(t, i.Add(item))
	}
	summary, err := i.Finish()
	require.NoError(t, err)
	return j, summary
}

func export(t *testing.T, j journal.Journal) string {
	var out strings.Builder
	require.NoError(t, Export(&out, j, func(int64) {}))
	return out.String()
}

// All histories of the test data, with their recorded answers as another
// service's: exported, imported and exported again, not a byte has changed, nor
// has a record.
func TestNothingIsLostOnTheWay(t *testing.T) {
	file, err := os.Open("../../../../testdata/histories.jsonl")
	require.NoError(t, err)
	defer file.Close()
	decoder := json.NewDecoder(file)
	for decoder.More() {
		var history json.RawMessage
		require.NoError(t, decoder.Decode(&history))
		first, summary := imported(t, string(history), Reading{})
		require.Zero(t, summary.Differs, "they were decided by an independent implementation")
		exported := export(t, first)
		second, again := imported(t, exported, Reading{})
		require.Equal(t, exported, export(t, second))
		require.Equal(t, summary.Final, again.Final)
		require.Equal(t, records(t, first), records(t, second))
	}
}

// records are a journal's records as they are kept.
func records(t *testing.T, j journal.Journal) (list []string) {
	for r, err := range j.Scan(0, 0) {
		require.NoError(t, err)
		text, _ := r.Answer.JSON()
		hash := r.Answer.Hash()
		list = append(list, strings.Join([]string{string(r.Event), string(text), string(hash[:]), string(r.Fingerprint[:]), string(rune(r.Marks))}, "|"))
	}
	return list
}

// The same answer is kept in our spelling, so that it is the same bytes from
// now on; another answer is kept as it was given.
func TestForeignAnswersAreKept(t *testing.T) {
	j, summary := imported(t, `
		{"op": ["acquire", 0, "a", "L", 30], "result": [ "granted", 1, 30 ]}
		{"op": ["inspect", 0, "M"], "result": {"queue": [], "holders": []}}
		{"op": ["release", 0, "a", "M"], "result": "error: not\u0020holder"}
		{"op": ["release", 0, "a", "L"], "result": {"b": 1.0, "a": "\u0041"}}
		["read", 0, "L", "k"]`, Reading{})
	require.Equal(t, Count{Events: 1, First: 4}, summary.Differs)
	require.EqualValues(t, 4, summary.Recorded)
	var answers []string
	var marks []journal.Mark
	for r, err := range j.Scan(0, 0) {
		require.NoError(t, err)
		text, _ := r.Answer.JSON()
		answers, marks = append(answers, string(text)), append(marks, r.Marks)
	}
	require.Equal(t, []string{
		`["granted",1,30]`, `{"holders":[],"queue":[]}`, `"error: not holder"`, `{"b":1.0,"a":"\u0041"}`, `null`,
	}, answers)
	require.Equal(t, []journal.Mark{journal.Foreign, journal.Foreign, journal.Foreign, journal.Foreign, 0}, marks)
}

// R26: every operation can be clamped, also one that is refused, and stays the
// same otherwise.
func TestOperationsAreClamped(t *testing.T) {
	for given, clamped := range map[string]string{
		`["acquire", 3, "a", "L", 30, "shared"]`:           `["acquire",10,"a","L",30,"shared"]`,
		`["renew", -3, "a", "L", 30]`:                      `["renew",10,"a","L",30]`,
		`["release", 3, "\u00e4<", "L"]`:                   `["release",10,"ä<","L"]`,
		`["write", 3, "L", "k", "v", 1]`:                   `["write",10,"L","k","v",1]`,
		`["read", 3, "L", "k"]`:                            `["read",10,"L","k"]`,
		`["inspect", 3, "L"]`:                              `["inspect",10,"L"]`,
		`["status", 3, "a"]`:                               `["status",10,"a"]`,
		`["repeat", 3, 2, 1, ["inspect", "L{i}"]]`:         `["repeat",10,2,1,["inspect","L{i}"]]`,
		`["acquire", 3, "a\u0062", "L", 1.50]`:             `["acquire",10,"a\u0062","L",1.50]`,
		`["inspect", 10, "L"]`:                             `["inspect",10,"L"]`,
		`["steal", 3]`:                                     `["steal",3]`, // does not move the clock
		`["inspect", 3.0, "L"]`:                            `["inspect",3.0,"L"]`,
		`["acquire", 3, "a", "L", 1000000000000000000000]`: `["acquire",10,"a","L",1000000000000000000000]`,
	} {
		j, summary := imported(t, `["inspect", 10, "L"] `+given, Reading{})
		want := Count{}
		if !strings.Contains(given, " 10,") && strings.Contains(clamped, ",10,") {
			want = Count{Events: 1, First: 2}
		}
		require.Equal(t, want, summary.Clamped, given)
		require.Contains(t, export(t, j), `{"seq":2,"op":`+clamped+`,`)
	}
}

// A journal is told by its first field, whatever stands around it.
func TestAnExportedJournalIsTold(t *testing.T) {
	for text, is := range map[string]bool{
		`{"journal":1,"edition":3,"unit":"second"}`: true,
		"\uFEFF \n{ \"seq\" : 1}":                   true,
		`{"operations":[]}`:                         false,
		`{"op":["journal"]}`:                        false,
		`["journal"]`:                               false,
		``:                                          false,
	} {
		require.Equal(t, is, isExported([]byte(text)), text)
	}
	for _, input := range []io.Reader{strings.NewReader("{\"seq\":1,\"op\":[]}"), io.MultiReader(strings.NewReader(`{"seq":1,"op":[]}`))} {
		source, header, err := Open("input", input, Reading{})
		require.NoError(t, err)
		require.True(t, header.Exported)
		item, err := source.Next()
		require.NoError(t, err)
		require.Equal(t, "[]", string(item.Operation))
		_, err = source.Next()
		require.Equal(t, io.EOF, err)
	}
}

// Lines are counted as editors count them, the empty ones too, and one that is
// too long does not spoil the next.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", oplog.MaxEntry)
	l := newLines("input", strings.NewReader("\uFEFFone\r\n\n  \n two \n"+long+"\n"+long+"y\n"+strings.Repeat("z", 100_000)+"\nend"))
	next := func(number int, text string) {
		t.Helper()
		line, err := l.next()
		require.NoError(t, err)
		require.Equal(t, number, l.number)
		require.True(t, text == string(line))
	}
	next(1, "one")
	next(4, "two")
	_, err := l.next() // its end counts
	require.ErrorContains(t, err, "input:5:1: this line is longer than 16777216 bytes")
	_, err = l.next()
	require.ErrorContains(t, err, "input:6:1: ")
	next(7, strings.Repeat("z", 100_000))
	next(8, "end")
	_, err = l.next()
	require.Equal(t, io.EOF, err)
	require.EqualValues(t, 3+5+1+3+6+len(long)+1+len(long)+2+100_001+3, l.offset)
}

// R25: half a surrogate pair never becomes another character.
func TestALineWithALoneSurrogateIsNotMapped(t *testing.T) {
	_, err := value([]byte(`{"name": "\ud800"}`))
	require.EqualError(t, err, "it is not valid Unicode")
}

// A program that never ends is ended, for each line anew.
func TestAProgramThatNeverEnds(t *testing.T) {
	program, err := Compile(`if . == 1 then def f: f; f else ["inspect", ., "L"] end`)
	require.NoError(t, err)
	program.time = 10 * time.Millisecond
	source, _, err := Open("input", strings.NewReader("1\n2\n"), Reading{Program: program})
	require.NoError(t, err)
	_, err = source.Next()
	require.EqualError(t, err, "input:1:1: this line cannot be mapped: the jq program takes longer than 10ms")
	program.time = maxTime
	item, err := source.Next()
	require.NoError(t, err)
	require.Equal(t, `["inspect",2,"L"]`, string(item.Operation))
}

// A few steps of a program are enough to make a value that would fill any
// memory when written out. It is refused before it is.
func TestAProgramThatMakesTooMuch(t *testing.T) {
	const wide = `[reduce range(60) as $i ("x"; [., .])]`
	const deep = `reduce range(20000) as $i (1; [.])`
	const long = `["x" * 17000000]`
	const often = `range(20) | ["x" * 1000000]`
	for _, text := range []string{wide, deep, long, often, `{op: ` + wide + `}`, `{op: [], result: ` + wide + `}`} {
		program, err := Compile(text)
		require.NoError(t, err)
		_, err = program.run([]byte("1"))
		require.ErrorContains(t, err, "the jq program makes more than 16777216 bytes of it", text)
	}
}

// Errors do not speak of the name that a file has until it is whole.
func TestADraftIsCalledByItsTarget(t *testing.T) {
	target := filepath.Join(t.TempDir(), "a.journal")
	draft, err := NewDraft(target)
	require.NoError(t, err)
	defer draft.Discard()
	err = draft.Named(&fs.PathError{Op: "write", Path: draft.Path(), Err: fs.ErrPermission})
	require.EqualError(t, err, "write "+target+": permission denied")
	require.ErrorIs(t, err, fs.ErrPermission)
	require.NoError(t, draft.Named(nil))
	_, err = NewDraft(filepath.Join(target, "missing", "a.journal"))
	require.EqualError(t, err, filepath.Join(target, "missing", "a.journal")+": no such file or directory")
}

// An event that a program put into a journal itself, in a form that no
// operation leads to, is not exported as another one.
func TestAnEventWithoutAnOperation(t *testing.T) {
	genesis, err := journal.NewGenesis(events.Current, nil)
	require.NoError(t, err)
	for _, e := range []events.Event{
		events.Acquire{Client: "a", Lock: "L", TTL: 0, Mode: events.Exclusive},
		events.Invalid{Raw: `["inspect",0,"L"]`, Refusal: events.InvalidArguments},
	} {
		j, err := journal.NewMemory(genesis)
		require.NoError(t, err)
		require.NoError(t, j.Append(journal.Record{Sequence: 1, Event: events.Append(nil, e), Answer: journal.NewAnswer([]byte("1"))}))
		require.ErrorContains(t, Export(io.Discard, j, func(int64) {}), "event 1 cannot be written as an operation")
	}
}

// Whatever a stranger's line holds, it is taken or refused, and what is taken
// can be exported and comes back the same.
func FuzzImport(f *testing.F) {
	program, err := Compile(".")
	require.NoError(f, err)
	f.Add([]byte(`{"journal":1,"edition":3,"unit":"second"}`+"\n"+`{"seq":1,"op":["read",5,"L","k"],"result":null,"marks":["foreign"]}`), false)
	f.Add([]byte(`{"op":["acquire",0,"a","L",30],"result":["granted",1,30]}`+"\n"+`["inspect",-1,"L"]`), true)
	f.Add([]byte(`{"seq":1,"op":[],"result_sha256":"`+strings.Repeat("0", 64)+`","fingerprint":"`+strings.Repeat("0", 32)+`"}`), false)
	f.Fuzz(func(t *testing.T, input []byte, mapped bool) {
		how := Reading{Separate: true}
		if mapped {
			how.Program = program
		}
		source, _, err := Open("input", bytes.NewReader(input), how)
		if err != nil {
			return
		}
		genesis, err := journal.NewGenesis(events.Current, nil)
		require.NoError(t, err)
		j, err := journal.NewMemory(genesis)
		require.NoError(t, err)
		i, err := NewImporter("input", j)
		require.NoError(t, err)
		i.Clamp = true
		for {
			item, err := source.Next()
			if err == io.EOF {
				break
			}
			if err == nil {
				_ = i.Add(item)
			}
		}
		_, err = i.Finish()
		require.NoError(t, err)
		exported := export(t, j)
		again, _ := imported(t, exported, Reading{})
		require.Equal(t, exported, export(t, again))
	})
}
