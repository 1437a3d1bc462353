package coordinator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/leasekeeper/leasekeeper"
	"github.com/stretchr/testify/require"
)

// plain is the baseline: the same promises to one process without a history,
// by one mutex and two maps.
type plain struct {
	mu     sync.Mutex
	leases map[string]plainLease
	tokens map[string]uint64
}

type plainLease struct {
	id      string
	token   uint64
	expires time.Time
}

var errPlain = errors.New("held or not found")

func (p *plain) grant(ctx context.Context, key string, term time.Duration) (plainLease, error) {
	if err := ctx.Err(); err != nil {
		return plainLease{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if held, ok := p.leases[key]; ok && held.expires.After(now) {
		return plainLease{}, errPlain
	}
	token := p.tokens[key] + 1
	lease := plainLease{fmt.Sprintf("%s-%d-%d", key, token, now.UnixNano()), token, now.Add(term)}
	p.leases[key], p.tokens[key] = lease, token
	return lease, nil
}

func (p *plain) release(ctx context.Context, key, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if held, ok := p.leases[key]; !ok || held.id != id {
		return errPlain
	}
	delete(p.leases, key)
	return nil
}

// BenchmarkGrantRelease has a goal: in memory at most four times the baseline
// of the same run. The two take turns, and the quickest turns are compared, so
// that a busy machine disturbs both alike or neither.
func BenchmarkGrantRelease(b *testing.B) {
	ctx := context.Background()
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "key-" + strconv.Itoa(i)
	}
	p := &plain{leases: map[string]plainLease{}, tokens: map[string]uint64{}}
	c := benchCoordinator(b)
	quickest := [2]time.Duration{time.Hour, time.Hour}
	for b.Loop() {
		start := time.Now()
		for _, key := range keys {
			lease, err := p.grant(ctx, key, time.Minute)
			if err != nil || p.release(ctx, key, lease.id) != nil {
				b.Fatal("the key is free", err)
			}
		}
		between := time.Now()
		for _, key := range keys {
			lease, err := c.Grant(ctx, key, time.Minute)
			if err != nil || c.Release(ctx, key, lease.ID) != nil {
				b.Fatal("the key is free", err)
			}
		}
		quickest[0] = min(quickest[0], between.Sub(start))
		quickest[1] = min(quickest[1], time.Since(between))
	}
	b.ReportMetric(0, "ns/op") // of a turn of both, which says nothing
	b.ReportMetric(float64(quickest[0].Nanoseconds())/float64(len(keys)), "ns/baseline")
	b.ReportMetric(float64(quickest[1].Nanoseconds())/float64(len(keys)), "ns/pair")
	b.ReportMetric(float64(quickest[1])/float64(quickest[0]), "times-baseline")
}

func benchCoordinator(b *testing.B, list ...Option) *Coordinator {
	c, err := New(list...)
	require.NoError(b, err)
	return c
}

func BenchmarkRenew(b *testing.B) {
	b.ReportAllocs()
	c := benchCoordinator(b)
	lease := grant(b, c, "k", time.Hour)
	for range b.N {
		if _, err := c.Renew(context.Background(), "k", lease.ID, time.Hour); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckToken(b *testing.B) {
	b.ReportAllocs()
	c := benchCoordinator(b)
	grant(b, c, "k", time.Hour)
	for range b.N {
		if !c.CheckToken("k", 1) {
			b.Fatal("the token is good")
		}
	}
}

// BenchmarkJournaledRenew shows how callers share commits: each renews its own
// key, and every renewal is on the disk before it is told.
func BenchmarkJournaledRenew(b *testing.B) {
	for _, callers := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			k, err := leasekeeper.Open(filepath.Join(b.TempDir(), "journal"), leasekeeper.Options{Rules: rules})
			require.NoError(b, err)
			defer k.Close()
			c := benchCoordinator(b, WithJournal(k))
			leases := make([]*Lease, callers)
			for i := range leases {
				leases[i] = grant(b, c, strconv.Itoa(i), time.Hour)
			}
			b.ResetTimer()
			var left atomic.Int64
			left.Store(int64(b.N))
			var group sync.WaitGroup
			for _, lease := range leases {
				group.Go(func() {
					for left.Add(-1) >= 0 {
						if _, err := c.Renew(context.Background(), lease.Key, lease.ID, time.Hour); err != nil {
							b.Error(err)
						}
					}
				})
			}
			group.Wait()
		})
	}
}
