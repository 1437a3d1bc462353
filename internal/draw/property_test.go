package draw_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/arbitrary"
	"github.com/leasekeeper/leasekeeper/internal/draw"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// oddName is a name that is hard to draw.
func oddName() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", "two words", "报表", "👩‍🚀", "🇩🇪", "e\u0301", "\u0301", "\x1b[31mred", "</text>", `"`, "]]>", "\u202eabc", "ＦＵＬＬ",
			strings.Repeat("x", 300), strings.Repeat("宽", 90), "한국어", "नमस्ते", "\u0d4e", "&amp;",
		}),
		rapid.StringN(1, 12, 40),
	)
}

// randomHistory is a small history among a few clients with odd names.
func randomHistory(t *rapid.T) history {
	h := history{rules: arbitrary.Rules().Draw(t, "rules")}
	w := arbitrary.Small(t, h.rules)
	for i := range w.Clients {
		w.Clients[i] = oddName().Draw(t, "client")
	}
	for i := range w.Locks {
		w.Locks[i] = oddName().Draw(t, "lock")
	}
	w.Mistakes = rapid.Bool().Draw(t, "mistakes")
	state, err := fsm.New(h.rules)
	require.NoError(t, err)
	h.began = state
	cut := rapid.IntRange(-20, 20).Draw(t, "cut") // a compacted journal begins in the middle
	for i := range rapid.IntRange(0, 50).Draw(t, "events") {
		e := w.Event(t, state)
		state, _ = fsm.Apply(state, e)
		h.events = append(h.events, e)
		if i == cut {
			h.began, h.events = state, nil
		}
	}
	return h
}

// randomFilter is a filter, with a span of time or without.
func randomFilter(t *rapid.T, h history) (f projection.Filter) {
	if rapid.Bool().Draw(t, "spanned") {
		c, _ := h.began.Clock()
		f.From = c + rapid.Int64Range(-20, 100).Draw(t, "from")
		f.To = f.From + rapid.Int64Range(1, 100).Draw(t, "length")
	}
	return f
}

// drawable tells whether there is something to draw.
func (h history) drawable(f projection.Filter) bool {
	s := draw.NewSurvey(h.began, f)
	h.fold(s)
	s.Finish()
	_, found := s.Span()
	return found
}

// A text is never wider than it was asked to be, and nothing of it has power over
// a terminal; in ASCII it has nothing else.
func TestTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := randomHistory(t)
		w := window{filter: randomFilter(t, h), locks: rapid.IntRange(1, 4).Draw(t, "locks"), most: rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "most")}
		if !h.drawable(w.filter) {
			return
		}
		width := rapid.IntRange(draw.LeastWidth, 130).Draw(t, "width")
		ascii := rapid.Bool().Draw(t, "ascii")
		text := h.text(t, width, w, draw.TextOptions{ASCII: ascii})
		require.Equal(t, text, h.text(t, width, w, draw.TextOptions{ASCII: ascii}))
		if !ascii { // paint changes nothing but the paint
			red := func(text string) string { return "\x1b[31m" + text + "\x1b[m" }
			painted := h.text(t, width, w, draw.TextOptions{Palette: draw.Palette{
				Title: red, Dim: red, Good: red, Alarm: red, Clients: []func(string) string{red, red},
			}})
			require.NotEqual(t, text, painted)
			require.Equal(t, text, ansi.Strip(painted))
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
			require.Equal(t, ansi.Strip(line), line)
			require.False(t, ascii && strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }), "%q", line)
		}
	})
}

// A picture is well-formed XML whatever the names are, and nobody's name becomes
// an element.
func TestPictureIsXML(t *testing.T) {
	elements := []string{"svg", "title", "style", "marker", "path", "rect", "text", "tspan", "g", "circle"}
	rapid.Check(t, func(t *rapid.T) {
		h := randomHistory(t)
		w := window{filter: randomFilter(t, h), locks: 3, most: rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "most")}
		if !h.drawable(w.filter) {
			return
		}
		picture := h.svg(t, w)
		d := xml.NewDecoder(strings.NewReader(picture))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			if start, ok := token.(xml.StartElement); ok {
				require.Contains(t, elements, start.Name.Local)
			}
		}
		require.NotRegexp(t, regexp.MustCompile(`%![a-zA-Z]?\(|NaN|<script| on\w+=`), picture)
	})
}

// The lines of JSON are the rows of the projection, neither more nor fewer.
func TestRowsAreTheProjections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := randomHistory(t)
		f := randomFilter(t, h)
		var out bytes.Buffer
		p := draw.NewRows(&out, h.began, f)
		h.fold(p)
		n, err := p.Finish()
		require.NoError(t, err)
		c := projection.CollectTimeline(h.began, f)
		h.fold(c)
		rows := c.Rows()
		got := map[string]int{}
		tokens := []int64{}
		for line := range strings.Lines(out.String()) {
			var row struct {
				Row   string
				Token int64
			}
			require.NoError(t, json.Unmarshal([]byte(line), &row))
			got[row.Row]++
			if row.Row == "lease" {
				tokens = append(tokens, row.Token)
			}
		}
		want := []int64{}
		for _, l := range rows.Leases {
			want = append(want, l.Token)
		}
		slices.Sort(tokens)
		slices.Sort(want)
		require.Equal(t, want, tokens)
		require.Equal(t, len(rows.Waits), got["wait"])
		require.Equal(t, len(rows.Renewals), got["renewal"])
		require.Equal(t, len(rows.Writes), got["write"])
		require.Equal(t, int(n), len(rows.Leases)+len(rows.Waits)+len(rows.Renewals)+len(rows.Writes))
	})
}

// Instants may be as small and as large as numbers are (R24), in every unit.
func TestExtremeInstants(t *testing.T) {
	for _, unit := range events.Units {
		rules := events.Rules{Edition: events.Edition3, Unit: unit}
		state, err := fsm.New(rules)
		require.NoError(t, err)
		h := history{rules: rules, began: state, events: []events.Event{
			events.Acquire{At: math.MinInt64, Client: "a", Lock: "L", TTL: 5, Mode: events.Exclusive},
			events.Acquire{At: rules.MaxInstant(), Client: "b", Lock: "L", TTL: 5, Mode: events.Exclusive},
		}}
		text := h.text(t, 90, window{locks: 1}, draw.TextOptions{})
		require.Contains(t, text, "labels count from -9223372036854775808")
		require.Contains(t, h.svg(t, window{locks: 1}), "labels count from -9223372036854775808")
		for line := range strings.Lines(text) {
			require.LessOrEqual(t, ansi.StringWidth(line), 90)
		}
	}
}

// Durations are said as people say them.
func TestDurations(t *testing.T) {
	for _, c := range []struct {
		ticks uint64
		unit  events.Unit
		want  string
	}{
		{0, events.Second, "0 s"}, {59, events.Second, "59 s"}, {90, events.Second, "1 min 30 s"},
		{86400 + 7200 + 59, events.Second, "1 d 2 h"}, {1500, events.Millisecond, "1.5 s"},
		{12, events.Microsecond, "12 µs"}, {1_250, events.Nanosecond, "1.25 µs"}, {999, events.Nanosecond, "999 ns"},
		{math.MaxUint64, events.Second, "213503982334601 d"},
	} {
		require.Equal(t, c.want, draw.Duration(c.ticks, c.unit))
	}
}
