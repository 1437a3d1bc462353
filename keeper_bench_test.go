package leasekeeper_test

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/internal/load"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
)

// long makes the benchmarks of whole journals as long as docs/performance.md
// quotes them; without it each takes a second or two.
var long = flag.Bool("long", false, "benchmark journals of millions of events")

var loadOptions = leasekeeper.Options{Rules: load.Rules, SnapshotEvery: -1, SnapshotBytes: -1}

// loaded is a fresh journal file for a load.
func loaded(b testing.TB) journal.Journal {
	g, err := journal.NewGenesis(load.Rules, nil)
	require.NoError(b, err)
	return newFile(b, g)
}

// BenchmarkKeeper compares durable operations through a Keeper with bare bbolt
// Puts of as many bytes in batches as large as the Keeper's were, round by
// round in the same run: "ratio" is the Keeper's rate divided by the bare one.
// An op is an operation.
func BenchmarkKeeper(b *testing.B) {
	for _, callers := range []int{1, 256} {
		b.Run(fmt.Sprint("callers=", callers), func(b *testing.B) {
			counted := &counting{Journal: loaded(b)}
			k, err := leasekeeper.Keep(counted, loadOptions)
			require.NoError(b, err)
			bare := newBare(b)
			var ours, theirs time.Duration
			commits := 0
			for round := range slices.Chunk(load.Mixed(load.Config{Locks: 10_000, Events: b.N, Seed: 1}).Stream, 40*callers) {
				counted.commits, counted.bytes = 0, 0
				ours += throughKeeper(b, k, round, callers)
				commits += counted.commits
				theirs += bare.puts(b, len(round), max(1, len(round)/counted.commits), counted.bytes/len(round))
			}
			require.NoError(b, k.Close())
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "ratio")
			b.ReportMetric(float64(b.N)/float64(commits), "events/commit")
			b.ReportMetric(float64(b.N)/ours.Seconds(), "events/s")
		})
	}
}

// throughKeeper is how long callers take for a round of operations.
func throughKeeper(b *testing.B, k *leasekeeper.Keeper, round []events.Event, callers int) time.Duration {
	start := time.Now()
	var group sync.WaitGroup
	for c := range callers {
		group.Go(func() {
			for i := c; i < len(round); i += callers {
				if _, err := k.Do(context.Background(), round[i]); err != nil {
					panic(err)
				}
			}
		})
	}
	group.Wait()
	return time.Since(start)
}

// counting counts what a Keeper commits.
type counting struct {
	journal.Journal
	commits, bytes int
}

// Append implements journal.Journal.
func (c *counting) Append(records ...journal.Record) error {
	c.commits++
	for _, r := range records {
		text, _ := r.Answer.JSON()
		c.bytes += len(r.Event) + len(text) + journal.FingerprintSize + 10
	}
	return c.Journal.Append(records...)
}

// bare is a bbolt file without anything around it.
type bare struct {
	db *bbolt.DB
	n  uint64
}

func newBare(b *testing.B) *bare {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "bare"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, db.Close()) })
	return &bare{db: db}
}

// puts is how long it takes for n records more.
func (f *bare) puts(b *testing.B, n, batch, size int) time.Duration {
	value := make([]byte, size)
	start := time.Now()
	for n > 0 {
		require.NoError(b, f.db.Update(func(tx *bbolt.Tx) error {
			bucket, err := tx.CreateBucketIfNotExists([]byte("events"))
			if err != nil {
				return err
			}
			bucket.FillPercent = 0.9
			for range min(n, batch) {
				f.n++
				if err := bucket.Put(binary.BigEndian.AppendUint64(nil, f.n), value); err != nil {
					return err
				}
			}
			return nil
		}))
		n -= batch
	}
	return time.Since(start)
}

// written is a journal of n events of a mixed load over as many locks, and
// the load's events.
func written(b testing.TB, locks, n int) (journal.Journal, []events.Event) {
	l := load.Mixed(load.Config{Locks: locks, Events: n, Seed: 1})
	history := slices.Concat(l.Setup, l.Stream)
	j := loaded(b)
	k, err := leasekeeper.Keep(keepOpen{j}, loadOptions)
	require.NoError(b, err)
	for part := range slices.Chunk(history, 4096) {
		_, err := k.DoAll(b.Context(), part...)
		require.NoError(b, err)
	}
	require.NoError(b, k.Close())
	return j, history
}

