package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/leasekeeper/leasekeeper/journal/internal/pages"
)

// TestVerifyReports what it has proved.
func TestVerifyReports(t *testing.T) {
	f := newFile(t, Options{checkpointRecords: 64})
	require.NoError(t, f.Append(samples(1, 500)...))
	addSnapshot(t, f, 100, 5000)
	addSnapshot(t, f, 400, 1)
	w, err := f.CreateSnapshot(450, [16]byte{})
	require.NoError(t, err)
	_, err = w.Write(content(300_000))
	require.NoError(t, err)

	var records uint64
	var lengths []int
	report, err := Verify(f.Path(), VerifyOptions{
		Record: func(r Record) error {
			records++
			require.Equal(t, records, r.Sequence)
			return nil
		},
		Snapshot: func(s Snapshot, r io.Reader) error {
			b, err := io.ReadAll(r)
			lengths = append(lengths, len(b))
			return err
		},
	})
	require.NoError(t, err)
	require.Equal(t, uint64(500), records)
	require.Equal(t, []int{5000, 1}, lengths)
	require.Equal(t, f.Genesis(), report.Genesis)
	require.Equal(t, f.Head(), report.Head)
	require.Equal(t, uint64(500), report.Records)
	require.Len(t, report.Snapshots, 2)
	require.Equal(t, 1, report.Unfinished)
	require.False(t, report.Moving)
	require.NoError(t, w.Close())

	no := errors.New("no")
	report, err = Verify(f.Path(), VerifyOptions{Record: func(r Record) error {
		if r.Sequence == 300 {
			return no
		}
		return nil
	}})
	require.ErrorIs(t, err, no)
	require.Equal(t, uint64(299), report.Records)
	_, err = Verify(f.Path(), VerifyOptions{Snapshot: func(Snapshot, io.Reader) error { return no }})
	require.ErrorIs(t, err, no)
}

// TestNotedHead: a head noted at any time tells this journal from others.
func TestNotedHead(t *testing.T) {
	f := newFile(t, Options{checkpointRecords: 32})
	noted := []Head{f.Head()}
	for n := uint64(1); n <= 100; n++ {
		require.NoError(t, f.Append(sample(n)))
		noted = append(noted, f.Head())
	}
	for _, h := range noted {
		_, err := Verify(f.Path(), VerifyOptions{Head: &h})
		require.NoError(t, err, h)
		h.Hash[0] ^= 1
		_, err = Verify(f.Path(), VerifyOptions{Head: &h})
		require.ErrorIs(t, err, ErrHead, h)
	}
	later := Head{Sequence: 101}
	_, err := Verify(f.Path(), VerifyOptions{Head: &later})
	require.ErrorIs(t, err, ErrHead)
	require.ErrorContains(t, err, "it ends at 100")
}

// forge changes a journal as somebody would who knows the format.
func forge(t *testing.T, path string, change func(*bbolt.Tx)) {
	t.Helper()
	db, err := bbolt.Open(path, 0, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		change(tx)
		return nil
	}))
	require.NoError(t, db.Close())
}

