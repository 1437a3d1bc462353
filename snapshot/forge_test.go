package snapshot_test

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/zeebo/xxh3"

	"github.com/leasekeeper/leasekeeper/events"
	"github.com/leasekeeper/leasekeeper/fsm"
	"github.com/leasekeeper/leasekeeper/snapshot"
)

// forgery is a snapshot put together by hand, from the description of the
// format alone. Whatever is in it, its checksums and its digest are right.
type forgery struct {
	edition, unit, sequence uint64
	started                 byte
	clock                   int64
	turns, ages             uint64
	fingerprint             fsm.Fingerprint

	headerTail []byte   // bytes after the header's last field
	rows       []byte   // content of the chunks
	chunk      int      // length of a chunk, ChunkBytes if 0
	frames     [][]byte // instead of the chunks, if not nil
	count      [5]uint64
	endTail    []byte
}

// copied is a forgery of a sound snapshot: of a state of two clients, a lock
// with a lease, a request and a stored value, and another with two shared
// leases, one second after the last event.
func copied() (forgery, fsm.State) {
	s, _ := fsm.New(events.Current)
	for _, e := range []events.Event{
		acquire(100, "a", "L", 60, events.Exclusive),
		acquire(101, "b", "L", 30, events.Shared),
		acquire(102, "c", "M", 10, events.Shared),
		acquire(103, "d", "M", 9, events.Shared),
		events.Write{At: 104, Lock: "L", Key: "k", Value: "v", Token: 1},
		events.Write{At: 104, Lock: "L", Key: "l", Value: "w", Token: 1},
	} {
		s, _ = fsm.Apply(s, e)
	}
	return forgery{
		edition: 3, unit: 1, sequence: 6, started: 1, clock: 104, turns: 4, ages: 4, fingerprint: s.Fingerprint(),
		rows: join(
			client("a", 1), client("b", 2), client("c", 3), client("d", 4),
			lock("L", 1, 1), lease("a", 1, 1, 56, 1), request("b", 2, 30, 2), value("k", "v"), value("l", "w"),
			lock("M", 2, 0), lease("c", 2, 1, 8, 3), lease("d", 2, 1, 8, 1),
		),
		count: [5]uint64{4, 2, 3, 1, 2},
	}, s
}

func join(parts ...[]byte) (all []byte) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func uints(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

func text(b []byte, s string) []byte { return append(uints(b, uint64(len(s))), s...) }

func client(name string, age uint64) []byte { return uints(text([]byte{1}, name), age) }

func lock(name string, counter, mark uint64) []byte {
	return uints(text([]byte{2}, name), counter, mark)
}

func lease(client string, mode byte, token, left, turn uint64) []byte {
	return uints(append(text([]byte{3}, client), mode), token, left, turn)
}

func request(client string, mode byte, ttl, turn uint64) []byte {
	return uints(append(text([]byte{4}, client), mode), ttl, turn)
}

func value(key, value string) []byte { return text(text([]byte{5}, key), value) }

// header is the header's content.
func (f forgery) header() []byte {
	b := append(uints(nil, f.edition, f.unit, f.sequence), f.started)
	b = uints(binary.AppendVarint(b, f.clock), f.turns, f.ages)
	return append(append(b, f.fingerprint[:]...), f.headerTail...)
}

// bytes is the stream.
func (f forgery) bytes() []byte {
	header := f.header()
	stream := append([]byte("LKSNAP\x00\x01"), seal(1, 0, 0, len(header), header)...)
	number := uint32(1)
	for rows := f.rows; len(rows) > 0 && f.frames == nil; number++ {
		n := f.chunk
		if n == 0 {
			n = snapshot.ChunkBytes
		}
		n = min(n, len(rows))
		stream = append(stream, seal(2, 0, number, n, rows[:n])...)
		rows = rows[n:]
	}
	for _, frame := range f.frames {
		stream = append(stream, frame...)
		number++
	}
	canonical := join(header, f.rows)
	digest := xxh3.Hash128(canonical).Bytes()
	end := uints(nil, f.count[:]...)
	end = append(append(uints(end, uint64(len(canonical))), digest[:]...), f.endTail...)
	return append(stream, seal(3, 0, number, len(end), end)...)
}

// seal makes a frame of a payload.
func seal(kind, method byte, number uint32, content int, payload []byte) []byte {
	b := []byte{kind, method}
	for _, n := range []uint32{number, uint32(content), uint32(len(payload))} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	b = append(b, payload...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}
