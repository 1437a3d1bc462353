package snapshot_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// Every single bit of a snapshot counts.
func TestEveryFlippedBitIsRefused(t *testing.T) {
	stream := write(t, after(t, small()...))
	for bit := range 8 * len(stream) {
		flipped := bytes.Clone(stream)
		flipped[bit/8] ^= 1 << (bit % 8)
		for what, err := range everyReader(flipped) {
			if !errors.Is(err, snapshot.ErrVersion) {
				require.ErrorIs(t, err, snapshot.ErrCorrupt, "%s, bit %d of byte %d", what, bit%8, bit/8)
			}
		}
	}
}

// Every byte of a snapshot counts, and none may follow.
func TestEveryTruncationIsRefused(t *testing.T) {
	stream := write(t, after(t, small()...))
	for n := range stream {
		for what, err := range everyReader(stream[:n]) {
			require.ErrorIs(t, err, snapshot.ErrCorrupt, "%s, %d bytes", what, n)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%s, %d bytes", what, n)
		}
	}
	for what, err := range everyReader(append(stream, 0)) {
		require.ErrorContains(t, err, "bytes follow the end", what)
	}
}

func everyReader(stream []byte) map[string]error {
	_, read := snapshot.Read(bytes.NewReader(stream))
	_, verify := snapshot.Verify(bytes.NewReader(stream))
	return map[string]error{"Read": read, "Verify": verify}
}

// Damage is named by its chunk and by the bytes that the chunk takes.
func TestDamageHasAPlace(t *testing.T) {
	m := begin(t, events.Current)
	for i := range 9000 {
		m.Apply(acquire(1, fmt.Sprintf("client-%07d", i), "crowded", 60, events.Exclusive))
	}
	stream := write(t, m.State())
	second := bytes.Index(stream, []byte{2, 1, 0, 0, 0, 2})
	third := bytes.Index(stream, []byte{2, 1, 0, 0, 0, 3})
	require.Positive(t, third)
	stream[third-1] ^= 1

	_, err := read(stream)
	var damage *snapshot.Damage
	require.ErrorAs(t, err, &damage)
	require.Equal(t, snapshot.Damage{Chunk: 2, Offset: int64(second), Length: int64(third - second),
		Reason: "the checksum does not match"}, *damage)
	require.Regexp(t, `^snapshot: corrupt, chunk 2 \(bytes \d+ to \d+\): the checksum does not match$`, err)

	_, err = read(stream[:third+7])
	require.ErrorContains(t, err, "chunk 2")
	stream[third-1] ^= 1
	_, err = read(stream[:third+7])
	require.ErrorAs(t, err, &damage)
	require.Equal(t, []int64{3, int64(third), 7}, []int64{int64(damage.Chunk), damage.Offset, damage.Length})
}

// The description of the format is enough to write a snapshot from.
func TestForgedFromTheDescription(t *testing.T) {
	f, s := copied()
	got, err := read(f.bytes())
	require.NoError(t, err)
	requireSame(t, s, got)
}

