package snapshot_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// What Read may allocate at most: so many bytes for each byte of the input, and
// so many besides. A byte of a snapshot unpacks to 32 canonical bytes at most,
// and the rows of a state take up to 60 bytes for each of these, with all that
// is allocated on the way. The rest is the decompressor's and a chunk's.
const (
	allocatedPerByte = 32 * 64
	allocatedBesides = 2 << 20
)

// allocated is how many bytes f allocates: the least of a few runs, because
// other goroutines may allocate meanwhile.
func allocated(f func()) uint64 {
	least := ^uint64(0)
	var before, after runtime.MemStats
	for range 3 {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// requireSafe reads bytes that may be anything.
func requireSafe(t *testing.T, stream []byte) (s fsm.State, err error) {
	used := allocated(func() { s, err = read(stream) })
	require.LessOrEqual(t, used, uint64(allocatedPerByte*len(stream)+allocatedBesides))
	if err != nil {
		require.True(t, errors.Is(err, snapshot.ErrCorrupt) || errors.Is(err, snapshot.ErrVersion), err)
		return s, err
	}
	require.NoError(t, fsm.Check(s))
	info, err := snapshot.Verify(bytes.NewReader(stream))
	require.NoError(t, err)
	again, err := snapshot.Verify(bytes.NewReader(write(t, s)))
	require.NoError(t, err)
	require.Equal(t, info.Digest, again.Digest, "Read has accepted a second form of the same state")
	return s, nil
}

// The most that a snapshot can make of its bytes: rows as small as can be, with
// names that pack as well as can be.
func TestMemoryIsBoundedByTheInput(t *testing.T) {
	m := begin(t, events.Current)
	for i := range 1 << 14 {
		name := string([]byte{byte('A' + i>>12), byte('0' + i>>6&63), byte('0' + i&63)})
		m.Apply(acquire(1, "c", name, 1, events.Exclusive))
	}
	m.Apply(events.Inspect{At: 9, Lock: "c"})
	stream := write(t, m.State())
	require.Less(t, len(stream), 1<<14, "less than a byte a lock")
	_, err := requireSafe(t, stream)
	require.NoError(t, err)
}

// Whoever promises much gets no memory for it.
func TestPromisesCostNothing(t *testing.T) {
	gigabyte := []byte("\x28\xb5\x2f\xfd\xa0\x00\x00\x00\x40\x01\x00\x00") // a zstd frame with one block
	rows := []byte("\x01\xff\xff\xff\xff\x0fa")                            // a name of 4 GiB
	for what, frame := range map[string][]byte{
		"content":   seal(2, 1, 1, snapshot.ChunkBytes, gigabyte),
		"zstd":      seal(2, 1, 1, 10*len(gigabyte), gigabyte),
		"text":      seal(2, 0, 1, len(rows), rows),
		"long text": join(seal(2, 0, 1, snapshot.ChunkBytes, append(rows, make([]byte, snapshot.ChunkBytes-len(rows))...))),
	} {
		t.Run(what, func(t *testing.T) {
			forged, _ := copied()
			forged.frames = [][]byte{frame}
			_, err := requireSafe(t, forged.bytes())
			require.ErrorIs(t, err, snapshot.ErrCorrupt)
		})
	}
}

// Whatever bytes come, Read does not panic and takes memory in proportion to
// them; what it accepts is written as the same canonical bytes.
func FuzzRead(f *testing.F) {
	f.Add(write(f, after(f)))
	f.Add(write(f, after(f, small()...)))
	forged, _ := copied()
	f.Add(forged.bytes())
	f.Fuzz(func(t *testing.T, stream []byte) { requireSafe(t, stream) })
}

// The same for rows whose checksums, digest and counts are right.
func FuzzRows(f *testing.F) {
	forged, _ := copied()
	f.Add(forged.rows, forged.clock, forged.turns, uint8(3), false)
	f.Add([]byte("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a"), int64(0), uint64(0), uint8(1), true)
	f.Fuzz(func(t *testing.T, rows []byte, clock int64, turns uint64, edition uint8, packed bool) {
		forged, _ := copied()
		forged.rows, forged.clock, forged.turns, forged.edition = rows, clock, turns, uint64(edition)
		if n := len(rows); packed && n > 0 && n <= snapshot.ChunkBytes {
			forged.frames = [][]byte{seal(2, 1, 1, n, zip(t, rows))}
		}
		requireSafe(t, forged.bytes())
	})
}
