package journal

import (
	"io"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

func snapshotsOfAnyLength(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.NoError(t, j.Append(samples(1, 20)...))
	lengths := []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 4 * chunkSize, 600_000}
	for i, n := range lengths {
		addSnapshot(t, j, uint64(i+1), n)
	}
	list, err := j.Snapshots()
	require.NoError(t, err)
	require.Len(t, list, len(lengths))
	for i, n := range lengths {
		sequence := uint64(i + 1)
		require.Equal(t, Snapshot{Sequence: sequence, Fingerprint: sample(sequence).Fingerprint, Bytes: uint64(n)}, list[i])
		r, err := j.OpenSnapshot(sequence)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, content(n), got)
		require.NoError(t, r.Close())
	}
	for i := range lengths {
		require.NoError(t, j.DeleteSnapshot(uint64(i+1)))
	}
	list, err = j.Snapshots()
	require.NoError(t, err)
	require.Empty(t, list)
	require.Equal(t, samples(1, 20), collect(t, j, 0, 0))
}

func unfinishedSnapshot(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.NoError(t, j.Append(samples(1, 20)...))
	w, err := j.CreateSnapshot(7, sample(7).Fingerprint)
	require.NoError(t, err)
	_, err = w.Write(content(500_000))
	require.NoError(t, err)
	_, err = j.CreateSnapshot(8, [16]byte{})
	require.Error(t, err, "one at a time")
	list, err := j.Snapshots()
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = j.OpenSnapshot(7)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, j.DeleteSnapshot(7), fs.ErrNotExist)
	require.NoError(t, w.Close())
	require.ErrorIs(t, w.Commit(), ErrClosed)
	_, err = w.Write([]byte("more"))
	require.ErrorIs(t, err, ErrClosed)
	addSnapshot(t, j, 7, 300) // given up, it is out of the way
	require.NoError(t, w.Close(), "twice does nothing")
	list, err = j.Snapshots()
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func snapshotsKeepTheirPlace(t *testing.T, create func(Genesis) Journal) {
	j := create(testGenesis())
	require.NoError(t, j.Append(samples(1, 20)...))
	addSnapshot(t, j, 9, 100)
	addSnapshot(t, j, 4, 100)
	_, err := j.CreateSnapshot(9, [16]byte{})
	require.ErrorIs(t, err, fs.ErrExist)
	w, err := j.CreateSnapshot(21, sample(21).Fingerprint)
	require.NoError(t, err, "the record may become durable while the snapshot is written")
	require.ErrorIs(t, w.Commit(), ErrSequence, "but has to be by the end")
	require.NoError(t, j.Append(sample(21)))
	require.NoError(t, w.Commit())
	list, err := j.Snapshots()
	require.NoError(t, err)
	require.Equal(t, []uint64{4, 9, 21}, []uint64{list[0].Sequence, list[1].Sequence, list[2].Sequence})
}