// BenchmarkReplay compares a replay (scan, checksums, decode, apply, compare)
// with applying the same events in place: "ratio" is the replay's time divided
// by the bare one's. An op is a whole replay.
func BenchmarkReplay(b *testing.B) {
	locks, n := 10_000, 100_000
	if *long {
		locks, n = 100_000, 2_000_000
	}
	j, history := written(b, locks, n)
	defer j.Close()
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		final, err := leasekeeper.Replay(j, leasekeeper.ReplayOptions{})
		require.NoError(b, err)
		ours += time.Since(start)
		start = time.Now()
		state, err := fsm.New(load.Rules)
		require.NoError(b, err)
		m := fsm.NewMachine(state)
		for _, e := range history {
			m.Apply(e)
		}
		theirs += time.Since(start)
		require.Equal(b, m.Fingerprint(), final.Fingerprint())
	}
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "ratio")
	b.ReportMetric(float64(b.N*len(history))/ours.Seconds(), "events/s")
}

// BenchmarkOpen compares opening with a snapshot near the end with a replay from
// the genesis: "ratio" is the replay's time divided by the opening's. An op is
// an opening.
func BenchmarkOpen(b *testing.B) {
	locks, n := 1_000, 200_000
	if *long {
		locks, n = 10_000, 5_000_000
	}
	j, _ := written(b, locks, n)
	defer j.Close()
	k, err := leasekeeper.Keep(keepOpen{j}, loadOptions)
	require.NoError(b, err)
	require.NoError(b, k.Snapshot(b.Context()))
	for range 1000 { // a tail
		_, err := k.Do(b.Context(), events.Inspect{At: 1 << 50, Lock: "L"})
		require.NoError(b, err)
	}
	require.NoError(b, k.Close())
	start := time.Now()
	_, err = leasekeeper.Replay(j, leasekeeper.ReplayOptions{})
	require.NoError(b, err)
	genesis := time.Since(start)
	for b.Loop() {
		k, err := leasekeeper.Keep(keepOpen{j}, loadOptions)
		require.NoError(b, err)
		require.NoError(b, k.Close())
	}
	b.ReportMetric(genesis.Seconds()/(b.Elapsed().Seconds()/float64(b.N)), "ratio")
}

// BenchmarkBesideSnapshot compares the 99th percentile of one caller's waits
// with and without a snapshot being written beside it: "ratio" is the first
// divided by the second. An op is an operation.
func BenchmarkBesideSnapshot(b *testing.B) {
	locks := 20_000
	if *long {
		locks = 1_000_000
	}
	l := load.Mixed(load.Config{Locks: locks, Events: 2 * max(b.N, 1000), Seed: 1})
	j := loaded(b)
	k, err := leasekeeper.Keep(j, loadOptions)
	require.NoError(b, err)
	for part := range slices.Chunk(l.Setup, 4096) {
		_, err := k.DoAll(b.Context(), part...)
		require.NoError(b, err)
	}
	ctx, stop := context.WithCancel(b.Context())
	b.ResetTimer()
	half := len(l.Stream) / 2
	without := waits(b, k, l.Stream[:half])
	writing := make(chan struct{})
	go func() {
		defer close(writing)
		for ctx.Err() == nil {
			_ = k.Snapshot(ctx)
		}
	}()
	with := waits(b, k, l.Stream[half:])
	stop()
	<-writing
	b.ReportMetric(float64(with)/float64(without), "ratio")
	b.ReportMetric(float64(without.Microseconds()), "µs-without")
	b.ReportMetric(float64(with.Microseconds()), "µs-with")
	start := time.Now()
	for range 1000 {
		k.State()
	}
	b.ReportMetric(float64(time.Since(start).Nanoseconds())/1000, "ns/State")
	require.NoError(b, k.Close())
}

// waits is the 99th percentile of the time that an operation takes.
func waits(b *testing.B, k *leasekeeper.Keeper, stream []events.Event) time.Duration {
	var all []time.Duration
	for _, e := range stream {
		start := time.Now()
		_, err := k.Do(b.Context(), e)
		require.NoError(b, err)
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	return all[len(all)*99/100]
}