// TestForgery: whoever rewrites records with right checksums is found out by
// the chain; whoever rewrites the chain too, by a head that was noted.
func TestForgery(t *testing.T) {
	type bucket = *bbolt.Bucket
	events := func(tx *bbolt.Tx) bucket { return tx.Bucket([]byte(eventsBucket)) }
	put := func(b bucket, key, value []byte) { require.NoError(t, b.Put(key, value)) }
	other := func(n uint64) []byte {
		r := sample(n)
		r.Marks = Foreign
		return r.append(nil)[keySize:]
	}
	for _, c := range []struct {
		what, text string
		change     func(*bbolt.Tx)
	}{
		{"another record", "records 33 to 64 are not those that were written", func(tx *bbolt.Tx) { put(events(tx), sequenceKey(50), other(50)) }},
		{"another record near the end", "records 193 to 200 are not those that were written", func(tx *bbolt.Tx) { put(events(tx), sequenceKey(199), other(199)) }},
		{"a record of another place", "record 50 is damaged: its checksum", func(tx *bbolt.Tx) { put(events(tx), sequenceKey(50), other(51)) }},
		{"a record less", "record 50 is damaged: key 0000000000000033 stands where it is due", func(tx *bbolt.Tx) { require.NoError(t, events(tx).Delete(sequenceKey(50))) }},
		{"a record less at the end", "the head is damaged: it counts records up to 200, but they end at 199", func(tx *bbolt.Tx) { require.NoError(t, events(tx).Delete(sequenceKey(200))) }},
		{"a record less at the beginning", "record 1 is damaged: key 0000000000000002 stands where it is due", func(tx *bbolt.Tx) { require.NoError(t, events(tx).Delete(sequenceKey(1))) }},
		{"a record more", "but they end at 201", func(tx *bbolt.Tx) { put(events(tx), sequenceKey(201), other(201)) }},
		{"a strange key", "no record can have the key", func(tx *bbolt.Tx) { put(events(tx), []byte{0xff}, other(201)) }},
		{"another checkpoint", "its checkpoint at 64 is wrong; the records and the head agree", func(tx *bbolt.Tx) {
			put(tx.Bucket([]byte(chainBucket)), sequenceKey(64), make([]byte, 32))
		}},
		{"a checkpoint beyond the end", "no checkpoint can have the key", func(tx *bbolt.Tx) {
			put(tx.Bucket([]byte(chainBucket)), sequenceKey(208), make([]byte, 32))
		}},
		{"another head", "the head is damaged", func(tx *bbolt.Tx) {
			put(tx.Bucket([]byte(metaBucket)), []byte(headKey), encodeHead(Head{Sequence: 200}))
		}},
		{"no head", "the head is damaged: it is missing", func(tx *bbolt.Tx) { require.NoError(t, tx.Bucket([]byte(metaBucket)).Delete([]byte(headKey))) }},
		{"another genesis", "the genesis is damaged: its checksum", func(tx *bbolt.Tx) {
			g := testGenesis()
			put(tx.Bucket([]byte(metaBucket)), []byte(genesisKey), g.encode()[1:])
		}},
		{"another id", "records 1 to 32 are not those that were written", func(tx *bbolt.Tx) {
			g := testGenesis()
			g.ID[0]++
			put(tx.Bucket([]byte(metaBucket)), []byte(genesisKey), g.encode())
		}},
		{"no chain", "the chain is damaged: it is missing", func(tx *bbolt.Tx) { require.NoError(t, tx.DeleteBucket([]byte(chainBucket))) }},
		{"a strange bucket", "the file is damaged: no journal has \"notes\" there", func(tx *bbolt.Tx) {
			_, err := tx.CreateBucket([]byte("notes"))
			require.NoError(t, err)
		}},
		{"a strange element beside the head", "the file is damaged: no journal has \"note\" there", func(tx *bbolt.Tx) {
			put(tx.Bucket([]byte(metaBucket)), []byte("note"), []byte("x"))
		}},
		{"a strange bucket beside the head", "damaged", func(tx *bbolt.Tx) {
			_, err := tx.Bucket([]byte(metaBucket)).CreateBucket([]byte("notes"))
			require.NoError(t, err)
		}},
		{"a snapshot of another state", "snapshot 100 is damaged: its fingerprint", func(tx *bbolt.Tx) {
			s := Snapshot{Sequence: 100, Bytes: 5000}
			put(tx.Bucket([]byte(snapshotsBucket)), sequenceKey(100), s.encode())
		}},
		{"a longer description", "snapshot 100 is damaged: chunk 5 has 20 bytes, not 996", func(tx *bbolt.Tx) {
			s := Snapshot{Sequence: 100, Bytes: 6500, Fingerprint: sample(100).Fingerprint}
			put(tx.Bucket([]byte(snapshotsBucket)), sequenceKey(100), s.encode())
		}},
		{"a chunk less", "snapshot 100 is damaged: it has 5 chunks, not 6", func(tx *bbolt.Tx) {
			chunks := tx.Bucket([]byte(chunksBucket)).Bucket(sequenceKey(100))
			require.NoError(t, chunks.Delete(binary.BigEndian.AppendUint32(nil, 5)))
		}},
		{"a snapshot without chunks", "snapshot 101 is damaged: there are no chunks of it", func(tx *bbolt.Tx) {
			s := Snapshot{Sequence: 101, Bytes: 10, Fingerprint: sample(101).Fingerprint}
			put(tx.Bucket([]byte(snapshotsBucket)), sequenceKey(101), s.encode())
		}},
		{"a snapshot of the future", "snapshot 300 is damaged: the records end at 200", func(tx *bbolt.Tx) {
			put(tx.Bucket([]byte(snapshotsBucket)), sequenceKey(300), Snapshot{Sequence: 300}.encode())
		}},
		{"another chunk", "snapshot 100 is damaged: the checksum of chunk 2 does not match", func(tx *bbolt.Tx) {
			chunks := tx.Bucket([]byte(chunksBucket)).Bucket(sequenceKey(100))
			put(chunks, binary.BigEndian.AppendUint32(nil, 2), make([]byte, chunkSize+4))
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			f := newFile(t, Options{checkpointRecords: 32, bulk: true})
			for f.Last() < 200 {
				require.NoError(t, f.Append(samples(f.Last()+1, f.Last()+8)...))
			}
			addSnapshot(t, f, 100, 5000)
			require.NoError(t, f.Close())
			forge(t, f.Path(), c.change)
			_, err := Verify(f.Path(), VerifyOptions{})
			require.ErrorIs(t, err, ErrDamaged)
			require.ErrorContains(t, err, c.text)
		})
	}
}

