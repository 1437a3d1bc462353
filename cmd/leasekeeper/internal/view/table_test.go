package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

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
	require.NoError(t, table.Foot(Summary{Events: uint64(len(history)), Fingerprint: "0123"}))
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

// However narrow the terminal and long the numbers: names are cut, and what does
// not fit then goes on below. No digit is missing.
func TestNumbersAreNeverCut(t *testing.T) {
	history := []string{
		`["acquire", 9223372036854689400, "c-with-a-name", "L-with-a-name", 300]`,
		`["repeat", 9223372036854689401, 3, 0, ["acquire", "c{i}", "L{i}", 300, "shared"]]`,
		`["inspect", 9223372036854689402, "L0"]`,
		`["renew", 9223372036854689403, "c0", "L0", 9223372036854775807]`,
		`["write", 9223372036854689403, "L0", "k", "v", 9223372036854775807]`,
	}
	require.Contains(t, replay(t, "history", 80, termenv.Ascii, history...), `
  9223372036854689400     1  acquire c-with-a-name L-with-a-name ttl 300
                                 granted token 1 until 9223372036854689700
  9223372036854689401     2  repeat 3 times, step 0: ["acquire","c…ared"]
                                 3 runs: granted 3
  9223372036854689401     ·  granted L0 c0 shared token 1 until
                                 9223372036854689701 (free)
`)
	for width := narrowest; width <= 120; width++ {
		printed := replay(t, "history", width, termenv.Ascii, history...)
		for _, number := range []string{"9223372036854689700", "9223372036854689701", "9223372036854775807"} {
			require.Contains(t, printed, number, width)
		}
		for line := range strings.SplitSeq(printed, "\n") {
			require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
		}
	}
}

// A repeat of many effects, and the summary of many differences, fit too.
func TestCountsFit(t *testing.T) {
	for width := narrowest; width <= 120; width++ {
		var out bytes.Buffer
		table := NewTable(&out, width, lipgloss.NewRenderer(io.Discard))
		var effects []events.Effect
		for kind := events.EffectGranted; kind <= events.EffectRefused; kind++ {
			for range 20 {
				effects = append(effects, events.Effect{Kind: kind, Instant: 9223372036854689401})
			}
		}
		table.effects(effects)
		const many = 1_000_000_000_000
		require.NoError(t, table.Foot(Summary{Events: many, Compared: many, Differences: many, FirstDifference: many}))
		require.Contains(t, out.String(), "and 169 more: ")
		for line := range strings.SplitSeq(out.String(), "\n") {
			require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
		}
	}
}

// Of plain names, the words of an effect are its own.
func TestEffectsSayWhatTheySay(t *testing.T) {
	initial, err := fsm.New(events.Current)
	require.NoError(t, err)
	machine := fsm.NewMachine(initial)
	kinds := make(map[events.EffectKind]bool)
	for _, line := range []string{
		`["acquire", 0, "alice", "L1", 100]`, `["acquire", 1, "bob", "L2", 100]`, `["acquire", 2, "bob", "L1", 100]`,
		`["acquire", 3, "alice", "L2", 100, "shared"]`, `["renew", 4, "alice", "L1", 5]`, `["write", 5, "L2", "key", "v", 2]`,
		`["write", 5, "L2", "key", "v", 1]`, `["acquire", 6, "carl", "L2", 9]`, `["release", 7, "carl", "L2"]`,
		`["release", 8, "alice", "L2"]`, `["inspect", 9, "L1"]`,
	} {
		event, err := events.Current.Parse([]byte(line))
		require.NoError(t, err)
		for _, e := range machine.Apply(event).Effects {
			kinds[e.Kind] = true
			require.Equal(t, e.String(), fmt.Sprintf("t=%d %s", e.Instant, effect(e, whole)))
		}
	}
	require.Len(t, kinds, 9, "one of each kind")
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
		width := rapid.IntRange(narrowest, 200).Draw(t, "width")
		start := rapid.SampledFrom([]int64{0, -1 << 63, events.Current.MaxInstant() - 3}).Draw(t, "start")
		var history []string
		for at, client := range names {
			for _, lock := range names {
				operation := events.AppendJSON(nil, events.Acquire{At: start + int64(at), Client: client, Lock: lock, TTL: 2, Mode: events.Exclusive})
				history = append(history, string(operation), string(operation)+but+string(operation))
			}
			history = append(history, string(events.AppendJSON(nil, events.Status{At: start + int64(at), Client: client})))
		}
		for line := range strings.SplitSeq(replay(t, names[0]+names[1], width, termenv.Ascii, history...), "\n") {
			require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
			require.False(t, strings.ContainsFunc(line, hidden), "%q", line)
		}
	})
}
