package draw_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/internal/draw"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// traced is a trace as a program reads it.
type traced struct {
	OtherData   map[string]any
	TraceEvents []traceEvent
}

type traceEvent struct {
	Name, Cat, Ph, Bp, S string
	Ts, Dur              json.Number
	Pid, Tid             *int
	ID                   uint64
	Args                 map[string]any
}

// ns is a time in nanoseconds, exactly.
func ns(t require.TestingT, microseconds json.Number) int64 {
	whole, part, _ := strings.Cut(string(microseconds), ".")
	n, err := strconv.ParseInt(whole+(part + "000")[:3], 10, 64)
	require.NoError(t, err, microseconds)
	require.LessOrEqual(t, len(part), 3)
	return n
}

// trace makes a trace; ok is false if the history is too long for one.
func trace(t require.TestingT, h history, f projection.Filter) (got traced, ok bool) {
	var out bytes.Buffer
	p := draw.NewTrace(&out, h.began, h.rules, f, "a story")
	h.fold(p)
	if _, err := p.Finish(); errors.Is(err, draw.ErrTooLong) {
		return got, false
	} else {
		require.NoError(t, err)
	}
	d := json.NewDecoder(&out)
	d.UseNumber()
	require.NoError(t, d.Decode(&got))
	require.False(t, d.More())
	return got, true
}

// slice is what is drawn as a box.
type slice struct{ from, to int64 }

// arrow is where an arrow begins and ends.
type arrow struct {
	ends [2]int
	at   [2]int64
	tid  [2]int
}

func (a *arrow) add(t require.TestingT, e traceEvent) {
	end := 0
	if e.Ph == "f" {
		require.Equal(t, "e", e.Bp)
		end = 1
	}
	a.ends[end]++
	a.at[end], a.tid[end] = ns(t, e.Ts), *e.Tid
}

// requireValid holds a trace to its format: what each event has to have, tracks
// that are described before they are used and on which no slices overlap, and
// arrows that have two ends within slices.
func requireValid(t require.TestingT, got traced) {
	named := map[int]bool{}
	boxes := map[int][]slice{}
	arrows := map[uint64]*arrow{}
	for _, e := range got.TraceEvents {
		require.NotEmpty(t, e.Name)
		require.NotNil(t, e.Pid)
		require.NotNil(t, e.Tid)
		if e.Ph != "M" {
			require.True(t, named[*e.Tid], "track %d has no name", *e.Tid)
			require.GreaterOrEqual(t, ns(t, e.Ts), int64(0))
			require.NotEmpty(t, e.Cat)
		}
		switch e.Ph {
		case "M":
			require.Contains(t, []string{"process_name", "thread_name", "thread_sort_index"}, e.Name)
			if e.Name == "thread_name" {
				require.False(t, named[*e.Tid])
				named[*e.Tid] = true
			}
		case "X":
			from := ns(t, e.Ts)
			boxes[*e.Tid] = append(boxes[*e.Tid], slice{from, from + ns(t, e.Dur)})
		case "i":
			require.Equal(t, "t", e.S)
		case "s", "f":
			require.NotZero(t, e.ID)
			if arrows[e.ID] == nil {
				arrows[e.ID] = &arrow{}
			}
			arrows[e.ID].add(t, e)
		default:
			require.Fail(t, "unknown phase", e.Ph)
		}
	}
	requireApart(t, boxes)
	requireArrows(t, arrows, boxes)
}

