package view

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// but stands between an operation and the answer that was recorded for it; no
// name can have it, since JSON escapes tabs.
const but = "\tbut "

// replay prints a history at a width, under a title. Recorded answers are taken
// to differ.
func replay(t require.TestingT, title string, width int, profile termenv.Profile, history ...string) string {
	terminal := lipgloss.NewRenderer(io.Discard)
	terminal.SetColorProfile(profile)
	var out bytes.Buffer
	table := NewTable(&out, width, terminal)
	require.NoError(t, table.Head(title))
	initial, err := fsm.New(events.Current)
	require.NoError(t, err)
	machine := fsm.NewMachine(initial)
	for _, line := range history {
		operation, recorded, differs := strings.Cut(line, but)
		event, err := events.Current.Parse([]byte(operation))
		require.NoError(t, err)
		step := Step{Operation: []byte(operation), Event: event, Result: machine.Apply(event), Differs: differs}
		if differs {
			step.Recorded = []byte(recorded)
		}
		require.NoError(t, table.Step(step))
	}
	require.NoError(t, table.Foot(Summary{Events: uint64(len(history)), State: "0123"}))
	return out.String()
}

var story = []string{
	`["acquire", 0, "etl-a", "exports/daily", 30]`,
	`["acquire", 5, "etl-b", "exports/daily", 20]`,
	`["write", 20, "exports/daily", "part-1", "a:rows 1-100", 1]`,
	`["renew", 30, "etl-a", "exports/daily", 30]` + but + `["renewed", 60]`,
	`["acquire", 31, "etl-c", "exports/daily/region-eu-west-1/customer-0000000000000000000000000000000000000042", 15]`,
	`["acquire", 32, "etl-d", "cfg", 60, "shared"]`,
	`["acquire", 32, "etl-e", "cfg", 60, "shared"]`,
	`["inspect", 33, "cfg"]` + but + `{"holders": [["etl-d", "shared", 1, 92], ["etl-e", "shared", 1, 92]], "queue": []}`,
}

func TestTableAt80(t *testing.T) {
	require.Equal(t, `history

      at     #  operation                            answer
────────────────────────────────────────────────────────────────────────────────
       0     1  acquire etl-a exports/daily ttl 30   granted token 1 until 30
       5     2  acquire etl-b exports/daily ttl 20   queued position 1
      20     3  write exports/daily part-1 = "a:rows 1-100" token 1  ok
      30     ·  expired exports/daily etl-a token 1
      30     ·  granted exports/daily etl-b exclusive token 2 until 50 (expiry)
≠     30     4  renew etl-a exports/daily ttl 30     error: not holder
                by the rules  "error: not holder"
                recorded      ["renewed",60]
      31     5  acquire etl-c exports/daily/region-eu-we…0000000000042 ttl 15
                                                     granted token 1 until 46
      32     6  acquire etl-d cfg ttl 60 shared      granted token 1 until 92
      32     7  acquire etl-e cfg ttl 60 shared      granted token 2 until 92
≠     33     8  inspect cfg
                    held by etl-d shared token 1 until 92, etl-e shared token 2
                    until 92
                by the rules  {"holders":[["etl-d","shared",1,92],["etl-e","shar
                              ed",2,92]],"queue":[]}
                recorded      {"holders":[["etl-d","shared",1,92],["etl-e","shar
                              ed",1,92]],"queue":[]}

8 events, no recorded answers to compare with
final state 0123
`, replay(t, "history", 80, termenv.Ascii, story...))
}

func TestTableWithoutATerminalCutsAndWrapsNothing(t *testing.T) {
	printed := replay(t, "history", 0, termenv.ANSI, story...)
	require.Contains(t, printed, "exports/daily/region-eu-west-1/customer-0000000000000000000000000000000000000042 ttl 15  granted token 1 until 46\n")
	require.Contains(t, printed, "held by etl-d shared token 1 until 92, etl-e shared token 2 until 92\n")
	require.NotContains(t, printed, "\x1b")
}

func TestColoursAreForTerminalsThatHaveThem(t *testing.T) {
	require.Contains(t, replay(t, "history", 80, termenv.ANSI, story...), "\x1b[")
	require.NotContains(t, replay(t, "history", 80, termenv.Ascii, story...), "\x1b")
	require.Equal(t, replay(t, "history", 80, termenv.Ascii, story...), ansi.Strip(replay(t, "history", 80, termenv.ANSI, story...)),
		"colours tell nothing that words do not")
}

func TestColumnsGrow(t *testing.T) {
	printed := replay(t, "history", 80, termenv.Ascii, `["inspect", 1, "L"]`, `["inspect", 1700000000000, "L"]`, `["inspect", 1700000000001, "L"]`)
	require.Contains(t, printed, "\n       1     1  inspect L")
	require.Contains(t, printed, "\n  1700000000000     2  inspect L")
}

// Whatever strangers call their jobs: each line fits the terminal, and nothing
// in it does anything but be seen.
func TestEveryLineFitsAndIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringN(1, 40, 200), 3, 3).Draw(t, "names")
		width := rapid.IntRange(60, 200).Draw(t, "width")
		var history []string
		for at, client := range names {
			for _, lock := range names {
				operation := events.AppendJSON(nil, events.Acquire{At: int64(at), Client: client, Lock: lock, TTL: 2, Mode: events.Exclusive})
				history = append(history, string(operation), string(operation)+but+string(operation))
			}
			history = append(history, string(events.AppendJSON(nil, events.Status{At: int64(at), Client: client})))
		}
		for line := range strings.SplitSeq(replay(t, names[0]+names[1], width, termenv.Ascii, history...), "\n") {
			require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
			require.False(t, strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }), "%q", line)
		}
	})
}
