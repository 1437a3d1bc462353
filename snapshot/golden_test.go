package snapshot_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

var rewrite = flag.Bool("rewrite", false, "write golden files of the version of the format that Write makes")

// goldens are the states of the golden files.
func goldens(t *testing.T) map[string]fsm.State {
	states := map[string]fsm.State{"small": after(t, small()...)}
	for edition := events.Edition1; edition <= events.Edition3; edition++ {
		s, err := fsm.New(events.Rules{Edition: edition, Unit: events.Millisecond})
		require.NoError(t, err)
		states[fmt.Sprintf("edition%d-fresh", edition)] = s
		s, _ = fsm.Apply(s, acquire(1_700_000_000_000, "job-7", "exports/daily", 30_000, events.Exclusive))
		s, _ = fsm.Apply(s, acquire(1_700_000_000_001, "job-8", "exports/daily", 20_000, events.Exclusive))
		states[fmt.Sprintf("edition%d", edition)] = s
	}
	m := begin(t, events.Current)
	for i := range 6000 {
		m.Apply(acquire(int64(i/100), fmt.Sprintf("job-%d", i*7919%6007), fmt.Sprintf("lock-%d", i%2000), 86400, events.Shared))
	}
	m.Apply(events.Write{At: 70, Lock: "lock-7", Key: "report", Value: strings.Repeat("all is well; ", 20_000), Token: 1})
	states["chunks"] = m.State()
	return states
}

// Snapshots that were once written can be read for ever, by every later
// version, and mean the same.
func TestGoldenSnapshots(t *testing.T) {
	if *rewrite {
		for name, s := range goldens(t) {
			path := filepath.Join("testdata", fmt.Sprintf("v%d-%s", snapshot.Version, name))
			stream := write(t, s)
			require.NoError(t, os.WriteFile(path+".snapshot", stream, 0o644))
			require.NoError(t, os.WriteFile(path+".txt", []byte(describe(t, stream)), 0o644))
		}
	}
	files, err := filepath.Glob("testdata/*.snapshot")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), len(goldens(t)))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			stream, err := os.ReadFile(file)
			require.NoError(t, err)
			want, err := os.ReadFile(strings.TrimSuffix(file, "snapshot") + "txt")
			require.NoError(t, err)
			require.Equal(t, string(want), describe(t, stream))
		})
	}
}

// The canonical bytes of the golden states are still the same.
func TestGoldenStatesAreStillWrittenTheSame(t *testing.T) {
	for name, s := range goldens(t) {
		file, err := os.Open(filepath.Join("testdata", fmt.Sprintf("v%d-%s.snapshot", snapshot.Version, name)))
		require.NoError(t, err)
		golden, err := snapshot.Verify(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		written, err := snapshot.Verify(bytes.NewReader(write(t, s)))
		require.NoError(t, err)
		golden.Size, written.Size = 0, 0 // the compression may differ
		require.Equal(t, golden, written, name)
	}
}

// The example in the description of the format is what Write makes.
func TestExampleOfTheDescription(t *testing.T) {
	page, err := os.ReadFile("../docs/snapshot-format.md")
	require.NoError(t, err)
	_, example, ok := strings.Cut(string(page), "\n## Example\n")
	require.True(t, ok)
	var described []byte
	for line := range strings.Lines(example) {
		if line, ok := strings.CutPrefix(line, "    "); ok && len(line) > 48 {
			described = append(described, unhex(t, line[:48])...)
		}
	}
	s := after(t, acquire(0, "a", "L", 30, events.Exclusive), acquire(5, "b", "L", 20, events.Shared))
	require.Equal(t, hex.Dump(write(t, s)), hex.Dump(described))
}

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

// describe tells in words what a snapshot holds.
func describe(t *testing.T, stream []byte) string {
	info, err := snapshot.Verify(bytes.NewReader(stream))
	require.NoError(t, err)
	s, err := read(stream)
	require.NoError(t, err)
	require.Equal(t, info.Whole, s.Whole())

	var text strings.Builder
	fmt.Fprintf(&text, "version %d, %d bytes, canonical %d\n", info.Version, info.Size, info.Content)
	fmt.Fprintf(&text, "edition %d, %d ticks a second\n", info.Rules.Edition, info.Rules.Unit)
	fmt.Fprintf(&text, "sequence %d, clock %d (started: %t)\n", info.Sequence, info.Clock, info.Started)
	fmt.Fprintf(&text, "%d clients, %d locks, %d leases, %d requests, %d values\n",
		info.Rows.Clients, info.Rows.Locks, info.Rows.Leases, info.Rows.Requests, info.Rows.Values)
	fmt.Fprintf(&text, "fingerprint %s\ndigest %s\n", info.Fingerprint, info.Digest)
	n := 0
	for row := range rows(s) {
		if n++; n > 40 {
			text.WriteString("and more\n")
			break
		}
		fmt.Fprintf(&text, "%.200s\n", row)
	}
	return text.String()
}

// rows yields the rows of a state in words.
func rows(s fsm.State) iter.Seq[string] {
	return func(yield func(string) bool) {
		for c := range s.Clients() {
			if !yield(fmt.Sprintf("client %q: age %d", c.Name, c.Age)) {
				return
			}
		}
		for l := range s.Locks() {
			list := []string{fmt.Sprintf("lock %q: counter %d, mark %d", l.Name, l.Counter, l.Mark)}
			for _, h := range l.Leases {
				list = append(list, fmt.Sprintf("  lease %q: %s, token %d, until %d, turn %d", h.Client, h.Mode, h.Token, h.ExpiresAt, h.Turn))
			}
			for _, q := range l.Queue {
				list = append(list, fmt.Sprintf("  request %q: %s, ttl %d, turn %d", q.Client, q.Mode, q.TTL, q.Turn))
			}
			for _, v := range l.Values {
				list = append(list, fmt.Sprintf("  value %q: %q", v.Key, v.Value))
			}
			for _, row := range list {
				if !yield(row) {
					return
				}
			}
		}
	}
}