// TestWholeForgery rewrites everything consistently: only a noted head tells.
func TestWholeForgery(t *testing.T) {
	f := newFile(t, Options{})
	require.NoError(t, f.Append(samples(1, 40)...))
	noted := f.Head()
	g := newFile(t, Options{})
	list := samples(1, 40)
	list[7].Fingerprint[0]++
	require.NoError(t, g.Append(list...))
	_, err := Verify(g.Path(), VerifyOptions{})
	require.NoError(t, err)
	_, err = Verify(g.Path(), VerifyOptions{Head: &noted})
	require.ErrorIs(t, err, ErrHead)
	require.NotErrorIs(t, err, ErrDamaged)
}

// TestNewerFormat: a file of a later format is no damage.
func TestNewerFormat(t *testing.T) {
	f := newFile(t, Options{})
	require.NoError(t, f.Close())
	forge(t, f.Path(), func(tx *bbolt.Tx) {
		g := testGenesis()
		g.Format++
		require.NoError(t, tx.Bucket([]byte(metaBucket)).Put([]byte(genesisKey), g.encode()))
	})
	_, err := Open(f.Path(), Options{})
	require.ErrorIs(t, err, ErrFormat)
	require.NotErrorIs(t, err, ErrDamaged)
	_, err = Verify(f.Path(), VerifyOptions{})
	require.ErrorIs(t, err, ErrFormat)
	require.EqualError(t, err, "journal: unknown format 2: this program knows those up to 1")
}

// TestDamagePlace: the bytes that a Damage names are those of the record.
func TestDamagePlace(t *testing.T) {
	b := small(t)
	r := sample(20)
	value := r.append(nil)[keySize:]
	at := indexOf(b, value)
	b[at+30] ^= 4
	_, err := verify(b.file(), VerifyOptions{})
	var d *Damage
	require.ErrorAs(t, err, &d)
	require.Equal(t, &Damage{Part: "record 20", Sequence: 20, Offset: int64(at), Length: int64(len(value)), Reason: "its checksum does not match"}, d)
}

// indexOf is where value lies in b, which is there once.
func indexOf(b image, value []byte) int {
	for i := range b {
		if string(b[i:min(i+len(value), len(b))]) == string(value) {
			return i
		}
	}
	return -1
}

// TestBoltAgrees: on whole files bbolt's own check finds nothing either.
func TestBoltAgrees(t *testing.T) {
	path := t.TempDir() + "/small"
	require.NoError(t, os.WriteFile(path, small(t), 0o600))
	db, err := bbolt.Open(path, 0, &bbolt.Options{ReadOnly: true, PageSize: pages.Size})
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Error(err)
		}
		return nil
	}))
}

// TestHeadDefinition pins the head's definition: any SHA-256 can compute it.
func TestHeadDefinition(t *testing.T) {
	f := newFile(t, Options{})
	require.NoError(t, f.Append(samples(1, 20)...))
	identity := sha256.Sum256(testGenesis().encode())
	link := identity
	for first := uint64(1); first <= 20; first += 16 {
		input := append(append([]byte(nil), link[:]...), identity[:]...)
		for n := first; n <= min(first+15, 20); n++ {
			r := sample(n)
			input = append(input, r.append(nil)[8:]...)
		}
		link = sha256.Sum256(input)
	}
	require.Equal(t, Head{Sequence: 20, Hash: link}, f.Head())
}
