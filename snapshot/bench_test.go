package snapshot_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/load"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// loaded is a state of so many locks after as many events of the mixed load:
// most locks are held, some have a queue, some have stored values.
func loaded(b *testing.B, locks int) fsm.State {
	l := load.Mixed(load.Config{Locks: locks, Events: locks, Seed: 1})
	m := begin(b, load.Rules)
	for _, e := range l.Setup {
		m.Apply(e)
	}
	for _, e := range l.Stream {
		m.Apply(e)
	}
	return m.State()
}

// BenchmarkSnapshot measures a whole snapshot, written to nowhere and read from
// memory.
func BenchmarkSnapshot(b *testing.B) {
	for _, locks := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("locks=%d", locks), func(b *testing.B) { benchmark(b, loaded(b, locks)) })
	}
}

func benchmark(b *testing.B, s fsm.State) {
	var stream bytes.Buffer
	info, err := snapshot.Write(&stream, s)
	require.NoError(b, err)
	for _, task := range []struct {
		name string
		do   func() error
	}{
		{"write", func() error { _, err := snapshot.Write(io.Discard, s); return err }},
		{"verify", func() error { _, err := snapshot.Verify(bytes.NewReader(stream.Bytes())); return err }},
		{"read", func() error { _, err := snapshot.Read(bytes.NewReader(stream.Bytes())); return err }},
	} {
		b.Run(task.name, func(b *testing.B) {
			runtime.GC()
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, task.do())
			}
			leases := float64(info.Rows.Leases)
			b.ReportMetric(leases*float64(b.N)/b.Elapsed().Seconds(), "leases/s")
			b.ReportMetric(float64(info.Size)/leases, "B/lease")
			b.ReportMetric(float64(info.Content)/leases, "canonical-B/lease")
		})
	}
}