// Whoever changes something and puts the checksums and the digest right is
// refused nevertheless: what is left must be the one form of a sound state.
func TestForgeriesAreRefused(t *testing.T) {
	chunk := strings.Repeat("v", snapshot.ChunkBytes)
	zipped := zip(t, []byte(chunk))
	swap := func(old, fresh []byte) func(*forgery) {
		return func(f *forgery) {
			if !bytes.Contains(f.rows, old) {
				panic("nothing to swap")
			}
			f.rows = bytes.Replace(f.rows, old, fresh, 1)
		}
	}
	rows := func(rows ...[]byte) func(*forgery) { return func(f *forgery) { f.rows = join(rows...) } }
	frames := func(frames ...[]byte) func(*forgery) { return func(f *forgery) { f.frames = frames } }
	for _, test := range []struct {
		what  string
		forge func(*forgery)
		want  string
	}{
		{"another edition", func(f *forgery) { f.edition = 2 }, "fingerprint"},
		{"no edition", func(f *forgery) { f.edition = 4 }, "edition is out of range"},
		{"edition 0", func(f *forgery) { f.edition = 0 }, "no such edition"},
		{"another unit", func(f *forgery) { f.unit = 1000 }, "fingerprint"},
		{"no unit", func(f *forgery) { f.unit = 60 }, "no such clock unit"},
		{"no events", func(f *forgery) { f.sequence = 0 }, "no event has led to"},
		{"another clock", func(f *forgery) { f.clock++ }, "fingerprint"},
		{"late clock", func(f *forgery) { f.clock = 1<<63 - 1 }, "a header that cannot be"},
		{"clock that never started", func(f *forgery) { f.started = 0 }, "a header that cannot be"},
		{"clock half started", func(f *forgery) { f.started = 2 }, "mark of a started clock is out of range"},
		{"another turn", func(f *forgery) { f.turns++ }, "fingerprint"},
		{"too few turns", func(f *forgery) { f.turns = 3 }, "turn is out of range"},
		{"another registration", func(f *forgery) { f.ages++ }, "fingerprint"},
		{"too few registrations", func(f *forgery) { f.ages = 3 }, "age is out of range"},
		{"registrations below zero", func(f *forgery) { f.ages = 1 << 63 }, "registrations is out of range"},
		{"another fingerprint", func(f *forgery) { f.fingerprint[15] ^= 1 }, "the header says"},
		{"more header", func(f *forgery) { f.headerTail = []byte{0} }, "bytes are left over"},
		{"more end", func(f *forgery) { f.endTail = []byte{0} }, "bytes are left over"},
		{"another count", func(f *forgery) { f.count[4]++ }, "counts other rows"},

		{"no rows", rows(), "counts other rows"},
		{"a row of kind 0", rows([]byte{0}), "kind 0 does not belong"},
		{"a row of kind 6", rows([]byte{6}), "kind 6 does not belong"},
		{"lease without a lock", rows(client("a", 1), lease("a", 1, 1, 56, 1)), "kind 3 does not belong"},
		{"request before lease", rows(client("a", 1), client("b", 2), lock("L", 1, 1), request("b", 1, 1, 1),
			lease("a", 1, 1, 1, 2)), "kind 3 does not belong"},
		{"value before request", rows(client("a", 1), lock("L", 1, 1), value("k", "v"), request("a", 1, 1, 1)), "kind 4 does not belong"},
		{"client after a lock", rows(lock("L", 1, 0), client("a", 1)), "kind 1 does not belong"},
		{"half a row", rows(client("a", 1), []byte{1, 1}), "ends in the middle"},
		{"half a number", rows([]byte{1, 1, 'a', 0x80}), "ends in the middle"},

		{"clients out of order", swap(join(client("a", 1), client("b", 2)), join(client("b", 2), client("a", 1))), "not in order"},
		{"client twice", swap(client("b", 2), client("a", 2)), "not in order"},
		{"age twice", swap(client("b", 2), client("b", 1)), "two clients have age 1"},
		{"age 0", swap(client("b", 2), client("b", 0)), "age is out of range"},
		{"client missing", swap(client("b", 2), nil), `request of "b"`},
		{"empty name", swap(client("a", 1), client("", 1)), "a text is empty"},
		{"bad UTF-8", swap(client("d", 4), client("\xed\xa0\x80", 4)), "not UTF-8"},
		{"lengthy number", swap(client("a", 1), []byte{1, 1, 'a', 0x81, 0}), "not in its shortest form"},
		{"lengthy length", swap(client("a", 1), []byte{1, 0x81, 0, 'a', 1}), "not in its shortest form"},
		{"number of 65 bits", swap(client("a", 1), []byte("\x01\x01a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02")), "beyond 64 bits"},
		{"text of 2^64-1 bytes", swap(client("a", 1), []byte("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a")), "ends in the middle"},

		{"locks out of order", swap(lock("M", 2, 0), lock("K", 2, 0)), "not in order"},
		{"lock twice", swap(lock("M", 2, 0), lock("L", 2, 0)), "not in order"},
		{"lock without anything", swap(lock("M", 2, 0), join(lock("LL", 0, 0), lock("M", 2, 0))), "never granted nor written to"},
		{"counter of 64 bits", swap(lock("M", 2, 0), lock("M", 1<<63, 0)), "counter is out of range"},
		{"mark of 64 bits", swap(lock("M", 2, 0), lock("M", 2, 1<<63)), "mark is out of range"},
		{"counter too low", swap(lock("M", 2, 0), lock("M", 1, 0)), "token is out of range"},
		{"values without a mark", swap(lock("L", 1, 1), lock("L", 1, 0)), "2 values and mark 0"},
		{"mark without values", swap(lock("M", 2, 0), lock("M", 2, 1)), "0 values and mark 1"},

		{"lease of mode 0", swap(lease("d", 2, 1, 8, 1), lease("d", 0, 1, 8, 1)), "mode is out of range"},
		{"lease of mode 3", swap(lease("d", 2, 1, 8, 1), lease("d", 3, 1, 8, 1)), "mode is out of range"},
		{"exclusive beside shared", swap(lease("d", 2, 1, 8, 1), lease("d", 1, 1, 8, 1)), "shared with an exclusive lease"},
		{"token twice", swap(lease("d", 2, 1, 8, 1), lease("d", 2, 0, 8, 1)), "token is out of range"},
		{"lease that ends now", swap(lease("d", 2, 1, 8, 1), lease("d", 2, 1, 0, 1)), "rest of a lease is out of range"},
		{"lease of more than a day", swap(lease("d", 2, 1, 8, 1), lease("d", 2, 1, 86401, 1)), "rest of a lease is out of range"},
		{"turn twice", swap(lease("d", 2, 1, 8, 1), lease("d", 2, 1, 8, 0)), "turn is out of range"},
		{"turn around 64 bits", swap(lease("d", 2, 1, 8, 1), lease("d", 2, 1, 8, 1<<64-2)), "turn is out of range"},
		{"lease of nobody", swap(lease("d", 2, 1, 8, 1), lease("e", 2, 1, 8, 1)), "a row that cannot be"},
		{"lease twice", swap(lease("d", 2, 1, 8, 1), lease("c", 2, 1, 9, 1)), "holds \"M\" twice"},
		{"another holder", swap(lease("d", 2, 1, 8, 1), lease("b", 2, 1, 8, 1)), "fingerprint"},
		{"other ticks left", swap(lease("d", 2, 1, 8, 1), lease("d", 2, 1, 9, 1)), "fingerprint"},

		{"holder waits for its own", swap(request("b", 2, 30, 2), request("a", 2, 30, 2)), "waits for lock \"L\" and holds it"},
		{"ttl 0", swap(request("b", 2, 30, 2), request("b", 2, 0, 2)), "ttl is out of range"},
		{"ttl of more than a day", swap(request("b", 2, 30, 2), request("b", 2, 86401, 2)), "ttl is out of range"},
		{"another ttl", swap(request("b", 2, 30, 2), request("b", 2, 31, 2)), "fingerprint"},
		{"compatible head", swap(lease("a", 1, 1, 56, 1), lease("a", 2, 1, 56, 1)), "head of the queue of lock \"L\" is compatible"},

		{"keys out of order", swap(value("l", "w"), value("j", "w")), "not in order"},
		{"key twice", swap(value("l", "w"), value("k", "w")), "not in order"},
		{"empty value", swap(value("l", "w"), value("l", "")), "a text is empty"},
		{"another value", swap(value("l", "w"), value("l", "x")), "fingerprint"},

		{"short chunk", func(f *forgery) { f.chunk = 40 }, "the chunk before was not full"},
		{"empty chunk", frames(seal(2, 0, 1, 0, nil)), "impossible length"},
		{"two headers", frames(seal(1, 0, 1, 1, []byte{1})), "kind 1 does not belong"},
		{"a frame of kind 0", frames(seal(0, 0, 1, 1, []byte{1})), "kind 0 does not belong"},
		{"a frame of kind 4", frames(seal(4, 0, 1, 1, []byte{1})), "kind 4 does not belong"},
		{"a chunk left out", frames(seal(2, 0, 2, 1, []byte{1})), "the frame is number 2"},
		{"a chunk twice", frames(seal(2, 0, 1, 1, []byte{1}), seal(2, 0, 1, 1, []byte{1})), "the frame is number 1"},
		{"unknown method", frames(seal(2, 2, 1, 1, []byte{1})), "not stored in this way"},
		{"other length", frames(seal(2, 0, 1, 2, []byte{1})), "not stored in this way"},
		{"content too long", frames(seal(2, 1, 1, snapshot.ChunkBytes+1, zipped)), "impossible length"},
		{"payload too long", frames(seal(2, 0, 1, 1, make([]byte, snapshot.ChunkBytes+1))), "longer than any"},
		{"packed too well", frames(seal(2, 1, 1, len(chunk), zipped)), "not stored in this way"},
		{"packed wrong", frames(seal(2, 1, 1, 3, []byte("abc"))), "does not decompress"},
		{"packed longer", frames(seal(2, 1, 1, len(zipped)*2, zipped)), "does not decompress"},
		{"packed shorter", frames(seal(2, 1, 1, 4, zip(t, []byte("abc")))), "3 bytes of 4"},
		{"packed header", func(f *forgery) { f.frames = [][]byte{seal(3, 1, 1, 3, zip(t, []byte("abc")))} }, "not stored in this way"},
	} {
		t.Run(test.what, func(t *testing.T) {
			f, _ := copied()
			test.forge(&f)
			s, err := read(f.bytes())
			require.ErrorIs(t, err, snapshot.ErrCorrupt)
			require.ErrorContains(t, err, test.want)
			require.Equal(t, fsm.State{}, s)
		})
	}
}

func zip(t require.TestingT, content []byte) []byte {
	zip, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return zip.EncodeAll(content, nil)
}

// The sequence is part of the digest, not of the fingerprint: a forgery of it
// that puts the digest right passes, and shows in the header.
func TestSequenceIsTheCallersToCompare(t *testing.T) {
	f, s := copied()
	f.sequence = 7
	got, err := read(f.bytes())
	require.NoError(t, err)
	require.EqualValues(t, 7, got.Sequence())
	require.Equal(t, s.Fingerprint(), got.Fingerprint())

	// Put right as well as the frame's own checksum, but not the digest.
	stream := write(t, s)
	header := stream[8+14:][:len(f.header())]
	require.Equal(t, []byte{3, 1, 6}, header[:3])
	header[2] = 7
	copy(stream[8:], seal(1, 0, 0, len(header), header))
	_, err = read(stream)
	require.ErrorContains(t, err, "the digest of the content does not match")
}