// requireApart holds that no slices of a track overlap.
func requireApart(t require.TestingT, boxes map[int][]slice) {
	for tid, list := range boxes {
		slices.SortFunc(list, func(a, b slice) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
		for i := 1; i < len(list); i++ {
			require.LessOrEqual(t, list[i-1].to, list[i].from, "slices overlap on track %d", tid)
		}
	}
}

// requireArrows holds that each arrow has two ends, each within a slice.
func requireArrows(t require.TestingT, arrows map[uint64]*arrow, boxes map[int][]slice) {
	within := func(tid int, at int64) bool {
		return slices.ContainsFunc(boxes[tid], func(s slice) bool { return s.from <= at && (at < s.to || s.from == s.to && at == s.to) })
	}
	for id, a := range arrows {
		require.Equal(t, [2]int{1, 1}, a.ends, "arrow %d", id)
		require.LessOrEqual(t, a.at[0], a.at[1])
		require.True(t, within(a.tid[0], a.at[0]), "arrow %d begins at nothing: at %d of %v", id, a.at[0], boxes[a.tid[0]])
		require.True(t, within(a.tid[1], a.at[1]), "arrow %d ends at nothing", id)
	}
}

// leases are the leases of a trace, as text.
func (got traced) leases() (list []string) {
	for _, e := range got.TraceEvents {
		if e.Cat == "lease" {
			list = append(list, fmt.Sprint(e.Args["lock"], " ", e.Args["token"], " ", e.Args["client"], " ", e.Args["expires_at"]))
		}
	}
	slices.Sort(list)
	return list
}

// arrows are the hand-overs of a trace, by their tokens.
func (got traced) arrows() (list []string) {
	for _, e := range got.TraceEvents {
		if e.Ph == "s" {
			list = append(list, fmt.Sprint(e.Args["from_token"], " to ", e.Args["to_token"]))
		}
	}
	return list
}

// Nothing is left out, whatever the history, and the trace keeps to its format:
// every lease of the projection is there once, and every hand-over has an arrow
// if a lease's end was the reason (R3, R11).
func TestTraceHasEveryLease(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := randomHistory(t)
		f := randomFilter(t, h)
		got, ok := trace(t, h, f)
		if !ok {
			return
		}
		requireValid(t, got)
		c := projection.CollectTimeline(h.began, f)
		h.fold(c)
		rows := c.Rows()
		var want []string
		handed := 0
		for _, l := range rows.Leases {
			want = append(want, fmt.Sprint(l.Lock, " ", l.Token, " ", l.Client, " ", l.ExpiresAt))
			if l.Why == events.CauseExpiry || l.Why == events.CauseRelease {
				handed++
			}
		}
		slices.Sort(want)
		require.Equal(t, want, got.leases())
		counts := map[string]int{}
		for _, e := range got.TraceEvents {
			counts[e.Cat]++
		}
		require.Equal(t, len(rows.Waits), counts["wait"])
		require.Equal(t, len(rows.Renewals), counts["renewal"])
		require.Equal(t, len(rows.Writes), counts["write"]+counts["late write"]+counts["refused write"])
		if len(f.Clients) == 0 && f.From == 0 && f.To == 0 {
			require.GreaterOrEqual(t, len(got.arrows()), handed)
		}
	})
}

// The arrows of the stories: who handed the lock to whom.
func TestTraceTellsHandOvers(t *testing.T) {
	for name, want := range map[string][]string{
		"inc-5127": {"1 to 2", "2 to 3"},
		"chain":    {"1 to 2", "2 to 3", "3 to 4"}, // beta waits for token 5 in the end
		"shared":   {"2 to 4", "4 to 5"},           // the last reader makes way for the writer
		"deadlock": {"1 to 2"},                     // Z's lease on M is taken from it (R19)
	} {
		got, ok := trace(t, story(t, name), projection.Filter{})
		require.True(t, ok)
		requireValid(t, got)
		require.Equal(t, want, got.arrows(), name)
	}
}

// Times count from the first instant, which may be far away; a span that does not
// fit into nanoseconds is refused rather than drawn wrong.
func TestTraceCountsFromItsBase(t *testing.T) {
	h := story(t, "chain")
	got, ok := trace(t, h, projection.Filter{})
	require.True(t, ok)
	require.Equal(t, json.Number("-10"), got.OtherData["base_instant"])
	far, err := h.rules.Parse([]byte(`["acquire", 9000000000000000000, "a", "b", 1]`))
	require.NoError(t, err)
	h.events = append(h.events, far)
	var out bytes.Buffer
	p := draw.NewTrace(&out, h.began, h.rules, projection.Filter{}, "")
	h.fold(p)
	_, err = p.Finish()
	require.ErrorIs(t, err, draw.ErrTooLong)
}

// broken is a writer that fails.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWritersReportWhatFails(t *testing.T) {
	h := story(t, "chain")
	p := draw.NewTrace(broken{}, h.began, h.rules, projection.Filter{}, "")
	h.fold(p)
	require.ErrorIs(t, p.Err(), errBroken)
	_, err := p.Finish()
	require.ErrorIs(t, err, errBroken)
	r := draw.NewRows(broken{}, h.began, projection.Filter{})
	h.fold(r)
	require.ErrorIs(t, r.Err(), errBroken)
	w := window{locks: 1, cells: draw.TextCells(80), most: 10}
	require.ErrorIs(t, h.board(t, w).WriteText(broken{}, draw.TextOptions{}), errBroken)
	w.cells = draw.SVGCells
	require.ErrorIs(t, h.board(t, w).WriteSVG(broken{}), errBroken)
}
