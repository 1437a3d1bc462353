package journal

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
)

// testGenesis is a genesis that is the same in every run.
func testGenesis() Genesis {
	return Genesis{Format: Format, Rules: events.Current, ID: [16]byte([]byte("a journal's name"))}
}

// sample is record number sequence of every test: an acquire with names of 20
// bytes, granted.
func sample(sequence uint64) Record {
	at := 1_700_000_000 + int64(sequence)
	client := fmt.Sprintf("client-%013d", sequence%1000)
	lock := fmt.Sprintf("exports/daily/%06d", sequence%500)
	event := events.Append(nil, events.Acquire{At: at, Client: client, Lock: lock, TTL: 3600, Mode: events.Exclusive})
	answer := events.Granted{Token: int64(sequence%4000 + 1), ExpiresAt: at + 3600}.AppendJSON(nil)
	r := Record{Sequence: sequence, Event: event, Answer: NewAnswer(answer)}
	for i := range r.Fingerprint {
		r.Fingerprint[i] = byte(sequence*0x9e3779b97f4a7c15>>(i*4)) | 1
	}
	return r
}

// samples are the records from one sequence to another.
func samples(first, last uint64) []Record {
	var list []Record
	for ; first <= last; first++ {
		list = append(list, sample(first))
	}
	return list
}

// newFile is an empty journal in the test's own directory.
func newFile(t testing.TB, options Options) *File {
	t.Helper()
	f, err := Create(filepath.Join(t.TempDir(), "test.journal"), testGenesis(), options)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

// content is what a snapshot of n bytes holds in every test.
func content(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i>>8) ^ byte(i*7)
	}
	return b
}

// addSnapshot writes a snapshot of n bytes.
func addSnapshot(t testing.TB, j Journal, sequence uint64, n int) {
	t.Helper()
	w, err := j.CreateSnapshot(sequence, sample(sequence).Fingerprint)
	require.NoError(t, err)
	_, err = w.Write(content(n))
	require.NoError(t, err)
	require.NoError(t, w.Commit())
}
