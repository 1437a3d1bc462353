//go:build unix

package journal

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
)

// BenchmarkAppend compares commits of a journal with bare bbolt Puts of the
// same bytes in the same batches, turn by turn in one run: "ratio" is bare
// time divided by the journal's.
func BenchmarkAppend(b *testing.B) {
	for _, batch := range []int{1, 16, 256} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			f := newFile(b, Options{})
			bare, err := bbolt.Open(filepath.Join(b.TempDir(), "bare"), 0o600, &bbolt.Options{PageSize: 4096, FreelistType: bbolt.FreelistMapType})
			require.NoError(b, err)
			defer bare.Close()
			var ours, theirs float64
			for b.Loop() {
				records := samples(f.Last()+1, f.Last()+uint64(batch))
				values := make([][]byte, batch)
				for i := range records {
					values[i] = records[i].append(nil)[keySize:]
				}
				start := b.Elapsed()
				if err := f.Append(records...); err != nil {
					b.Fatal(err)
				}
				middle := b.Elapsed()
				err := bare.Update(func(tx *bbolt.Tx) error {
					bucket, _ := tx.CreateBucketIfNotExists([]byte(eventsBucket))
					bucket.FillPercent = fill
					for i := range values {
						if err := bucket.Put(binary.BigEndian.AppendUint64(nil, records[i].Sequence), values[i]); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
				ours += (middle - start).Seconds()
				theirs += (b.Elapsed() - middle).Seconds()
			}
			b.ReportMetric(theirs/ours, "ratio")
			b.ReportMetric(float64(b.N*batch)/ours, "records/s")
			b.ReportMetric(float64(b.N*batch)/theirs, "bare-records/s")
		})
	}
}

// filled is a journal of n records with one snapshot.
func filled(b testing.TB, n uint64, batch uint64) *File {
	f := newFile(b, Options{bulk: true})
	for f.Last() < n {
		require.NoError(b, f.Append(samples(f.Last()+1, min(n, f.Last()+batch))...))
	}
	return f
}

// BenchmarkScan scans a journal written in batches of 1 and of 256.
func BenchmarkScan(b *testing.B) {
	for _, batch := range []uint64{1, 256} {
		n := uint64(100_000) * min(batch, 5)
		f := filled(b, n, batch)
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			start := coreTime()
			for b.Loop() {
				for _, err := range f.Scan(0, 0) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.N)*float64(n)/(coreTime()-start).Seconds(), "records/s/core")
		})
	}
}

// BenchmarkVerify verifies a journal on one core.
func BenchmarkVerify(b *testing.B) {
	const n = 500_000
	f := filled(b, n, 256)
	b.ReportAllocs()
	start := coreTime()
	for b.Loop() {
		r, err := Verify(f.Path(), VerifyOptions{})
		if err != nil || r.Records != n {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*n/(coreTime()-start).Seconds(), "records/s/core")
}

// coreTime is how long this process has kept cores busy.
func coreTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOpen opens a journal of 500,000 records for writing.
func BenchmarkOpen(b *testing.B) {
	f := filled(b, 500_000, 256)
	require.NoError(b, f.Close())
	for b.Loop() {
		f, err := Open(f.Path(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}

// BenchmarkDisk reports the bytes a record takes on disk, pages and all.
func BenchmarkDisk(b *testing.B) {
	for _, batch := range []uint64{1, 16, 256} {
		b.Run(fmt.Sprint(batch), func(b *testing.B) {
			const n = 20_000
			for b.Loop() {
				f := filled(b, n, batch)
				report, err := Verify(f.Path(), VerifyOptions{})
				require.NoError(b, err)
				b.ReportMetric(float64(report.Pages*4096)/n, "B/record")
				b.ReportMetric(float64(report.Pages-report.Free)*4096/n, "live-B/record")
				first := sample(1)
				b.ReportMetric(float64(len(first.append(nil))-keySize), "B/value")
			}
		})
	}
}
