package projection_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/projection"
	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the drawings in testdata with those of today")

// TestStories draws the projections of the stories in testdata. Each is text:
//
//	# Plain words. The rules that the story is about are cited by number.
//	["acquire", 0, "a", "L", 30]   an operation
//	cut                            projections begin here from now on
//	timeline                       the drawing of a projection follows, indented;
//	timeline until 50              or with what lapses up to an instant
//	careers a b                    of these clients
//	fencing, contention, deadlocks, activity 10
//
// With -rewrite, the indented lines are drawn anew.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			drawn := perform(t, string(text))
			if *rewrite {
				require.NoError(t, os.WriteFile(file, []byte(drawn), 0o644))
				return
			}
			require.Equal(t, string(text), drawn)
		})
	}
}

// stage is where a story is: what came since the projections begin.
type stage struct {
	began   fsm.State
	history []events.Event
}

func perform(t *testing.T, text string) string {
	var out strings.Builder
	s := stage{began: fresh(t)}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		out.WriteString(line)
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			event, err := events.Current.Parse([]byte(line))
			require.NoError(t, err, line)
			s.history = append(s.history, event)
		case line == "cut":
			s = stage{began: projection.Fold(s.began, slices.Values(s.history))}
		default:
			for drawn := range strings.Lines(s.draw(t, strings.Fields(line))) {
				out.WriteString("  " + drawn)
			}
		}
	}
	return out.String()
}

// fold feeds a projection with the story so far and, if the line says so, with
// what lapses after it.
func (s *stage) fold(t *testing.T, p projection.Projection, line []string) {
	state := projection.Fold(s.began, slices.Values(s.history), p)
	if i := slices.Index(line, "until"); i > 0 {
		ts, err := strconv.ParseInt(line[i+1], 10, 64)
		require.NoError(t, err)
		step := projection.Until(state, ts)
		p.Apply(&step)
	}
}

func (s *stage) draw(t *testing.T, line []string) string {
	var out strings.Builder
	switch line[0] {
	case "timeline":
		c := projection.CollectTimeline(s.began, projection.Filter{})
		s.fold(t, c, line)
		rows := c.Rows()
		return rows.Describe()
	case "careers":
		c := projection.CollectCareers(s.began, line[1:])
		s.fold(t, c, nil)
		for _, career := range c.Rows() {
			out.WriteString(career.Describe())
		}
		return out.String()
	case "fencing":
		var writes []projection.FencedWrite
		f := projection.NewFencing(s.began, projection.FencingOptions{Write: func(w projection.FencedWrite) { writes = append(writes, w) }})
		s.fold(t, f, line)
		for i := range writes {
			fmt.Fprintln(&out, writes[i].String())
		}
		return out.String() + projection.DescribeFencing(writes, f.Counts())
	case "contention":
		c := projection.NewContention(s.began, projection.ContentionOptions{})
		s.fold(t, c, line)
		report := c.Report()
		return report.Describe()
	case "deadlocks":
		s.fold(t, projection.NewDeadlocks(s.began, func(d projection.Deadlock) {
			fmt.Fprintf(&out, "%s\n%s", d.String(), d.Describe())
		}), line)
		return out.String()
	}
	return s.drawActivity(t, line)
}

func (s *stage) drawActivity(t *testing.T, line []string) string {
	require.Equal(t, "activity", line[0])
	width, err := strconv.ParseInt(line[1], 10, 64)
	require.NoError(t, err)
	var buckets []projection.Bucket
	a := projection.NewActivity(s.began, width, func(b projection.Bucket) { buckets = append(buckets, b) })
	s.fold(t, a, line)
	a.Flush()
	return projection.DescribeActivity(buckets, a.Totals())
}
