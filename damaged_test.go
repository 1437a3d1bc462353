package leasekeeper_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/leasekeeper/leasekeeper"
	"github.com/leasekeeper/leasekeeper/journal"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
)

// inBolt changes a bucket of a journal file behind the journal's back.
func inBolt(bucket string, change func(t testing.TB, b *bbolt.Bucket)) func(t testing.TB, path string) {
	return func(t testing.TB, path string) {
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{PageSize: 4096, FreelistType: bbolt.FreelistMapType})
		require.NoError(t, err)
		require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
			change(t, tx.Bucket([]byte(bucket)))
			return nil
		}))
		require.NoError(t, db.Close())
	}
}

// inFile changes the bytes of a journal file.
func inFile(change func(b []byte) []byte) func(t testing.TB, path string) {
	return func(t testing.TB, path string) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, change(slices.Clone(b)), 0o600))
	}
}

func sequenceKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// damages are ways to spoil a golden journal, each with what must be said
// about it.
var damages = map[string]struct {
	spoil func(t testing.TB, path string)
	said  string
}{
	"a flipped bit in a record": {inBolt("events", func(t testing.TB, b *bbolt.Bucket) {
		value := slices.Clone(b.Get(sequenceKey(123)))
		value[len(value)/2] ^= 1
		require.NoError(t, b.Put(sequenceKey(123), value))
	}), "record 123"},
	"a record is missing": {inBolt("events", func(t testing.TB, b *bbolt.Bucket) {
		require.NoError(t, b.Delete(sequenceKey(50)))
	}), "record 50"},
	"the last record is missing": {inBolt("events", func(t testing.TB, b *bbolt.Bucket) {
		last, _ := b.Cursor().Last()
		require.NoError(t, b.Delete(slices.Clone(last)))
	}), ""},
	"two records have changed places": {inBolt("events", func(t testing.TB, b *bbolt.Bucket) {
		x, y := slices.Clone(b.Get(sequenceKey(60))), slices.Clone(b.Get(sequenceKey(61)))
		require.NoError(t, b.Put(sequenceKey(60), y))
		require.NoError(t, b.Put(sequenceKey(61), x))
	}), "record 60"},
	"a record after the end": {inBolt("events", func(t testing.TB, b *bbolt.Bucket) {
		require.NoError(t, b.Put(sequenceKey(1<<40), slices.Clone(b.Get(sequenceKey(1)))))
	}), ""},
	"a link that the chain does not have": {inBolt("chain", func(t testing.TB, b *bbolt.Bucket) {
		require.NoError(t, b.Put(sequenceKey(16), make([]byte, 32)))
	}), ""},
	"another genesis": {inBolt("meta", func(t testing.TB, b *bbolt.Bucket) {
		value := slices.Clone(b.Get([]byte("genesis")))
		value[len(value)-8] ^= 1
		require.NoError(t, b.Put([]byte("genesis"), value))
	}), "genesis"},
	"another head": {inBolt("meta", func(t testing.TB, b *bbolt.Bucket) {
		value := slices.Clone(b.Get([]byte("head")))
		value[20] ^= 1
		require.NoError(t, b.Put([]byte("head"), value))
	}), ""},
	"a snapshot's description is changed": {inBolt("snapshots", func(t testing.TB, b *bbolt.Bucket) {
		value := slices.Clone(b.Get(sequenceKey(100)))
		value[5] ^= 1
		require.NoError(t, b.Put(sequenceKey(100), value))
	}), "snapshot 100"},
	"a snapshot's chunk is missing": {inBolt("chunks", func(t testing.TB, b *bbolt.Bucket) {
		chunks := b.Bucket(sequenceKey(200))
		first, _ := chunks.Cursor().First()
		require.NoError(t, chunks.Delete(slices.Clone(first)))
	}), "snapshot 200"},
	"no file":     {inFile(func([]byte) []byte { return nil }), ""},
	"half a file": {inFile(func(b []byte) []byte { return b[:len(b)/2/4096*4096] }), ""},
	"both meta pages are gone": {inFile(func(b []byte) []byte {
		clear(b[:8192])
		return b
	}), ""},
	"a page of records is gone": {inFile(func(b []byte) []byte {
		at := bytes.LastIndex(b, []byte("not holder")) / 4096 * 4096
		clear(b[at : at+4096])
		return b
	}), ""},
	"an answer that the rules do not give": {func(t testing.TB, path string) {
		require.NoError(t, os.Remove(path))
		writeGolden(t, path, 3, func(r *journal.Record) {
			if r.Sequence == 77 {
				r.Answer = journal.NewAnswer([]byte(`["granted",1,1]`))
			}
		})
	}, "event 77: the journal records answer [\"granted\",1,1]"},
	"a fingerprint of another state": {func(t testing.TB, path string) {
		require.NoError(t, os.Remove(path))
		writeGolden(t, path, 3, func(r *journal.Record) {
			if r.Sequence == 78 {
				r.Fingerprint[3]++
			}
		})
	}, "event 78: the journal records fingerprint"},
	"an event of no known kind": {func(t testing.TB, path string) {
		require.NoError(t, os.Remove(path))
		writeGolden(t, path, 3, func(r *journal.Record) {
			if r.Sequence == 79 {
				r.Event = []byte{0x92, 0x63, 0x00}
			}
		})
	}, "event 79: events:"},
}

// Damaged journals are refused, each for its own reason.
func TestDamagedJournals(t *testing.T) {
	said := map[string]string{}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			b, err := os.ReadFile(goldenPath(3))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, b, 0o600))
			damage.spoil(t, path)
			err = prove(path)
			require.Error(t, err)
			require.ErrorContains(t, err, damage.said)
			t.Log(err)
			for other, text := range said {
				require.NotEqual(t, text, err.Error(), other)
			}
			said[name] = err.Error()
			_, err = leasekeeper.Open(path, leasekeeper.Options{})
			if err == nil {
				return // opening reads the tail only, which may be sound
			}
			require.NotContains(t, err.Error(), "goroutine")
		})
	}
	require.GreaterOrEqual(t, len(damages), 12)
}

// prove is all that can be asked of a journal file: that it is whole, and that
// it says what the rules give.
func prove(path string) error {
	if _, err := journal.Verify(path, journal.VerifyOptions{}); err != nil {
		return err
	}
	j, err := journal.Open(path, journal.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer j.Close()
	proof, err := leasekeeper.Prove(j, leasekeeper.ProofOptions{})
	if err == nil && proof.First != nil {
		return proof.First
	}
	return err
}
